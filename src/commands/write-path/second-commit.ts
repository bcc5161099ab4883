/**
 * Completes events in both journals, which take two commits. The content of the second is noted before the first, so
 * that after a kill between the two, the next process can make it: the Command-Id is answered as done from the first
 * commit on.
 */
import type { KnownEvent } from '../../events/event.js';
import type { BlobId, JournalName } from '../../events/note/note.js';
import { appendEvents, type DecidedCommit } from '../worktree/append.js';
import type { Store } from '../worktree/write-store.js';
import { formatState, parseState } from './state-json.js';

const fact = 'second-commit';

type Noted = {
  readonly firstId: string;
  readonly journal: JournalName;
  readonly event: KnownEvent;
  readonly epochMs: number;
  /** `before` is the version that the change was decided on; `content` is base64, null if the file is removed. */
  readonly changes: readonly {
    readonly path: string;
    readonly before: BlobId | null;
    readonly content: string | null;
  }[];
};

/**
 * Requires the write lock; called before the first commit. A move out of the portable journal is not noted: its event
 * in the local one, which only this machine writes, says what is left to do, and reconciling does it. A `Move` trailer
 * in the portable journal could be anyone's claim.
 */
export const noteSecond = (store: Store, first: DecidedCommit, journal: JournalName, second: DecidedCommit): void => {
  if ((first.event.move !== undefined && journal === 'portable') || second.changes.length > maxChanges) return;
  const noted: Noted = {
    firstId: first.event.id,
    journal,
    event: second.event,
    epochMs: second.epochMs,
    changes: second.changes.map(({ path, bytes }) => ({
      path,
      before: store.lookup.blobAt(journal, path) ?? null,
      content: bytes?.toString('base64') ?? null,
    })),
  };
  store.state.setFact(fact, formatState(noted));
};

/** A larger import is completed when its caller repeats it. */
const maxChanges = 500;

export const secondIsDone = ({ state }: Pick<Store, 'state'>): void => {
  if ((state.fact(fact) ?? '') !== '') state.setFact(fact, '');
};

/**
 * Makes the second commit if only the first was made. If a note changed in between, the event stays half done, and the
 * log says so. Returns paths to reconcile, or 'moved' if another process wrote meanwhile. Requires the write lock and
 * both journals reconciled.
 */
export const finishSecond = async (
  store: Store,
): Promise<{ readonly journal: JournalName; readonly contested: readonly string[] } | 'moved' | undefined> => {
  const text = store.state.fact(fact) ?? '';
  if (text === '') return undefined;
  const { firstId, journal, event, epochMs, changes } = parseState<Noted>(text);
  const isHalf = store.lookup.hasEvent(firstId) && !store.lookup.hasEvent(event.id);
  const moved = changes.filter(({ path, before }) => (store.lookup.blobAt(journal, path) ?? null) !== before);
  if (!isHalf || moved.length > 0) {
    if (isHalf)
      store.log(`event ${firstId} was killed halfway, and ${moved[0]?.path} changed since: it stays half done`);
    secondIsDone(store);
    return undefined;
  }
  const commit: DecidedCommit = {
    event,
    epochMs,
    changes: changes.map(({ path, content }) => ({
      journal,
      path,
      bytes: content === null ? undefined : Buffer.from(content, 'base64'),
    })),
  };
  const appended = await appendEvents(store, journal, [commit]);
  if (appended === 'moved') return 'moved';
  secondIsDone(store);
  if (appended.unfinished !== undefined) throw appended.unfinished;
  return { journal, contested: appended.contested };
};
