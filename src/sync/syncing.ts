/** Syncs for a person, an agent or the background: one at a time, and never blocking a write. */
import { join } from 'node:path';
import type { SyncAnswer } from '../answers/machines-schema.js';
import { adoptChanges } from '../commands/worktree/changed-files.js';
import type { NoteId } from '../events/note/note.js';
import { quoteTitle } from '../events/note/quoted-text.js';
import { formatTime } from '../events/time.js';
import { isRefusal } from '../files/settings-file.js';
import { describePurgedAndBack, purgedAndBack } from '../projections/history/gone-notes.js';
import { filesOfNote } from '../projections/index/query.js';
import { shortNoteIds } from '../projections/short-ids.js';
import { openLock, type WriteLock } from '../state/lock.js';
import { forgetSync, readTrouble, writeLastSync, writeTrouble } from '../state/sync-state.js';
import type { Memory } from '../store/memory.js';
import { findRemote, type Remote } from './remote.js';
import type { SyncResult } from './sync.js';

export type SyncOptions = {
  /** Skip a remote that recently did not answer, and do not wait for another sync. */
  readonly background?: boolean | undefined;
  /** A person at a terminal may be asked for a passphrase. */
  readonly interactive?: boolean | undefined;
  readonly seed?: boolean | undefined;
  /** Take a rewritten remote. */
  readonly acceptRewrite?: boolean | undefined;
  /** With it: keep nothing of the old history. */
  readonly dropOld?: boolean | undefined;
  readonly environment?: NodeJS.ProcessEnv | undefined;
  /** Aborts the contact with the remote; what came by then stays. */
  readonly signal?: AbortSignal | undefined;
};

export type { SyncAnswer };

type SyncOutcome = SyncAnswer['outcome'];
type ReturnedNote = SyncAnswer['returned'][number];

/** How long a person's sync waits for one that is under way. */
const busyWaitMs = 120_000;

/** Never throws because of the remote: that is the answer's `trouble`. Records as trouble what it throws, too. */
export const syncStore = async (memory: Memory, options: SyncOptions = {}): Promise<SyncAnswer> => {
  await memory.initialise();
  const store = await memory.store();
  const remote = findRemote(memory, options.environment);
  const quiet = (outcome: SyncOutcome, detail: string): SyncAnswer => ({
    ...nothing,
    outcome,
    detail,
    head: memory.journals.portable.head() ?? null,
  });
  if (remote !== undefined && isRefusal(remote)) return { ...quiet('refused', remote.message), trouble: remote };
  const waiting = readTrouble(store.state);
  if (options.background === true && waiting !== undefined && store.nowMs() < waiting.nextAtMs && remote !== undefined)
    return quiet('waiting', waiting.message);
  const lock = openLock(join(memory.settings.home, 'sync.db'));
  try {
    if (!(await takeLock(lock, options.background === true)))
      return quiet('busy', 'another process is syncing this store');
    try {
      await adoptChanges(store, memory.exclusively);
      if (remote === undefined) return quiet('local-only', 'recorded here; this store has no remote');
      return await syncWith(memory, remote, options);
    } catch (error) {
      // A sync that was told to stop fails for that reason, which is not worth recording.
      if (remote !== undefined && options.signal?.aborted !== true)
        await (await import('./sync-failure.js')).keepFailure(memory, remote, error);
      throw error;
    } finally {
      lock.release();
    }
  } finally {
    lock.close();
  }
};

const nothing = {
  pushed: 0,
  pulled: 0,
  conflicted: 0,
  merged: 0,
  indexed: 0,
  purged: [],
  returned: [],
  trouble: null,
} as const;

const takeLock = async (lock: WriteLock, background: boolean): Promise<boolean> => {
  if (background) return lock.tryAcquire();
  await lock.acquire(busyWaitMs);
  return true;
};

const syncWith = async (memory: Memory, remote: Remote, options: SyncOptions): Promise<SyncAnswer> => {
  const { exchange } = await import('./sync.js');
  const { openGitTransport } = await import('../events/git/remote/git-transport.js');
  const { openPurgeExchange } = await import('../purge/publishing-purge.js');
  const store = await memory.store();
  const { folders } = memory.journals.portable;
  const network = { interactive: options.interactive === true, signal: options.signal };
  await noticeNewRemote(memory, remote);
  const synced = await exchange({
    store,
    transport: openGitTransport(folders, remote.url, network),
    exclusively: memory.exclusively,
    seed: options.seed === true,
    acceptRewrite: options.acceptRewrite === true,
    purges: openPurgeExchange(memory, remote, network),
  });
  // What only the old history holds of a purged note is the person's to look at first.
  if (options.dropOld === true && synced.trouble === undefined && synced.purged.length === 0) {
    const { dropOld } = await import('../purge/cleaning.js');
    await dropOld(memory);
    return answerFor(memory, remote, { ...synced, rescued: undefined });
  }
  return answerFor(memory, remote, synced);
};

const answerFor = async (memory: Memory, remote: Remote, synced: SyncResult): Promise<SyncAnswer> => {
  const { state, nowMs } = await memory.store();
  const { trouble, head = null, merged, conflicted, ...events } = synced;
  const returned = await readReturned(memory, synced.returned);
  const counts = { ...events, merged: merged.length, conflicted: conflicted.length, returned };
  const back = describePurgedAndBack(await memory.liveIndex.ask(purgedAndBack));
  const noticed = [
    ...(back === undefined ? [] : [back]),
    ...(returned.length === 0 ? [] : [describeReturned(returned)]),
  ];
  const at = formatTime(nowMs());
  if (trouble === undefined) {
    const detail = [describe(synced, remote), ...noticed].join('; ');
    writeLastSync(state, { at, head, detail });
    return { ...counts, outcome: 'synced', head, detail, trouble: null };
  }
  const { code, message, next } = trouble;
  writeTrouble(state, trouble, nowMs(), at);
  memory.log(`sync: ${code}: ${message}`);
  const told = [...changesOf(synced), ...noticed, message].join('; ');
  return { ...counts, outcome: outcomeOf(code), head, detail: told, trouble: { code, message, next } };
};

const readReturned = async ({ liveIndex }: Memory, ids: readonly NoteId[]): Promise<readonly ReturnedNote[]> =>
  ids.length === 0
    ? []
    : liveIndex.ask((database) => {
        const shortIds = shortNoteIds(database, ids);
        return ids.map((id) => ({
          id,
          short_id: shortIds.get(id) ?? id,
          title: filesOfNote(database, id)[0]?.title ?? '',
        }));
      });

const maxNamed = 3;

const describeReturned = (returned: readonly ReturnedNote[]): string => {
  const named = returned.slice(0, maxNamed).map(({ short_id, title }) => `${short_id} (${quoteTitle(title)})`);
  const more = returned.length > maxNamed ? ` and ${returned.length - maxNamed} more` : '';
  const were = returned.length === 1 ? 'was' : 'were';
  return `forgotten on one machine but edited on another, ${named.join(', ')}${more} ${were} kept; to forget one: anamnesis forget ${returned[0]?.short_id}`;
};

/** What the last sync with another address said is no news of this one. */
const noticeNewRemote = async (memory: Memory, { shown }: Remote): Promise<void> => {
  const { state } = await memory.store();
  const before = state.fact(remoteFact);
  if (before === shown) return;
  if (before !== undefined && before !== '') forgetSync(state);
  state.setFact(remoteFact, shown);
};

const remoteFact = 'sync:remote';

const outcomeOf = (code: string): SyncOutcome => {
  if (code === 'offline' || code === 'auth' || code === 'failed') return code;
  return code === 'missing' ? 'offline' : 'refused';
};

const changesOf = ({ pulled, pushed, merged, conflicted, purged, rescued }: SyncResult): readonly string[] => [
  ...(rescued === undefined ? [] : [`our previous head is kept as ${rescued}`]),
  ...(purged.length === 0
    ? []
    : [
        `a purge elsewhere replaced ${purged.join(', ')}, and what was changed there on this machine is only in that head: anamnesis show ${purged[0]} --at ${rescued}; to drop it: anamnesis sync --drop-old`,
      ]),
  ...(pulled + pushed > 0 ? [describeExchanged(pulled, pushed)] : []),
  ...(merged.length > 0 ? [`${merged.length} ${merged.length === 1 ? 'note was' : 'notes were'} merged`] : []),
  ...(conflicted.length > 0
    ? [`${conflicted.length} ${conflicted.length === 1 ? 'text clashes' : 'texts clash'}: anamnesis conflicts`]
    : []),
];

/** `pulled 214 events, pushed 3` */
const describeExchanged = (pulled: number, pushed: number): string => {
  const events = (count: number): string => `${count} ${count === 1 ? 'event' : 'events'}`;
  if (pulled === 0) return `pushed ${events(pushed)}`;
  return pushed === 0 ? `pulled ${events(pulled)}` : `pulled ${events(pulled)}, pushed ${pushed}`;
};

const describe = (synced: SyncResult, { shown }: Remote): string => {
  const changes = changesOf(synced);
  return changes.length === 0 ? `the same as ${shown}` : changes.join('; ');
};
