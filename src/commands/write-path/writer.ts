/**
 * Carries the commands of one process to the journal. Commands given together share a commit call, even across
 * processes: a process that finds the lock taken puts its commands in a queue, and the holder of the lock carries out
 * all that wait, including those of a killed process.
 */
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDenied } from '../../events/environment-faults.js';
import type { Stamp } from '../../events/event.js';
import { type JournalName, journalNames } from '../../events/note/note.js';
import { clearSetAside } from '../../events/worktree/replace-file.js';
import { describeError } from '../../state/environment-probe.js';
import type { State } from '../../state/state.js';
import type { Command } from '../handlers.js';
import { watchedMs } from '../worktree/late-saves.js';
import { type Reconciled, type ReconcileOptions, reconcile } from '../worktree/reconcile.js';
import { isBusy, needsRepack, refreshGitIndex, removeLeftovers, repackJournal } from '../worktree/upkeep.js';
import type { Store } from '../worktree/write-store.js';
import type { Job, Outcome } from './perform.js';
import { formatState, parseState } from './state-json.js';
import { lockTimeout, refuseFailed, stillQueued } from './writer-faults.js';

export type Writer = {
  /** Resolves when the event is durable. The stamp's event id also names the command in the queue. */
  perform(command: Command, stamp: Stamp): Promise<Outcome>;
  /** Adopts what a person did to the files of both journals. */
  adopt(deletions: ReconcileOptions['deletions']): Promise<Readonly<Record<JournalName, Reconciled>>>;
  /** Runs something that must not overlap with a write. */
  exclusively<Answer>(run: () => Promise<Answer>): Promise<Answer>;
  /** Waits for running work, and leaves git's own index as a person expects it. */
  close(): Promise<void>;
};

type Pending = Job & {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
  /** When it is given up, by `performance.now()`, a clock that can't be set. */
  readonly deadlineMs: number;
  queued: boolean;
};

const maxPerBatch = 500;
const lockTimeoutMs = 120_000;
/** Pause between two checks of the queue and the lock. */
const pollMs = 1;
/** As long as other processes take to read their answers and send more; a batch takes five times as long. */
const gatherMs = 4;
const refreshDelayMs = 150;

export const openWriter = (store: Store): Writer => {
  const home = dirname(store.journals.portable.folder);
  let pending: Pending[] = [];
  let draining: Promise<void> | undefined;
  let refreshTimer: NodeJS.Timeout | undefined;
  /** Others were writing a moment ago: a short wait before a batch lets them join it. */
  let contended = false;
  let closing = false;

  /** Carries out our own and queued commands. Requires the lock. */
  const runBatch = async (): Promise<void> => {
    if (contended) await sleep(gatherMs);
    const waiting = store.state.waiting(maxPerBatch);
    const waitingIds = new Set(waiting.map(({ id }) => id));
    takeAnswers(waitingIds);
    const mine = pending.slice(0, maxPerBatch);
    const myIds = new Set(mine.map(({ stamp }) => stamp.eventId));
    const others = waiting.filter(({ id }) => !myIds.has(id) && !pending.some(({ stamp }) => stamp.eventId === id));
    contended = others.length > 0;
    if (others.length + mine.length === 0) return;
    // Loads all commands, the YAML parser and the masking of secrets, which a process that only reads does without.
    const { performAll } = await import('./perform.js');
    if (others.length > 0) {
      const jobs = others.map(({ payload }) => parseState<Job>(payload));
      const outcomes = await performAll(store, [...jobs, ...mine]).catch(() => undefined);
      if (outcomes !== undefined) {
        store.step('answer');
        leaveAnswers(others.map(({ id }, at) => ({ id, answer: JSON.stringify(outcomes[at]) })));
        settleMine(mine, outcomes.slice(others.length));
        return;
      }
      // One of them fails: each is tried alone, so that it stops neither ours nor the next batch.
      for (const [at, job] of jobs.entries()) {
        const outcome = await performAll(store, [job]).then(([only]) => only, refuseFailed(store));
        // Without an answer it stays queued, as its process may know; one that still waits takes the lock itself.
        if (outcome !== undefined) leaveAnswers([{ id: others[at]?.id ?? '', answer: JSON.stringify(outcome) }]);
      }
    }
    if (mine.length === 0) return;
    try {
      settleMine(mine, await performAll(store, mine));
    } catch (error) {
      pending = pending.filter((job) => !mine.includes(job));
      rejectAll(mine, error);
    }
  };

  const settleMine = (mine: readonly Pending[], outcomes: readonly Outcome[]): void => {
    takeOut(mine);
    pending = pending.filter((job) => !mine.includes(job));
    mine.forEach((job, at) => {
      const outcome = outcomes[at];
      if (outcome !== undefined) job.resolve(outcome);
    });
  };

  /** Takes jobs out of the queue. False if that failed: the next process to read it finds them done, or does them. */
  const takeOut = (jobs: readonly Pending[]): boolean => {
    const queued = jobs.filter((job) => job.queued).map(({ stamp }) => stamp.eventId);
    return queued.length === 0 || unlessDenied(() => store.state.dequeue(queued));
  };

  const rejectAll = (jobs: readonly Pending[], error: unknown): void => {
    const areOut = takeOut(jobs);
    for (const job of jobs) job.reject(areOut || !job.queued ? error : stillQueued(error, home));
  };

  /** A process that gets no answer takes the lock itself, and finds its command done. */
  const leaveAnswers = (answers: Parameters<State['answer']>[0]): void => {
    unlessDenied(() => store.state.answer(answers));
  };

  /** A recorded command is answered even if the disk is full. */
  const unlessDenied = (run: () => void): boolean => {
    try {
      run();
      return true;
    } catch (error) {
      if (!isDenied(error)) throw error;
      store.log(`the queue could not be written: ${describeError(error, home)}`);
      return false;
    }
  };

  /** Fetches the answers that another process left for our commands; skips commands that still wait. */
  const takeAnswers = (waitingIds?: ReadonlySet<string>): void => {
    for (const job of pending) {
      if (!job.queued || waitingIds?.has(job.stamp.eventId) === true) continue;
      const answer = store.state.takeAnswer(job.stamp.eventId);
      if (answer === undefined) continue;
      pending = pending.filter((other) => other !== job);
      job.resolve(JSON.parse(answer));
    }
  };

  /** A command that is given up is also taken out of the queue, so that no process carries it out later. */
  const giveUpLate = (): void => {
    const nowMs = performance.now();
    const late = pending.filter(({ deadlineMs }) => nowMs > deadlineMs);
    if (late.length === 0) return;
    store.state.dequeue(late.map(({ stamp }) => stamp.eventId));
    pending = pending.filter((job) => !late.includes(job));
    for (const job of late) job.reject(lockTimeout());
  };

  const drain = async (): Promise<void> => {
    while (pending.length > 0) {
      // Lets a process that waits for the lock alone, as a sync does, go first: it would get it only by chance.
      if (!store.lock.isWanted() && store.lock.tryAcquire()) {
        try {
          await runBatch();
        } finally {
          store.lock.release();
        }
        scheduleRefresh();
        continue;
      }
      for (const job of pending) {
        // An import is too large for the queue: it waits for the lock itself.
        if (job.queued || job.command.kind === 'import') continue;
        const { command, stamp } = job;
        store.state.enqueue({ id: stamp.eventId, payload: formatState({ command, stamp }) });
        job.queued = true;
        contended = true;
      }
      await sleep(pollMs + Math.random() * 2 * pollMs);
      takeAnswers();
      giveUpLate();
    }
  };

  const startDraining = (): void => {
    draining ??= drain().finally(() => {
      draining = undefined;
      if (pending.length > 0) startDraining();
    });
    draining.catch((error: unknown) => {
      const failed = pending;
      pending = [];
      rejectAll(failed, error);
    });
  };

  const logFailed = (error: unknown): void => {
    store.log(`upkeep failed: ${describeError(error, home)}`);
  };

  const refresh = async (): Promise<void> => {
    clearTimeout(refreshTimer);
    refreshTimer = undefined;
    let held = false;
    try {
      // Upkeep must not delay a write: it runs when nothing is written, and on closing, unless others are writing.
      const goesOn = closing ? contended : isBusy(store, refreshDelayMs);
      held = !goesOn && store.lock.tryAcquire();
      if (!held) {
        if (!closing) scheduleRefresh();
        return;
      }
      // A killed process may have left commands, and no other writer may come.
      if (store.state.waiting(1).length > 0) {
        await runBatch();
        contended = false;
      }
      store.state.dropOldAnswers(Date.now());
      // A person's git may be running in one journal and make a step fail there that the others do not need.
      for (const step of upkeepSteps) {
        for (const name of journalNames) {
          await step(store, name).catch((error: unknown) => logFailed(error));
        }
      }
    } catch (error) {
      logFailed(error);
    } finally {
      if (held) store.lock.release();
    }
  };

  /** Git's own index is updated once writing pauses: at 100,000 notes that takes longer than the write itself. */
  const scheduleRefresh = (): void => {
    clearTimeout(refreshTimer);
    refreshTimer = setTimeout(() => {
      refreshing = refresh();
    }, refreshDelayMs);
    refreshTimer.unref();
  };
  let refreshing: Promise<void> | undefined;

  const exclusively = async <Answer>(run: () => Promise<Answer>): Promise<Answer> => {
    await draining?.catch(() => undefined);
    await refreshing;
    await store.lock.acquire(lockTimeoutMs);
    try {
      return await run();
    } finally {
      store.lock.release();
      scheduleRefresh();
    }
  };

  return {
    perform: (command, stamp) =>
      new Promise((resolve, reject) => {
        pending.push({ command, stamp, resolve, reject, deadlineMs: performance.now() + lockTimeoutMs, queued: false });
        // One turn of the event loop, so that commands given together share a batch.
        setImmediate(startDraining);
      }),
    adopt: (deletions) =>
      exclusively(async () => ({
        portable: await reconcile(store, 'portable', { look: 'all', deletions }),
        local: await reconcile(store, 'local', { look: 'all', deletions }),
      })),
    exclusively,
    async close() {
      closing = true;
      await draining?.catch(() => undefined);
      await refreshing;
      if (refreshTimer !== undefined) await refresh();
    },
  };
};

const upkeepSteps: readonly ((store: Store, name: JournalName) => Promise<void>)[] = [
  async (store, name) => {
    const written = clearSetAside(store.journals[name].folder, watchedMs);
    if (written.length > 0) await reconcile(store, name, { look: [], deletions: 'hold' });
  },
  async (store, name) => removeLeftovers(store, name),
  refreshGitIndex,
  async (store, name) => {
    if (needsRepack(store, name)) await repackJournal(store, name);
  },
];
