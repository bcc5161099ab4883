/**
 * Carries commands to the journal. Commands given together share a commit call, across processes too: one that finds
 * the lock taken queues its commands, and the holder carries out all that wait.
 */
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDenied } from '../../events/environment-faults.js';
import type { Stamp } from '../../events/event.js';
import { type JournalName, journalNames } from '../../events/note/note.js';
import { clearSetAside } from '../../events/worktree/replace-file.js';
import { describeError } from '../../state/environment-probe.js';
import type { QueuedCommand } from '../../state/state.js';
import type { Command } from '../handlers.js';
import { type ReconcileOptions, type ReconcileResult, reconcile, watchedMs } from '../worktree/reconcile.js';
import { isBusy, needsRepack, refreshGitIndex, removeLeftovers, repackJournal } from '../worktree/upkeep.js';
import type { Store } from '../worktree/write-store.js';
import type { Job, Outcome } from './perform.js';
import { lockTimeout, refuseFailed, stillQueued } from './writer-faults.js';

type PendingJob = Job & {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
  /** When it is given up, by `performance.now()`, a clock that can't be set. */
  readonly deadlineMs: number;
  queued: boolean;
};

const maxPerBatch = 500;
const lockTimeoutMs = 120_000;
const pollMs = 1;
/** As long as other processes take to read their answers and send more; a batch takes five times as long. */
const gatherMs = 4;
const refreshDelayMs = 150;

export class Writer {
  readonly #store: Store;
  readonly #home: string;
  #pending: readonly PendingJob[] = [];
  #draining: Promise<void> | undefined;
  #refreshing: Promise<void> | undefined;
  #refreshTimer: NodeJS.Timeout | undefined;
  /** Others were writing a moment ago: a short wait before a batch lets them join it. */
  #isContended = false;
  #isClosing = false;

  constructor(store: Store) {
    this.#store = store;
    this.#home = dirname(store.journals.portable.folder);
  }

  /** Resolves when the event is durable. The stamp's event id also names the command in the queue. */
  perform(command: Command, stamp: Stamp): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const deadlineMs = performance.now() + lockTimeoutMs;
      this.#pending = [...this.#pending, { command, stamp, resolve, reject, deadlineMs, queued: false }];
      // One turn of the event loop, so that commands given together share a batch.
      setImmediate(() => this.#startDraining());
    });
  }

  adopt(deletions: ReconcileOptions['deletions']): Promise<Readonly<Record<JournalName, ReconcileResult>>> {
    return this.exclusively(async () => ({
      portable: await reconcile(this.#store, 'portable', { look: 'all', deletions }),
      local: await reconcile(this.#store, 'local', { look: 'all', deletions }),
    }));
  }

  /** Runs something that must not overlap with a write. */
  async exclusively<Answer>(run: () => Promise<Answer>): Promise<Answer> {
    await this.#draining?.catch(() => undefined);
    await this.#refreshing;
    await this.#store.lock.acquire(lockTimeoutMs);
    try {
      return await run();
    } finally {
      this.#store.lock.release();
      this.#scheduleRefresh();
    }
  }

  /** Waits for running work, and leaves git's own index as a person expects it. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#draining?.catch(() => undefined);
    await this.#refreshing;
    if (this.#refreshTimer !== undefined) await this.#refresh();
  }

  #startDraining(): void {
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = undefined;
      if (this.#pending.length > 0) this.#startDraining();
    });
    this.#draining.catch((error: unknown) => this.#fail(this.#pending, error));
  }

  async #drain(): Promise<void> {
    const { lock } = this.#store;
    while (this.#pending.length > 0) {
      // Lets a process that waits for the lock alone, as a sync does, go first: it would get it only by chance.
      if (!lock.isWanted() && lock.tryAcquire()) {
        try {
          await this.#runBatch();
        } finally {
          lock.release();
        }
        this.#scheduleRefresh();
        continue;
      }
      this.#enqueue();
      await sleep(pollMs + Math.random() * 2 * pollMs);
      this.#takeAnswers();
      this.#giveUpLate();
    }
  }

  /** An import is too large for the queue: it waits for the lock itself. */
  #enqueue(): void {
    for (const job of this.#pending) {
      if (job.queued || job.command.kind === 'import') continue;
      const { command, stamp } = job;
      this.#store.state.enqueue({ id: stamp.eventId, payload: JSON.stringify({ command, stamp }) });
      job.queued = true;
      this.#isContended = true;
    }
  }

  /** Carries out our own and queued commands. Requires the lock. */
  async #runBatch(): Promise<void> {
    if (this.#isContended) await sleep(gatherMs);
    const waiting = this.#store.state.waiting(maxPerBatch);
    this.#takeAnswers(new Set(waiting.map(({ id }) => id)));
    const mine = this.#pending.slice(0, maxPerBatch);
    const own = new Set(this.#pending.map(({ stamp }) => stamp.eventId));
    const others = waiting.filter(({ id }) => !own.has(id));
    this.#isContended = others.length > 0;
    if (others.length > 0 && (await this.#performOthers(others, mine))) return;
    if (mine.length === 0) return;
    // Loads all commands, the YAML parser and the masking of secrets, which a process that only reads does without.
    const { performAll } = await import('./perform.js');
    try {
      this.#settle(mine, await performAll(this.#store, mine));
    } catch (error) {
      this.#fail(mine, error);
    }
  }

  /** True if ours were carried out with them. If one fails, each is tried alone, so that it stops no other. */
  async #performOthers(others: readonly QueuedCommand[], mine: readonly PendingJob[]): Promise<boolean> {
    const { performAll } = await import('./perform.js');
    const jobs = others.map(({ payload }): Job => JSON.parse(payload));
    const outcomes = await performAll(this.#store, [...jobs, ...mine]).catch(() => undefined);
    if (outcomes !== undefined) {
      this.#store.step('answer');
      this.#answer(others.map(({ id }, at) => ({ id, answer: JSON.stringify(outcomes[at]) })));
      this.#settle(mine, outcomes.slice(others.length));
      return true;
    }
    for (const [at, job] of jobs.entries()) {
      const outcome = await performAll(this.#store, [job]).then(([only]) => only, refuseFailed(this.#store));
      // Without an answer it stays queued, as its process may know; one that still waits takes the lock itself.
      if (outcome !== undefined) this.#answer([{ id: others[at]?.id ?? '', answer: JSON.stringify(outcome) }]);
    }
    return false;
  }

  /** A process that gets no answer takes the lock itself, and finds its command done. */
  #answer(answers: readonly { readonly id: string; readonly answer: string }[]): void {
    this.#unlessDenied(() => this.#store.state.answer(answers));
  }

  #settle(mine: readonly PendingJob[], outcomes: readonly Outcome[]): void {
    this.#takeOut(mine);
    for (const [at, job] of mine.entries()) {
      const outcome = outcomes[at];
      if (outcome !== undefined) job.resolve(outcome);
    }
  }

  #fail(jobs: readonly PendingJob[], error: unknown): void {
    const areOut = this.#takeOut(jobs);
    for (const job of jobs) job.reject(areOut || !job.queued ? error : stillQueued(error, this.#home));
  }

  /** False if they are still in the queue: the next process to read it finds them done, or does them. */
  #takeOut(jobs: readonly PendingJob[]): boolean {
    this.#pending = this.#pending.filter((job) => !jobs.includes(job));
    const queued = jobs.filter((job) => job.queued).map(({ stamp }) => stamp.eventId);
    return queued.length === 0 || this.#unlessDenied(() => this.#store.state.dequeue(queued));
  }

  /** A recorded command is answered even if the disk is full. */
  #unlessDenied(run: () => void): boolean {
    try {
      run();
      return true;
    } catch (error) {
      if (!isDenied(error)) throw error;
      this.#store.log(`the queue could not be written: ${describeError(error, this.#home)}`);
      return false;
    }
  }

  /** Fetches the answers that another process left for our commands; skips commands that still wait. */
  #takeAnswers(waiting?: ReadonlySet<string>): void {
    for (const job of this.#pending) {
      if (!job.queued || waiting?.has(job.stamp.eventId) === true) continue;
      const answer = this.#store.state.takeAnswer(job.stamp.eventId);
      if (answer === undefined) continue;
      this.#pending = this.#pending.filter((other) => other !== job);
      job.resolve(JSON.parse(answer));
    }
  }

  /** A command that is given up is also taken out of the queue, so that no process carries it out later. */
  #giveUpLate(): void {
    const nowMs = performance.now();
    const late = this.#pending.filter(({ deadlineMs }) => nowMs > deadlineMs);
    if (late.length === 0) return;
    this.#store.state.dequeue(late.map(({ stamp }) => stamp.eventId));
    this.#pending = this.#pending.filter((job) => !late.includes(job));
    for (const job of late) job.reject(lockTimeout());
  }

  /** Git's own index is updated once writing pauses: at 100,000 notes that takes longer than the write itself. */
  #scheduleRefresh(): void {
    clearTimeout(this.#refreshTimer);
    this.#refreshTimer = setTimeout(() => {
      this.#refreshing = this.#refresh();
    }, refreshDelayMs);
    this.#refreshTimer.unref();
  }

  /** Upkeep must not delay a write: it runs when nothing is written, and on closing, unless others are writing. */
  async #refresh(): Promise<void> {
    clearTimeout(this.#refreshTimer);
    this.#refreshTimer = undefined;
    const { lock } = this.#store;
    let isHeld = false;
    try {
      const goesOn = this.#isClosing ? this.#isContended : isBusy(this.#store, refreshDelayMs);
      isHeld = !goesOn && lock.tryAcquire();
      if (isHeld) await this.#keepUp();
      else if (!this.#isClosing) this.#scheduleRefresh();
    } catch (error) {
      this.#logFailed(error);
    } finally {
      if (isHeld) lock.release();
    }
  }

  async #keepUp(): Promise<void> {
    // A killed process may have left commands, and no other writer may come.
    if (this.#store.state.waiting(1).length > 0) {
      await this.#runBatch();
      this.#isContended = false;
    }
    this.#store.state.dropOldAnswers(Date.now());
    // A person's git may be running in one journal and make a step fail there that the others do not need.
    for (const step of upkeepSteps)
      for (const name of journalNames) await step(this.#store, name).catch((error: unknown) => this.#logFailed(error));
  }

  #logFailed(error: unknown): void {
    this.#store.log(`upkeep failed: ${describeError(error, this.#home)}`);
  }
}

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
