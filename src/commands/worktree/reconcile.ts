/** Brings a journal and its files together by the table of classify-file.ts. Runs under the write lock. */

import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Fault } from '../../events/faults.js';
import type { GitJournal } from '../../events/git/git-journal.js';
import type { Journal } from '../../events/journal.js';
import type { JournalName } from '../../events/note/note.js';
import { clearSetAside, exchangeFile, moveIfFree } from '../../events/worktree/replace-file.js';
import { readNoteFile, unseenRow } from '../../events/worktree/working-tree.js';
import { readBaseSource } from './foreign-commits.js';
import { checkoutIsDone, finishMove } from './move-progress.js';
import { type FollowedBranch, followBranch } from './persons-git.js';
import {
  idsSplitFact,
  type JournalHeads,
  nothingReconciled,
  type ReconcileOptions,
  type ReconcileResult,
  type Round,
} from './reconciled.js';
import type { LeftFile } from './sort-files.js';
import { knownCheckout, surveyPaths, surveyTree } from './survey.js';
import type { Store } from './write-store.js';

export type { ReconcileOptions, ReconcileResult };

const rounds = 8;

export const reconcile = async (
  store: Store,
  name: JournalName,
  options: ReconcileOptions,
): Promise<ReconcileResult> => {
  const journal = store.journals[name];
  if (name === 'portable') finishMove(store);
  let result = nothingReconciled;
  let look = options.look;
  let undone: FollowedBranch['undone'];
  for (let round = 0; round < rounds; round += 1) {
    const followed = await followBranch(store, journal);
    const { head } = followed;
    undone = followed.undone ?? undone;
    await store.lookup.catchUp(journal);
    if (head === undefined && look !== 'all' && look.length === 0) return result;
    if (name === 'portable' && round === 0) await splitSharedIds(store);
    const checkout = await knownCheckout(store.state, journal, head);
    if (checkout === undefined && store.state.checkout(name) !== undefined) store.state.forgetCheckout(name);
    const late = head === undefined ? [] : bringBackSaves(store, journal);
    const noticed = look === 'all' ? [] : [...look, ...late, ...store.state.touched(name)];
    if (look !== 'all' && noticed.length === 0 && checkout === head && undone === undefined) return result;
    const wanted = look === 'all' || checkout === undefined ? 'all' : noticed;
    const after = await reconcileOnce(store, journal, { head, checkout, undone }, wanted, options);
    store.state.untouch(name, noticed);
    lookAgain(store, name, after.left);
    result = addUp(result, after);
    if (after.event !== undefined) undone = undefined;
    if (after.again === undefined) {
      if (name === 'portable' && wanted === 'all') checkoutIsDone(store);
      return result;
    }
    look = look === 'all' && after.again.length === 0 ? look : after.again;
  }
  throw new Fault(
    'lock-timeout',
    `files in ${journal.folder} kept changing while they were taken in`,
    'wait until the other program is done with them, then repeat the command',
  );
};

/** Once for a store, whose version before may have left more than shared ids. */
const splitSharedIds = async (store: Store): Promise<void> => {
  if (store.state.fact(idsSplitFact) !== undefined && store.lookup.sharedIds(false).length === 0) return;
  const { splitIds } = await import('./split-ids.js');
  await splitIds(store, () => reconcile(store, 'local', { look: 'all', deletions: 'hold' }));
};

const addUp = (before: ReconcileResult, { again, ...after }: Round): ReconcileResult => ({
  ...after,
  event: after.event ?? before.event,
  merged: [...before.merged, ...after.merged],
  masked: [...before.masked, ...after.masked],
  putBack: [...before.putBack, ...after.putBack],
});

const reconcileOnce = async (
  store: Store,
  journal: GitJournal,
  heads: JournalHeads,
  look: ReconcileOptions['look'],
  options: ReconcileOptions,
): Promise<Round> => {
  const { head, checkout, undone } = heads;
  const survey =
    look === 'all' ? await surveyTree(store, journal, head, true) : await surveyPaths(store, journal, heads, look);
  const source = await readBaseSource(journal, heads);
  if (survey.candidates.length + source.committed.size === 0 && undone === undefined) {
    store.step('checkpoint');
    if (checkout !== head) store.state.advance(journal.name, head, [], []);
    return { ...nothingReconciled, left: survey.left, again: undefined };
  }
  // Loads the YAML parser and the masking of secrets, which takes longer than examining a store.
  const { settleFiles } = await import('./settle-files.js');
  return settleFiles(store, journal, heads, survey, source, look, options);
};

/** Marks files to be examined again, because a person keeps working on them; of notes only, others may be many. */
const lookAgain = (store: Store, name: JournalName, left: readonly LeftFile[]): void => {
  const known = left.filter(({ path }) => store.state.checkedOut(name, path) !== undefined);
  for (const { path } of known.slice(0, maxLookedAtAgain)) store.state.touch(name, path);
};
const maxLookedAtAgain = 20;

/** A program that opens a file writes within this time. */
export const watchedMs = 2000;

/** Puts such a text back as an edit; returns the paths to examine. Needs the write lock and the index at the head. */
const bringBackSaves = (store: Store, { name, folder }: Journal): readonly string[] =>
  clearSetAside(folder, watchedMs).flatMap(({ file, path, blob }) => {
    const found = readNoteFile(folder, path, blob);
    const head = store.lookup.blobAt(name, path);
    if (found.kind === 'obstacle') return [];
    if (found.kind === 'file' && found.row.blob !== head) return [path];
    // Before the file is there: after a kill in between, the edit would otherwise revert what was recorded since.
    if (head !== undefined) store.state.advance(name, undefined, [unseenRow(path, blob)], []);
    if (found.kind === 'absent') {
      mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
      moveIfFree(file, join(folder, path));
    } else exchangeFile(folder, path, found.row.blob, { file, blob: undefined });
    return [path];
  });
