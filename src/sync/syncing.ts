/** Syncs for a person, an agent or the background: one at a time, and never blocking a write. */
import { join } from 'node:path';
import { adoptChanges } from '../commands/worktree/changed-files.js';
import { forgetAccepted } from '../events/git/branch.js';
import type { NoteId } from '../events/note/note.js';
import { formatTime } from '../events/time.js';
import { isRefusal } from '../files/settings-file.js';
import { describePurgedAndBack, purgedAndBack } from '../projections/history/purged.js';
import { inBothScopes } from '../projections/index/query.js';
import { openLock, type WriteLock } from '../state/lock.js';
import type { State } from '../state/state.js';
import {
  describeMaskedIn,
  forgetSync,
  readMaskedIn,
  readTrouble,
  type SecretPlace,
  writeLastSync,
  writeMaskedIn,
  writeTrouble,
} from '../state/sync-state.js';
import type { Memory } from '../store/memory.js';
import { findRemote, type Remote } from './remote.js';
import { describeReturned, findReturned, type ReturnedNote } from './returned.js';
import type { Synced } from './sync.js';

export type SyncOptions = {
  /** Skip a remote that recently did not answer, and do not wait for another sync. */
  readonly background?: boolean | undefined;
  /** A person at a terminal may be asked for a passphrase. */
  readonly interactive?: boolean | undefined;
  readonly seed?: boolean | undefined;
  readonly rejoin?: boolean | undefined;
  readonly environment?: NodeJS.ProcessEnv | undefined;
  /** Aborts the contact with the remote; what came by then stays. */
  readonly signal?: AbortSignal | undefined;
};

export type SyncOutcome =
  | 'synced'
  | 'local-only'
  | 'offline'
  | 'auth'
  | 'refused'
  /** Another process is syncing this store. */
  | 'busy'
  /** The background skips a remote for a while after it could not be reached. */
  | 'waiting';

/** Counts events, except that `merged` and `conflicted` count notes and `indexed` counts files. */
export type SyncAnswer = {
  readonly outcome: SyncOutcome;
  readonly pushed: number;
  readonly pulled: number;
  readonly conflicted: number;
  readonly merged: number;
  readonly head: string | null;
  readonly indexed: number;
  /** Where secrets in a person's commits were masked before they were published, also by background syncs. */
  readonly masked_in: readonly SecretPlace[];
  /** Files of machine-local notes, relative to `memory/`, that a person committed and this sync left out. */
  readonly withheld: readonly string[];
  /** Ref that keeps this machine's head from before that, or from before it rejoined a rewritten remote. */
  readonly rescued?: string | undefined;
  /** Notes that are machine-local and have a file in `memory/` too: `anamnesis conflicts` says what to do. */
  readonly in_both: readonly NoteId[];
  /** Notes that were forgotten here but changed elsewhere, and that this exchange brought back. */
  readonly returned: readonly ReturnedNote[];
  readonly detail: string;
  readonly trouble: { readonly code: string; readonly message: string; readonly next: string } | null;
};

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
  masked_in: [],
  withheld: [],
  in_both: [],
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
  const interactive = options.interactive === true;
  await noticeNewRemote(memory, remote);
  const before = memory.journals.portable.head();
  const synced = await exchange({
    store,
    transport: openGitTransport(folders, remote.url, { interactive, signal: options.signal }),
    exclusively: memory.exclusively,
    seed: options.seed === true,
    rejoin: options.rejoin === true,
    purges: openPurgeExchange(memory, remote, { interactive, signal: options.signal }),
  });
  const { trouble, head = null, maskedIn, ...events } = synced;
  const masked = noteMasked(store.state, maskedIn, options.background === true);
  const inBoth = (await memory.liveIndex.ask(inBothScopes)).map(({ id }) => id);
  const returned = await findReturned(memory, before);
  const back = describePurgedAndBack(await memory.liveIndex.ask(purgedAndBack));
  const counts = { ...events, masked_in: masked, in_both: inBoth, returned };
  const noticed = [
    ...(back === undefined ? [] : [back]),
    ...(returned.length === 0 ? [] : [describeReturned(returned)]),
    ...(masked.length === 0 ? [] : [describeMaskedIn(masked)]),
    ...(inBoth.length === 0 ? [] : [describeBoth(inBoth)]),
  ];
  const nowMs = store.nowMs();
  const at = formatTime(nowMs);
  if (trouble === undefined) {
    const detail = [describe(synced, remote), ...noticed].join('; ');
    writeLastSync(store.state, { at, head, detail });
    return { ...counts, outcome: 'synced', head, detail, trouble: null };
  }
  const { code, message, next } = trouble;
  writeTrouble(store.state, trouble, nowMs, at);
  memory.log(`sync: ${code}: ${message}`);
  const told = [...changesOf(synced), ...noticed, message].join('; ');
  return { ...counts, outcome: outcomeOf(code), head, detail: told, trouble: { code, message, next } };
};

/** Returns to a person all that was masked since they last synced, and to the background only its own. */
const noteMasked = (state: State, masked: readonly SecretPlace[], isBackground: boolean): readonly SecretPlace[] => {
  const untold = readMaskedIn(state);
  const all = [...new Map([...untold, ...masked].map((place) => [place.where, place])).values()];
  const kept = isBackground ? all : [];
  if (untold.length + kept.length > 0) writeMaskedIn(state, kept);
  return isBackground ? masked : all;
};

/** The head accepted from one remote says nothing about another, however the address was changed. */
const noticeNewRemote = async (memory: Memory, { shown }: Remote): Promise<void> => {
  const { state } = await memory.store();
  const before = state.fact(remoteFact);
  if (before === shown) return;
  if (before !== undefined && before !== '') {
    await forgetAccepted(memory.journals.portable.folders);
    forgetSync(state);
  }
  state.setFact(remoteFact, shown);
};

const remoteFact = 'sync:remote';

const outcomeOf = (code: string): SyncOutcome =>
  code === 'offline' || code === 'missing' ? 'offline' : code === 'auth' ? 'auth' : 'refused';

const changesOf = (synced: Synced): readonly string[] => {
  const { pulled, pushed, merged, conflicted, withheld, rescued } = synced;
  return [
    ...(withheld.length === 0 ? [] : [describeWithheld(withheld)]),
    ...(rescued === undefined ? [] : [`our previous head is kept as ${rescued}`]),
    ...(pulled + pushed > 0 ? [describeExchanged(pulled, pushed)] : []),
    ...(merged > 0 ? [`${merged} ${merged === 1 ? 'note was' : 'notes were'} merged`] : []),
    ...(conflicted > 0
      ? [`${conflicted} ${conflicted === 1 ? 'text clashes' : 'texts clash'}: anamnesis conflicts`]
      : []),
  ];
};

/** The rest are only in the answer itself. */
const shownWithheld = 3;

const describeWithheld = (paths: readonly string[]): string => {
  const shown = paths.slice(0, shownWithheld).map((path) => `memory/${path}`);
  const more = paths.length > shownWithheld ? ` and ${paths.length - shownWithheld} more` : '';
  const of = paths.length === 1 ? 'of a machine-local note, was' : 'of machine-local notes, were';
  return `${shown.join(', ')}${more}, ${of} left out of your commits`;
};

/** `pulled 214 events, pushed 3` */
const describeExchanged = (pulled: number, pushed: number): string => {
  const events = (count: number): string => `${count} ${count === 1 ? 'event' : 'events'}`;
  if (pulled === 0) return `pushed ${events(pushed)}`;
  return pushed === 0 ? `pulled ${events(pulled)}` : `pulled ${events(pulled)}, pushed ${pushed}`;
};

const describeBoth = ({ length }: readonly NoteId[]): string =>
  `${length === 1 ? '1 note is machine-local and has a file' : `${length} notes are machine-local and have files`} in memory/ too: anamnesis conflicts`;

const describe = (synced: Synced, { shown }: Remote): string => {
  const changes = changesOf(synced);
  return changes.length === 0 ? `the same as ${shown}` : changes.join('; ');
};
