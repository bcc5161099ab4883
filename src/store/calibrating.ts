/** Measures the thresholds for showing a note at a prompt, when due: in a process that nobody waits for. */
import { measureIfDue } from '../projections/recall/calibrating.js';
import { storeThresholds } from '../projections/recall/thresholds.js';
import type { Reading } from './reading.js';

/** Measures by words and by the static model in use: each has its own thresholds. */
export const calibrateIfDue = async ({
  liveIndex,
  exists,
  settings,
  journals,
}: Pick<Reading, 'liveIndex' | 'exists' | 'settings' | 'journals'>): Promise<void> => {
  if (!exists()) return;
  // Measuring takes a second in a large store: in its own transaction, so that it blocks no writer.
  const measured = await liveIndex.ask(measureIfDue);
  if (measured !== undefined) await liveIndex.ask((database) => storeThresholds(database, measured));
  if (settings.searchModel === undefined) return;
  const { openPromptModel } = await import('./models/prompt-model.js');
  const { portable, local } = journals;
  const promptModel = await openPromptModel(
    settings,
    { portable: portable.folder, local: local.folder },
    { hurried: false },
  );
  if (!('meaning' in promptModel)) return;
  const { meaning } = promptModel;
  const again = await liveIndex.ask((database) => measureIfDue(database, meaning));
  if (again !== undefined) await liveIndex.ask((database) => storeThresholds(database, again, meaning.rule));
};
