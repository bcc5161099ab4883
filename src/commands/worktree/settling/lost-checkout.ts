/** A journal that was put back from an older copy lacks the commit that was checked out last: nothing is known of its files then. */
import type { GitJournal } from '../../../events/git/git-journal.js';
import type { State } from '../../../state/state.js';

/** The commit that was checked out last, if the journal has it. One git call where it is not the head. */
export const knownCheckout = async (
  state: State,
  journal: GitJournal,
  head: string | undefined,
): Promise<string | undefined> => {
  const checkout = state.checkout(journal.name);
  if (checkout === undefined || checkout === head || head === undefined) return checkout;
  return (await journal.resolve(checkout)) === undefined ? undefined : checkout;
};
