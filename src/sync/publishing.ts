/** Publishing to a remote: the branch, and the mark that tells the other machines what this one has. */
import type { Store } from '../commands/worktree/write-store.js';
import { markRef, writeMark } from '../events/git/remote/machine-marks.js';
import { formatTime } from '../events/time.js';
import { type PushOutcome, type RemoteRefs, type Transport, TransportError } from '../events/transport.js';
import { fetchChecked } from './remote-head.js';

export type Publishing = { readonly store: Store; readonly transport: Transport };

/** Pushes the branch and this machine's mark together. */
export const publish = async ({ store, transport }: Publishing, head: string): Promise<PushOutcome> => {
  const { folders } = store.journals.portable;
  const mark = await writeMark(folders, { machine: store.machine, head, at: formatTime(store.nowMs()) });
  store.step('sync:push');
  const outcome = await transport.push([
    { from: head, to: 'refs/heads/main' },
    { from: mark, to: markRef(store.machine) },
  ]);
  store.step('sync:pushed');
  return outcome;
};

/** Asks the remote after a push, whose own answer doesn't prove that it arrived. False if others pushed since. */
export const isThere = async ({ store, transport }: Publishing, head: string): Promise<boolean> => {
  const { main } = await transport.refs();
  if (main === head) return true;
  if (main === undefined) throw notThere(transport.shown);
  const incoming = await fetchChecked(store, transport);
  if (incoming === undefined || !(await store.journals.portable.contains(incoming.commit, head)))
    throw notThere(transport.shown);
  return false;
};

export const locked = (shown: string): TransportError =>
  new TransportError(
    'refused',
    `the main branch of ${shown} is locked: a git process holds it there, or was killed`,
    'when no git is running there, remove refs/heads/main.lock in that repository; the next sync tries again',
  );

const notThere = (shown: string): TransportError =>
  new TransportError(
    'damaged',
    `${shown} accepted the push, but does not have the commits`,
    'check that repository: its disk, its hooks, and who else writes to it; the next sync tries again',
  );

/** Publishes only our mark, if it is out of date: it says that we have seen everything. */
export const publishMark = async ({ store, transport }: Publishing, refs: RemoteRefs): Promise<void> => {
  const { folders } = store.journals.portable;
  const head = store.journals.portable.head();
  if (head === undefined || refs.main === undefined || store.state.fact(markFact) === head) return;
  const mark = await writeMark(folders, { machine: store.machine, head, at: formatTime(store.nowMs()) });
  try {
    await transport.push([{ from: mark, to: markRef(store.machine) }]);
  } catch (error) {
    // A remote may accept only branches; the mark is a courtesy to the other machines.
    if (!(error instanceof TransportError)) throw error;
    store.log(`sync: the mark of this machine was not accepted: ${error.message}`);
  }
  noteMarked(store, head);
};

/** The head that this machine's mark on the remote names. */
const markFact = 'sync-mark';

/** Records that the mark on the remote names this head. */
export const noteMarked = ({ state }: Store, head: string): void => state.setFact(markFact, head);
