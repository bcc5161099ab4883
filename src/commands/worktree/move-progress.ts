/** Records how far a sync moved the store: until files follow the branch, they must not look like a person's. */
import { pendingCheckoutFact } from '../../state/state.js';
import type { Store } from './write-store.js';

const moveFact = 'sync-move';

/** Called before the branch moves. */
export const announceMove = ({ state }: Store, from: string | undefined, to: string): void => {
  state.setFact(moveFact, `${from ?? ''} ${to}`);
};

/** W becomes the new head at once; files that match their rows get its versions later. Requires the write lock. */
export const finishMove = ({ state, journals }: Store): void => {
  const [from = '', to = ''] = state.fact(moveFact)?.split(' ') ?? [];
  if (to === '') return;
  const checkout = state.checkout('portable');
  const head = journals.portable.head();
  // Otherwise it was killed before the branch moved, or after everything but clearing the fact.
  if (head === to && (checkout ?? '') === from) {
    // Includes files that an earlier move has yet to check out.
    state.setFact(pendingCheckoutFact, pendingCheckout({ state }) ?? (from === '' ? nothing : from));
    state.advance('portable', to, [], []);
  }
  state.setFact(moveFact, '');
};

const nothing = 'nothing';

/** The commit since which files may not be checked out: `nothing` if there was none, undefined if all files are. */
export const pendingCheckout = ({ state }: Pick<Store, 'state'>): string | undefined => {
  const fact = state.fact(pendingCheckoutFact);
  return fact === undefined || fact === '' ? undefined : fact;
};

export const checkoutFrom = (pending: string): string | undefined => (pending === nothing ? undefined : pending);

export const checkoutIsDone = ({ state }: Pick<Store, 'state'>): void => {
  if (pendingCheckout({ state }) !== undefined) state.setFact(pendingCheckoutFact, '');
};
