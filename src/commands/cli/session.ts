/** Opens the store for one command and closes it again, whatever happens in between. */
import type { JournalName } from '../../events/note.js';
import type { Memory } from '../../memory/memory.js';
import type { Reading } from '../../memory/reading.js';
import { readSettings } from '../../memory/settings.js';

/** For what only reads: loads a third of the code that writing needs. */
export const withReading = async (run: (reading: Reading) => Promise<void>): Promise<void> => {
  const { openReading } = await import('../../memory/reading.js');
  const settings = readSettings(process.env);
  const edited: { readonly journal: JournalName; readonly path: string }[] = [];
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
  const { openMemory } = await import('../../memory/memory.js');
  const memory = openMemory(readSettings(process.env));
  try {
    await run(memory);
  } finally {
    await memory.finish();
  }
};

/** Files seen to be changed by hand: the next command that writes adopts them. */
const leaveWord = async (
  home: string,
  edited: readonly { readonly journal: JournalName; readonly path: string }[],
): Promise<void> => {
  const { openState } = await import('../../events/state.js');
  const state = openState(`${home}/state.db`);
  try {
    for (const { journal, path } of edited) state.touch(journal, path);
  } finally {
    state.close();
  }
};
