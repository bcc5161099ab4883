/** Files that a reader saw changed by hand: the next command that writes adopts them. */
import type { JournalName } from '../events/note.js';

export type HandEdited = { readonly journal: JournalName; readonly path: string };

/** Loaded only when there is something to say: a reader opens no state.db otherwise. */
export const leaveWord = async (home: string, edited: readonly HandEdited[]): Promise<void> => {
  const { openState } = await import('../events/state.js');
  const state = openState(`${home}/state.db`);
  try {
    for (const { journal, path } of edited) state.touch(journal, path);
  } finally {
    state.close();
  }
};
