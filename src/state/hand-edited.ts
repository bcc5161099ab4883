/** Notes files that a reader found changed by hand: the next command that writes adopts them. */
import { isDenied } from '../events/environment-faults.js';
import type { JournalName } from '../events/note/note.js';

export type HandEdited = { readonly journal: JournalName; readonly path: string };

/** Loads state.js only here, because a reader opens no state.db otherwise. */
export const noteHandEdits = async (home: string, edited: readonly HandEdited[]): Promise<void> => {
  const { openState } = await import('./state.js');
  try {
    const state = openState(`${home}/state.db`);
    try {
      for (const { journal, path } of edited) state.touch(journal, path);
    } finally {
      state.close();
    }
  } catch (error) {
    // The reader's question is answered anyway, and the next look at all files finds the edit.
    if (!isDenied(error)) throw error;
  }
};
