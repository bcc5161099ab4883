/** Files that a reader saw changed by hand: the next command that writes adopts them. */
import { isDenied } from '../events/environment-faults.js';
import type { JournalName } from '../events/note/note.js';

export type HandEdited = { readonly journal: JournalName; readonly path: string };

/** Loaded only when there is something to say: a reader opens no state.db otherwise. */
export const leaveWord = async (home: string, edited: readonly HandEdited[]): Promise<void> => {
  const { openState } = await import('./state.js');
  try {
    const state = openState(`${home}/state.db`);
    try {
      for (const { journal, path } of edited) state.touch(journal, path);
    } finally {
      state.close();
    }
  } catch (error) {
    // The question is answered without it. The edit is found all the same, by whatever looks at all files.
    if (!isDenied(error)) throw error;
  }
};
