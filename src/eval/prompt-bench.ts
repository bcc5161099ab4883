/** Measures how well recall decides what to show at a prompt, each folder of notes and cases in a temporary store. */
import { basename, resolve } from 'node:path';
import type Database from 'better-sqlite3';
import type { PromptSet, PromptSets } from '../answers/store-schema.js';
import type { Settings } from '../config/settings.js';
import type { JournalName } from '../events/note/note.js';
import { mean } from '../projections/eval/metrics.js';
import type { NoteKeys } from '../projections/eval/note-keys.js';
import { measureIfDue } from '../projections/recall/calibrating.js';
import { type ByMeaning, type RecalledNotes, recallNotes } from '../projections/recall/recall.js';
import { storeThresholds } from '../projections/recall/thresholds.js';
import { openPromptModel } from '../store/models/prompt-model.js';
import { readSetCases, withSetStore } from './bench-sets.js';
import { PromptCase } from './eval-case-schema.js';
import { everydayPrompts } from './everyday-prompts.js';
import { withTypo } from './typos.js';

export type PromptBenchOptions = {
  /** Settings of the store whose model judges with the words, as at its prompts; without them only words judge. */
  readonly settings?: Settings | undefined;
  /** Seed for one typo in a word of each case's query; the same seed makes the same typos. */
  readonly typos?: number | undefined;
};

type Folder = { readonly name: string; readonly folder: string; readonly cases: readonly PromptCase[] };

/** Each folder's cases are foreign prompts to the others, except to those that share a query with it. */
export const benchPrompts = async (
  folders: readonly string[],
  options: PromptBenchOptions = {},
): Promise<PromptSets> => {
  const read = folders.map((folder): Folder => {
    const cases = readSetCases(folder, (value) => PromptCase.parse(value));
    return { name: basename(resolve(folder)), folder, cases };
  });
  const sets: Record<string, PromptSet> = {};
  for (const one of read) {
    const foreign = read
      .filter((other) => other !== one && !shareQuery(one, other))
      .flatMap(({ cases }) => sample(cases, foreignOfEach).map(({ query }) => query));
    sets[one.name in sets ? one.folder : one.name] = await benchFolder(one, foreign, options);
  }
  return { model: await modelOf(options.settings), sets, mean: meanOf(Object.values(sets)) };
};

const openFor = async (
  settings: Settings | undefined,
  folders: Readonly<Record<JournalName, string>>,
): Promise<ByMeaning | undefined> => {
  if (settings === undefined) return undefined;
  const promptModel = await openPromptModel(settings, folders, { hurried: false });
  return 'meaning' in promptModel ? promptModel.meaning : undefined;
};

const modelOf = async (settings: Settings | undefined): Promise<string | null> =>
  (await openFor(settings, { portable: '', local: '' })) === undefined ? null : (settings?.searchModel ?? null);

/** True if two folders are cuts of the same texts. */
const shareQuery = (one: Folder, other: Folder): boolean => {
  const queries = new Set(one.cases.map(({ query }) => query));
  return other.cases.some(({ query }) => queries.has(query));
};

/** How many cases of a set, and of each other set, are used: more take longer and say the same. */
const ownOfEach = 300;
const foreignOfEach = 40;
/** Notes at a prompt: the default of the hooks. */
const k = 5;

const benchFolder = (
  { folder, cases }: Folder,
  foreign: readonly string[],
  { typos, settings }: PromptBenchOptions,
): Promise<PromptSet> =>
  withSetStore(folder, async (memory, keys) => {
    const asked = sample(cases, ownOfEach).map((one, at) =>
      typos === undefined ? one : { ...one, query: withTypo(one.query, typos, at) },
    );
    const { portable, local } = memory.journals;
    const meaning = await openFor(settings, { portable: portable.folder, local: local.folder });
    return memory.liveIndex.ask((database) => {
      const measured = meaning === undefined ? undefined : measureIfDue(database, meaning);
      if (measured !== undefined) storeThresholds(database, measured, meaning?.rule);
      return measureSet(database, { keys, cases: asked, foreign, meaning });
    });
  });

type Measured = {
  readonly keys: NoteKeys;
  readonly cases: readonly PromptCase[];
  readonly foreign: readonly string[];
  readonly meaning: ByMeaning | undefined;
};

const measureSet = (database: Database.Database, { keys, cases, foreign, meaning }: Measured): PromptSet => {
  const recall = (text: string, project: string, exclude: readonly string[] = []): RecalledNotes => {
    const query = { text, project, k, nowSeconds: 0, exclude: new Set(exclude) };
    return recallNotes(database, query, meaning);
  };
  const answered = cases.filter(({ relevant }) => relevant.length > 0);
  const own = answered.map(({ query, project, relevant }) => {
    const ids = new Set(relevant.map((key) => keys.idOf(key) ?? key));
    const { notes, maybe } = recall(query, project);
    const without = recall(query, project, [...ids]);
    const right = notes.filter(({ note }) => ids.has(note.id)).length;
    return {
      right,
      isNamed: right > 0 || maybe.some(({ note }) => ids.has(note.id)),
      shown: notes.length,
      isUnanswered: without.notes.length > 0,
    };
  });
  const projects = [...new Set(cases.map(({ project }) => project))].sort();
  const shareShown = (prompts: readonly string[], band: keyof RecalledNotes): number =>
    shareOf(prompts, (prompt, at) => recall(prompt, projects[at % projects.length] ?? '')[band].length > 0);
  const strange = [...foreign, ...cases.filter(({ relevant }) => relevant.length === 0).map(({ query }) => query)];
  const silent = [...strange, ...everydayPrompts];
  return {
    notes: keys.count,
    cases: answered.length,
    right: shareOf(own, ({ right }) => right > 0),
    named: shareOf(own, ({ isNamed }) => isNamed),
    shown: mean(own.map(({ shown }) => shown)),
    unanswered: shareOf(own, ({ isUnanswered }) => isUnanswered),
    false_alarms: shareShown(silent, 'notes'),
    false_lines: shareShown(silent, 'maybe'),
  };
};

const shareOf = <Item>(items: readonly Item[], is: (item: Item, at: number) => boolean): number =>
  mean(items.map((item, at) => (is(item, at) ? 1 : 0)));

/** Weights all sets equally. */
const meanOf = (sets: readonly PromptSet[]): PromptSets['mean'] => {
  const meanBy = (key: keyof PromptSet): number => mean(sets.map((set) => set[key]));
  return {
    right: meanBy('right'),
    named: meanBy('named'),
    shown: meanBy('shown'),
    unanswered: meanBy('unanswered'),
    false_alarms: meanBy('false_alarms'),
    false_lines: meanBy('false_lines'),
  };
};

/** Picks items evenly from the whole list. */
const sample = <Item>(items: readonly Item[], most: number): readonly Item[] =>
  items.length <= most
    ? items
    : Array.from({ length: most }, (_, at) => items[Math.floor((at * items.length) / most)]).flatMap(
        (item) => item ?? [],
      );
