/**
 * Sync moves the branch first and lays the files out afterwards. Two facts in `state.db` say how far it came, so that
 * whoever finds the store in between takes the new files for what they are, and not for changes of a person.
 */
import { pendingCheckoutFact } from '../../state/state.js';
import type { Store } from './write-store.js';

const moveFact = 'sync-move';

/** Before the branch moves. */
export const announceMove = ({ state }: Store, from: string | undefined, to: string): void => {
  state.setFact(moveFact, `${from ?? ''} ${to}`);
};

/**
 * After the branch moved, or when an announced move is found: W is the new head at once, while the rows of the files stay
 * as they are; a file that is still as its row says gets the new head's version. Under the write lock.
 */
export const finishMove = ({ state, journals }: Store): void => {
  const [from = '', to = ''] = state.fact(moveFact)?.split(' ') ?? [];
  if (to === '') return;
  const checkout = state.checkout('portable');
  const head = journals.portable.head();
  // Else it was killed before the branch moved, or everything was finished but this line.
  if (head === to && (checkout ?? '') === from) {
    // Files that an earlier move left to check out are part of the way.
    state.setFact(pendingCheckoutFact, pendingCheckout({ state }) ?? (from === '' ? nothing : from));
    state.advance('portable', to, [], []);
  }
  state.setFact(moveFact, '');
};

const nothing = 'nothing';

/** The commit from which on the files may not be checked out yet: `nothing` when there was none, undefined when all are. */
export const pendingCheckout = ({ state }: Pick<Store, 'state'>): string | undefined => {
  const fact = state.fact(pendingCheckoutFact);
  return fact === undefined || fact === '' ? undefined : fact;
};

export const checkoutFrom = (pending: string): string | undefined => (pending === nothing ? undefined : pending);

export const checkoutIsDone = ({ state }: Pick<Store, 'state'>): void => {
  if (pendingCheckout({ state }) !== undefined) state.setFact(pendingCheckoutFact, '');
};
