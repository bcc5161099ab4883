/** The background worker, one at a time: carries out the spool, and captures sessions that were killed. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { CaptureSource } from '../commands/source-keys.js';
import { projectOfFolder } from '../config/project.js';
import type { Config } from '../config/settings.js';
import { maskText } from '../events/note/mask-text.js';
import { importNative } from '../import/import-items.js';
import { compactIfDue } from '../maintenance/compacting.js';
import { type AgentState, openAgentState } from '../state/agent-state.js';
import { describeError } from '../state/environment-probe.js';
import { openLock } from '../state/lock.js';
import { hasVectors } from '../state/vector-file.js';
import type { Memory } from '../store/memory.js';
import { calibrateIfDue } from '../store/models/prompt-model.js';
import { syncStore } from '../sync/syncing.js';
import { type CaptureRequest, captureTranscript } from './capturing.js';
import { readItems, removeItem, type SpoolEvent, type SpooledItem, type SpoolItem } from './hooks/spool.js';
import { learnFromSession } from './learning.js';
import { type Models, openModels } from './models.js';
import { isGone, locateTranscript } from './transcript-files.js';

export type WorkSurroundings = {
  readonly config: Config;
  readonly environment: NodeJS.ProcessEnv;
  readonly userHome: string;
  readonly claudeHome: string;
  readonly nowMs: () => number;
};

export type WorkReport = {
  /** Another worker is running, and will also see what was just left. */
  readonly busy: boolean;
  readonly captured: number;
  readonly trivial: number;
  readonly learned: number;
  readonly proposed: number;
  readonly confirmed: number;
  readonly imported: number;
  /** Numbers of events received from other machines, and sent to them. */
  readonly pulled: number;
  readonly pushed: number;
  readonly problems: readonly string[];
};

/** Sessions and judged exchanges not seen for this long are forgotten; their notes stay. */
const forgetAfterMs = 90 * 24 * 3_600_000;

export const work = async (memory: Memory, around: WorkSurroundings): Promise<WorkReport> => {
  const { home } = memory.settings;
  await memory.initialise();
  const lock = openLock(join(home, 'worker.db'));
  const state = openAgentState(join(home, 'agents.db'));
  const worker = new Worker(memory, state, around);
  try {
    if (!lock.tryAcquire()) return { ...worker.report(), busy: true };
    try {
      await worker.drainSpool();
      await worker.catchUp();
      await worker.keepHouse();
      state.forgetBefore(around.nowMs() - forgetAfterMs);
    } finally {
      lock.release();
    }
    // Items queued after the last check, by a hook that saw this worker running.
    if (lock.tryAcquire()) {
      await worker.drainSpool();
      lock.release();
    }
    return worker.report();
  } finally {
    state.close();
    lock.close();
  }
};

class Worker {
  readonly #memory: Memory;
  readonly #state: AgentState;
  readonly #around: WorkSurroundings;
  readonly #models: Models;
  readonly #spool: string;
  readonly #problems: string[] = [];
  readonly #counts = {
    captured: 0,
    trivial: 0,
    learned: 0,
    proposed: 0,
    confirmed: 0,
    imported: 0,
    pulled: 0,
    pushed: 0,
  };

  constructor(memory: Memory, state: AgentState, around: WorkSurroundings) {
    const { home } = memory.settings;
    this.#memory = memory;
    this.#state = state;
    this.#around = around;
    this.#models = openModels(home, { ...around, state, log: memory.log });
    this.#spool = join(home, 'spool');
  }

  report(): WorkReport {
    return { busy: false, ...this.#counts, problems: this.#problems };
  }

  /** Carries out captures before exchanges: a judge may be slow, and the next session must not wait for it. */
  async drainSpool(): Promise<void> {
    // A failed item stays for the next worker; one that is queued again meanwhile counts as a new item.
    const seen = new Set<string>();
    const named = new Set<string>();
    const waiting = (): readonly SpooledItem[] =>
      readItems(this.#spool, (file, message) => {
        if (!named.has(file)) this.#problem(file, message);
        named.add(file);
      }).filter((one) => !seen.has(JSON.stringify(one)));
    for (let items = waiting(); items.length > 0; items = waiting()) {
      const next = (items.find(({ item }) => item.kind === 'capture') ?? items[0])?.item;
      const isNext = ({ item }: SpooledItem): boolean =>
        item.kind === next?.kind && item.session === next.session && item.transcript === next.transcript;
      const mine = items.filter(isNext);
      const isDone = await this.#carryOut(mine.map(({ item }) => item));
      for (const one of mine) {
        seen.add(JSON.stringify(one));
        if (isDone) removeItem(this.#spool, one);
      }
    }
  }

  /** Captures sessions whose end no hook reported: their transcripts have bytes that no capture has read. */
  async catchUp(): Promise<void> {
    if (!this.#around.config.capture) return;
    for (const { path: expected, session, bytes, size } of this.#state.transcripts()) {
      // A captured transcript that is gone was cleaned up; its note stays.
      const path = bytes === 0 ? this.#locate(expected, session) : expected;
      if (path === undefined || isGone(path)) continue;
      await this.#attempt(`capture of ${path}`, async () => {
        if (statSync(path).size !== size) await this.#capture({ transcript: path, source: 'catch-up' });
      });
    }
  }

  /** Everything else that nobody should have to wait for. A step that fails doesn't stop the others. */
  async keepHouse(): Promise<void> {
    const { config, environment } = this.#around;
    const memory = this.#memory;
    if (config.importNative) await this.#attempt('import of native memory', () => this.#importNative());
    await this.#attempt('adoption of hand edits', () => memory.adopt('hold'));
    if (config.sync) {
      await this.#attempt('sync', async () => {
        // An unreachable remote is not a problem of the worker; `status` reports it.
        const { pulled, pushed } = await syncStore(memory, { background: true, environment });
        this.#counts.pulled += pulled;
        this.#counts.pushed += pushed;
      });
    }
    await this.#attempt('measuring recall thresholds', () => calibrateIfDue(memory));
    await this.#attempt('making the vectors of notes', () => this.#indexMeanings());
    await this.#attempt('compacting', () => compactIfDue(memory));
  }

  /** Carries out all items of one kind and one transcript; false if they have to be tried again. */
  async #carryOut(items: readonly SpoolItem[]): Promise<boolean> {
    const [first] = items;
    const transcript = first === undefined ? undefined : this.#locate(first.transcript, first.session);
    // A session without a transcript is dropped here and recorded as missing.
    if (first === undefined || transcript === undefined) return true;
    return this.#attempt(`session ${first.session}`, () =>
      first.kind === 'capture' ? this.#captureItems(transcript, items) : this.#learnItems(transcript, items),
    );
  }

  async #captureItems(transcript: string, items: readonly SpoolItem[]): Promise<void> {
    const last = items.at(-1);
    if (last === undefined || !this.#around.config.capture) return;
    const hasEnded = items.some(({ event }) => event === 'SessionEnd');
    await this.#capture({
      transcript,
      source: hasEnded ? 'session-end' : (sourceOfEvent[last.event] ?? 'manual'),
      agent: last.client,
      // Masked again: an older version may have left an item that was not masked as a whole.
      compactSummary: maskText(items.find(({ event }) => event === 'PostCompact')?.text ?? ''),
      models: hasEnded ? this.#models : undefined,
    });
  }

  async #learnItems(transcript: string, items: readonly SpoolItem[]): Promise<void> {
    const newest = items.toSorted((one, other) => one.size - other.size).at(-1);
    const { config, userHome, nowMs } = this.#around;
    if (newest === undefined || !config.learn) return;
    const { session, cwd, client, text, size } = newest;
    const { trustedProjects } = this.#memory.settings;
    const project = projectOfFolder(cwd === '' ? userHome : cwd, userHome, trustedProjects);
    const queued = items.length;
    const asked = { session, transcript, project, agent: client, queued, size, lastReply: maskText(text) };
    const learned = await learnFromSession(this.#memory, this.#state, asked, { models: this.#models, nowMs });
    this.#counts.learned += learned.written;
    this.#counts.proposed += learned.proposed;
    this.#counts.confirmed += learned.confirmed;
  }

  async #capture(asked: Omit<CaptureRequest, 'userHome'>): Promise<void> {
    const done = await captureTranscript(this.#memory, this.#state, { ...asked, userHome: this.#around.userHome });
    if (done.status === 'refused') this.#problem(`capture of ${asked.transcript}`, done.refusal.message);
    else if (done.status === 'trivial') this.#counts.trivial += 1;
    else if (done.answer.status === 'recorded') this.#counts.captured += 1;
  }

  /** Where the transcript is now; undefined if it is nowhere, which is remembered, and looked for again each time. */
  #locate(path: string, session: string): string | undefined {
    const found = locateTranscript({ path, session }, this.#around.claudeHome);
    if (found === undefined) {
      // A session that was started and given no prompt has no transcript, and misses none.
      if (!this.#state.isServed(session)) this.#state.expectTranscript(path, session, this.#around.nowMs());
    } else if (found !== path) this.#state.moveTranscript(path, found);
    return found;
  }

  async #importNative(): Promise<void> {
    const { claudeHome, userHome, config } = this.#around;
    const asked = { isUnasked: true, claudeHome, userHome, claudeMd: config.importClaudeMd };
    const { answer, problems } = await importNative(this.#memory, asked);
    if (answer.status !== 'refused')
      this.#counts.imported += (answer.counts?.imported ?? 0) + (answer.counts?.updated ?? 0);
    for (const { where, message } of problems) this.#memory.log(`worker: ${where}: ${message}`);
  }

  /** Only if someone has searched by meaning before, or an embedding server is configured. */
  async #indexMeanings(): Promise<void> {
    const { home, embedding } = this.#memory.settings;
    if (embedding === undefined && !hasVectors(join(home, 'index'))) return;
    const { makeVectors } = await import('../store/models/making-vectors.js');
    const made = await makeVectors(this.#memory);
    const failed = 'code' in made ? made : made.problem;
    if (failed !== undefined) this.#memory.log(`worker: making the vectors of notes: ${failed.message}`);
  }

  async #attempt(what: string, run: () => Promise<unknown>): Promise<boolean> {
    try {
      await run();
      return true;
    } catch (error) {
      this.#problem(what, error);
      return false;
    }
  }

  #problem(what: string, error: unknown): void {
    const line = maskText(`${what}: ${describeError(error, this.#memory.settings.home)}`);
    this.#problems.push(line);
    this.#memory.log(`worker: ${line}`);
  }
}

const sourceOfEvent: Readonly<Partial<Record<SpoolEvent, CaptureSource>>> = {
  SessionEnd: 'session-end',
  PreCompact: 'pre-compact',
  PostCompact: 'post-compact',
  SubagentStop: 'subagent',
};
