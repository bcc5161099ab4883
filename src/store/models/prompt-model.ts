/** A static model that judges notes at a prompt, and the thresholds for showing one. Loaded only if needed. */
import type { Settings } from '../../config/settings.js';
import { openCloseness } from '../../embedding/closeness.js';
import { readInstalled } from '../../embedding/installed-models.js';
import type { StaticModel } from '../../embedding/static-model.js';
import type { JournalName } from '../../events/note/note.js';
import { headOf } from '../../events/worktree/note-body.js';
import { openByMeaning } from '../../projections/recall/by-meaning.js';
import { measureIfDue } from '../../projections/recall/calibrating.js';
import type { ByMeaning } from '../../projections/recall/recall.js';
import { meaningRule, storeThresholds } from '../../projections/recall/thresholds.js';
import type { LiveIndex } from '../live-index.js';
import { openMeaning } from './meaning.js';

type Folders = Readonly<Record<JournalName, string>>;

/** An agent waits at a prompt, and reading a larger model would take longer than everything else. */
const maxNumbersAtPrompt = 32 * 1024 * 1024;
/** After this time, words alone decide. */
const waitMs = 60;

export type PromptModel = { readonly meaning: ByMeaning } | { readonly whyNot: string };

/** Never throws. Servers and sentence models aren't used at a prompt. */
export const openPromptModel = async (
  settings: Settings,
  folders: Folders,
  { hurried = true }: { readonly hurried?: boolean } = {},
): Promise<PromptModel> => {
  const { home, searchModel } = settings;
  if (searchModel === undefined) return { whyNot: 'no model is in use' };
  const installed = readInstalled(home, searchModel);
  const manifest = installed.ok ? installed.value.manifest : undefined;
  if (manifest?.role === 'static' && manifest.tokens * manifest.dimension > maxNumbersAtPrompt)
    return { whyNot: `${searchModel} is too large` };
  const untilMs = hurried ? performance.now() + waitMs : Number.POSITIVE_INFINITY;
  const opened = await openMeaning(settings);
  if (opened.kind === 'none') return { whyNot: `${opened.problem.message}; ${opened.problem.next}` };
  if (opened.kind !== 'static') return { whyNot: `${searchModel} is a model that is run` };
  return { meaning: weighWith(opened.model, folders, () => performance.now() > untilMs) };
};

const weighWith = (model: StaticModel, folders: Folders, isLate: () => boolean): ByMeaning =>
  openByMeaning({
    rule: meaningRule(model.id),
    openCloseness: (asked) => openCloseness(model, asked),
    bodyOf: (note) => headOf(note, folders),
    isLate,
  });

/** Measures, when due, the thresholds for showing a note at a prompt: by words, and by the static model in use. */
export const calibrateIfDue = async ({ liveIndex, exists, settings, folders }: CalibratedStore): Promise<void> => {
  if (!exists()) return;
  // Measuring takes a second in a large store: in its own transaction, so that it blocks no writer.
  const measured = await liveIndex.ask(measureIfDue);
  if (measured !== undefined) await liveIndex.ask((database) => storeThresholds(database, measured));
  const promptModel = await openPromptModel(settings, folders, { hurried: false });
  if (!('meaning' in promptModel)) return;
  const { meaning } = promptModel;
  const again = await liveIndex.ask((database) => measureIfDue(database, meaning));
  if (again !== undefined) await liveIndex.ask((database) => storeThresholds(database, again, meaning.rule));
};

type CalibratedStore = {
  readonly settings: Settings;
  readonly folders: Folders;
  readonly liveIndex: LiveIndex;
  readonly exists: () => boolean;
};
