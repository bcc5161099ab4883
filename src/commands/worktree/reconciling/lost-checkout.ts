/** Detects a journal restored from an older copy, which lacks the commit last checked out. */
import type { GitJournal } from '../../../events/git/git-journal.js';
import type { State } from '../../../state/state.js';

/** The commit last checked out, undefined if the journal lacks it. One git call if it is not the head. */
export const knownCheckout = async (
  state: State,
  journal: GitJournal,
  head: string | undefined,
): Promise<string | undefined> => {
  const checkout = state.checkout(journal.name);
  if (checkout === undefined || checkout === head || head === undefined) return checkout;
  return (await journal.resolve(checkout)) === undefined ? undefined : checkout;
};
