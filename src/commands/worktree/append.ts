/** Appends decided events: commits, checks files out, updates the index, moves the checkpoint. */

import { isDenied } from '../../events/environment-faults.js';
import type { FileChange, KnownEvent } from '../../events/event.js';
import type { ImportedChange, Journal } from '../../events/journal.js';
import type { LoggedEvent } from '../../events/logged-event.js';
import { blobIdOf } from '../../events/note/blob-id.js';
import type { BlobId, JournalName } from '../../events/note/note.js';
import { formatMessage, parseMessage } from '../../events/trailers.js';
import type { CheckedOutFile } from '../../events/worktree/working-tree.js';
import { putNoteFile, removeNoteFile } from '../../events/worktree/working-tree.js';
import { replaceableAt } from './replaceable.js';
import { type Store, toPathChange } from './write-store.js';

export type DecidedCommit = {
  readonly event: KnownEvent;
  readonly epochMs: number;
  readonly changes: readonly FileChange[];
  /** Another head that the commit joins with its parent. */
  readonly joins?: string | undefined;
  /** Changes of files that aren't notes: they are committed, and not checked out. */
  readonly others?: readonly ImportedChange[] | undefined;
};

export type AppendResult = {
  /** Commit ids in the order of the events. */
  readonly commits: readonly string[];
  /** Paths that a person edited in the meantime: they were left alone, and reconciling has to run again. */
  readonly contested: readonly string[];
  /** The error, if the machine denied updating the files and the index. The next command that writes finishes it. */
  readonly unfinished: unknown;
};

/** The result of reconciling that is recorded along with an event. */
export type Alongside = {
  /** The head that was reconciled. */
  readonly head: string | undefined;
  /** A person's versions, by path, that the event records. */
  readonly takenIn: ReadonlyMap<string, BlobId>;
  /** Rows stored together with the checkpoint: after a kill both are old. */
  readonly put: readonly CheckedOutFile[];
  readonly removed: readonly string[];
};

/**
 * Leaves files that may not be replaced (see `replaceableAt`) and the checkpoint with them. Returns 'moved' if the
 * branch moved since reconciling: the checkpoint must not skip a person's commit that was not examined.
 */
export const appendEvents = async (
  store: Store,
  name: JournalName,
  decided: readonly DecidedCommit[],
  alongside: Alongside = { ...nothingAlongside, head: store.state.checkout(name) },
): Promise<AppendResult | 'moved'> => {
  const journal = store.journals[name];
  const parent = journal.head();
  // If the journal was lost and starts over, the checkpoint says nothing about it.
  if (parent !== undefined && parent !== alongside.head) return 'moved';
  const messages = decided.map(({ event }) => formatMessage(event));
  const newCommits = decided.map(({ epochMs, changes, joins, others = [] }, at) => ({
    message: messages[at] ?? '',
    machine: store.machine,
    epochMs,
    joins,
    changes: [...changes, ...others],
  }));
  store.step('commit');
  const commits = await journal.append(newCommits, parent);
  if (commits === 'moved') return 'moved';
  const head = commits.at(-1);
  if (head === undefined) return { commits, contested: [], unfinished: undefined };
  try {
    const contested = await project(store, journal, decided, { messages, commits, head, parent }, alongside);
    return { commits, contested, unfinished: undefined };
  } catch (error) {
    // The events are recorded in any case, and a command that is reported as failed would be repeated.
    if (!isDenied(error)) throw error;
    return { commits, contested: [], unfinished: error };
  }
};

const nothingAlongside = { takenIn: new Map<string, BlobId>(), put: [], removed: [] };

type Committed = {
  readonly messages: readonly string[];
  readonly commits: readonly string[];
  readonly head: string;
  readonly parent: string | undefined;
};

/** Updates the files, the index and the checkpoint. Returns the contested paths. */
const project = async (
  store: Store,
  journal: Journal,
  decided: readonly DecidedCommit[],
  { messages, commits, head, parent }: Committed,
  alongside: Alongside,
): Promise<readonly string[]> => {
  const { name } = journal;
  const final = new Map<string, Buffer | undefined>();
  for (const { changes } of decided) for (const { path, bytes } of changes) final.set(path, bytes);
  const put = [...alongside.put];
  const removed = [...alongside.removed];
  const contested: string[] = [];
  for (const [path, bytes] of final) {
    store.step('put');
    const expected = alongside.takenIn.get(path) ?? replaceableAt(store, name, path);
    if (bytes === undefined) {
      if (removeNoteFile(journal.folder, path, expected) === 'removed') removed.push(path);
      else contested.push(path);
    } else {
      const row = putNoteFile(journal.folder, path, bytes, expected);
      if (row === 'changed') contested.push(path);
      else put.push(row);
    }
  }

  const blobs = new Map<BlobId, Buffer>();
  const changes = [...final].map(([path, bytes]) => {
    const after = bytes === undefined ? undefined : blobIdOf(bytes, head);
    if (after !== undefined && bytes !== undefined) blobs.set(after, bytes);
    return toPathChange(path, store.lookup.blobAt(name, path), after);
  });
  const own: LoggedEvent[] = decided.map(({ event }, at) => ({
    // Parsed from the message as a later reader would, so that the index learns the same as in a replay.
    event: parseMessage(messages[at] ?? '') ?? event,
    commit: commits[at] ?? '',
    parents: [at === 0 ? parent : commits[at - 1]].filter((one) => one !== undefined),
    foreign: false,
    malformed: false,
  }));
  // A head that was joined brings its commits.
  const isPlain = decided.every(({ joins }) => joins === undefined);
  const events = isPlain ? own : await journal.events(parent, head, true);
  store.step('index');
  await store.lookup.record({ journal: name, from: parent, to: head, changes, bytes: blobs, events });
  store.step('checkpoint');
  store.state.advance(name, contested.length === 0 ? head : undefined, put, removed);
  store.step('done');
  return contested;
};
