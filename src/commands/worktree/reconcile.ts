/** Finishes what a crash interrupted, takes in others' commits and a person's edits. Runs under the write lock. */

import { Fault } from '../../events/faults.js';
import type { GitJournal } from '../../events/git/git-journal.js';
import type { JournalName } from '../../events/note/note.js';
import { clearSetAside } from '../../events/worktree/replace-file.js';
import { readFileBases } from './file-bases.js';
import type { LeftFile } from './hand-edits.js';
import { checkoutIsDone, finishMove } from './move-progress.js';
import { knownCheckout } from './reconciling/lost-checkout.js';
import { nothingReconciled, type Once, type Reconciled, type ReconcileOptions } from './reconciling/reconciled.js';
import { bringBackSaves, keptAside } from './saved-late.js';
import { keepUnseenLeft } from './unseen-versions.js';
import { noteForeignCommits } from './upkeep.js';
import { gatherWhole } from './whole-tree.js';
import type { Store } from './write-store.js';

export type { Reconciled, ReconcileOptions };

const rounds = 8;

export const reconcile = async (store: Store, name: JournalName, options: ReconcileOptions): Promise<Reconciled> => {
  const journal = store.journals[name];
  if (name === 'portable') finishMove(store);
  let result = nothingReconciled;
  let look = options.look;
  for (let round = 0; round < rounds; round += 1) {
    const head = journal.head();
    await store.lookup.catchUp(journal);
    if (head === undefined && look !== 'all' && look.length === 0) return result;
    const checkout = await knownCheckout(store.state, journal, head);
    if (checkout === undefined && store.state.checkout(name) !== undefined) store.state.forgetCheckout(name);
    const leftBehind = name === 'portable' ? store.lookup.unfinishedMoves() : [];
    const saved = head === undefined ? [] : await bringBackSaves(store, journal);
    const noticed = look === 'all' ? [] : [...look, ...leftBehind, ...saved, ...store.state.touched(name)];
    if (look !== 'all' && noticed.length === 0 && checkout === head) return result;
    const unclean = await endedUncleanly(journal, checkout, head);
    const wanted = look === 'all' || checkout === undefined || unclean ? 'all' : noticed;
    const after = await reconcileOnce(store, journal, head, checkout, wanted, leftBehind, options);
    store.state.untouch(name, noticed);
    lookAgain(store, name, after.left);
    result = {
      event: after.event ?? result.event,
      merged: [...result.merged, ...after.merged],
      masked: [...result.masked, ...after.masked],
      left: after.left,
      heldDeletions: after.heldDeletions,
      heldReplaced: after.heldReplaced,
      putBack: [...result.putBack, ...after.putBack],
    };
    if (!after.again) {
      if (name === 'portable' && wanted === 'all') checkoutIsDone(store);
      return result;
    }
    look = after.contested;
  }
  throw new Fault(
    'lock-timeout',
    `files in ${journal.folder} kept changing while they were taken in`,
    'wait until the other program is done with them, then repeat the command',
  );
};

/** True if the working tree lacks an event of ours: its writer was killed, and a person may have edited since. */
const endedUncleanly = async (
  journal: GitJournal,
  checkout: string | undefined,
  head: string | undefined,
): Promise<boolean> => {
  if (checkout === undefined || head === undefined || checkout === head) return false;
  return (await journal.events(checkout, head)).some(({ foreign }) => !foreign);
};

const reconcileOnce = async (
  store: Store,
  journal: GitJournal,
  head: string | undefined,
  checkout: string | undefined,
  look: ReconcileOptions['look'],
  leftBehind: readonly string[],
  options: ReconcileOptions,
): Promise<Once> => {
  const { name } = journal;
  const events =
    head === undefined || checkout === undefined || checkout === head ? [] : await journal.events(checkout, head);
  const foreign = events.filter((event) => event.foreign || event.commit === head).map(({ commit }) => commit);
  noteForeignCommits(store, name, checkout === undefined && head !== undefined ? [head] : foreign);
  const fileBases = await readFileBases(store, journal, head, checkout, events);
  const whole = look === 'all' ? await gatherWhole(store, journal, head, checkout, fileBases.baseOf, true) : undefined;
  const isAsItWas =
    whole !== undefined &&
    fileBases.judge(whole.candidates).length + fileBases.putBack.length + events.length + leftBehind.length === 0;
  if (isAsItWas) {
    store.step('checkpoint');
    if (checkout !== head) store.state.advance(name, head, [], []);
    keepUnseenLeft(store, journal, new Map());
    return { ...nothingReconciled, left: whole.left, again: false, contested: [] };
  }
  // Loads the YAML parser and the masking of secrets, which takes longer than examining a store.
  const { reconcileFiles } = await import('./reconciling/reconcile-files.js');
  const looked = { head, checkout, events, fileBases, whole };
  return reconcileFiles(store, journal, looked, look, leftBehind, options, (wanted) =>
    reconcileOnce(store, journal, head, checkout, wanted, leftBehind, options),
  );
};

/**
 * Marks files that were left to be examined again, because a person keeps working on them. Only files of notes are
 * watched: there may be any number of others.
 */
const lookAgain = (store: Store, name: JournalName, left: readonly LeftFile[]): void => {
  const known = left.filter(({ path }) => store.state.checkedOut(name, path) !== undefined);
  for (const { path } of known.slice(0, maxLookedAtAgain)) store.state.touch(name, path);
};
const maxLookedAtAgain = 20;

/** Adopts what was saved into files after they had been replaced. */
export const reconcileSaves = async (store: Store, name: JournalName): Promise<void> => {
  const written = clearSetAside(store.journals[name].folder, keptAside);
  if (written.length > 0) await reconcile(store, name, { look: [], deletions: 'hold' });
};
