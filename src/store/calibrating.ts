/** Measures from where on a note is shown at a prompt, where that is due: in a process that nobody waits for. */
import { measureIfDue } from '../projections/recall/calibrating.js';
import { storeThresholds } from '../projections/recall/thresholds.js';
import type { Reading } from './reading.js';

export const calibrateIfDue = async ({ liveIndex, exists }: Pick<Reading, 'liveIndex' | 'exists'>): Promise<void> => {
  if (!exists()) return;
  // Reading takes a second in a large store: as a transaction of its own it holds nobody up.
  const measured = await liveIndex.ask(measureIfDue);
  if (measured !== undefined) await liveIndex.ask((database) => storeThresholds(database, measured));
};
