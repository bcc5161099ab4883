/** Opens the store for one command and closes it again, whatever happens in between. */

import { readSettings } from '../config/settings.js';
import { type HandEdited, leaveWord } from '../state/hand-edited.js';
import type { Memory } from '../store/memory.js';
import type { Reading } from '../store/reading.js';

/** For what only reads: loads a third of the code that writing needs. */
export const withReading = async (run: (reading: Reading) => Promise<void>): Promise<void> => {
  const { openReading } = await import('../store/reading.js');
  const settings = readSettings(process.env);
  const edited: HandEdited[] = [];
  const reading = openReading(settings, (journal, path) => edited.push({ journal, path }));
  try {
    await run(reading);
  } finally {
    reading.close();
    if (edited.length > 0) await leaveWord(settings.home, edited);
  }
};

/** For what writes, and for what needs pool or git. The store is made by the first command that records something. */
export const withMemory = async (run: (memory: Memory) => Promise<void>): Promise<void> => {
  const { openMemory } = await import('../store/memory.js');
  const memory = openMemory(readSettings(process.env));
  try {
    await run(memory);
  } finally {
    await memory.finish();
  }
};
