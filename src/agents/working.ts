/**
 * The background worker: carries out what hooks left in the spool, and catches up with what was killed before it could
 * leave anything. One at a time; started by hooks, never needed for anything but being soon.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { CaptureSource } from '../commands/source-keys.js';
import { projectOfFolder } from '../config/project.js';
import type { Config } from '../config/settings.js';
import { codeOf } from '../events/error-code.js';
import { maskText } from '../events/note/mask-text.js';
import { importNative } from '../import/importing-native.js';
import { compactIfDue } from '../maintenance/compacting.js';
import { type AgentState, openAgentState } from '../state/agent-state.js';
import { describeError } from '../state/environment-probe.js';
import { openLock } from '../state/lock.js';
import { hasVectors } from '../state/vector-file.js';
import { calibrateIfDue } from '../store/calibrating.js';
import type { Memory } from '../store/memory.js';
import { syncStore } from '../sync/syncing.js';
import { captureTranscript, type Summarise } from './capturing.js';
import {
  readItems,
  removeItem,
  removeLeftovers,
  type SpoolEvent,
  type SpooledItem,
  type SpoolItem,
} from './hooks/spool.js';
import { learnFromSession } from './learning.js';
import { openModels } from './models.js';
import { summariseWith } from './summarising.js';

export type WorkSurroundings = {
  readonly config: Config;
  readonly environment: NodeJS.ProcessEnv;
  readonly userHome: string;
  readonly claudeHome: string;
  readonly nowMs: () => number;
};

export type WorkReport = {
  /** Another worker is at it, and will see what was just left too. */
  readonly busy: boolean;
  readonly captured: number;
  readonly trivial: number;
  readonly learned: number;
  readonly proposed: number;
  readonly confirmed: number;
  readonly imported: number;
  /** Events that came from other machines, and that went to them. */
  readonly pulled: number;
  readonly pushed: number;
  readonly problems: readonly string[];
};

/** Sessions and judged exchanges that were not heard of for so long are forgotten; their notes stay. */
const forgetAfterMs = 90 * 24 * 3_600_000;

export const work = async (memory: Memory, around: WorkSurroundings): Promise<WorkReport> => {
  const { home } = memory.settings;
  await memory.initialise();
  const lock = openLock(join(home, 'worker.db'));
  const state = openAgentState(join(home, 'agents.db'));
  try {
    if (!lock.tryAcquire()) return { ...nothing, busy: true };
    const run = openRun(memory, state, around);
    try {
      await run.drainSpool();
      await run.catchUp();
      await run.importNative();
      await run.adopt();
      await run.sync();
      await run.calibrate();
      await run.indexMeanings();
      await run.compact();
      state.forgetBefore(around.nowMs() - forgetAfterMs);
      removeLeftovers(join(home, 'spool'), around.nowMs());
    } finally {
      lock.release();
    }
    // Items queued after the last look, by a hook that saw this worker running.
    if (lock.tryAcquire()) {
      await run.drainSpool();
      lock.release();
    }
    return run.report();
  } finally {
    state.close();
    lock.close();
  }
};

const nothing: WorkReport = {
  busy: false,
  captured: 0,
  trivial: 0,
  learned: 0,
  proposed: 0,
  confirmed: 0,
  imported: 0,
  pulled: 0,
  pushed: 0,
  problems: [],
};

const openRun = (memory: Memory, state: AgentState, around: WorkSurroundings) => {
  const { config, userHome, nowMs } = around;
  const spool = join(memory.settings.home, 'spool');
  const models = openModels(memory.settings.home, state, around);
  const problems: string[] = [];
  const counts = { captured: 0, trivial: 0, learned: 0, proposed: 0, confirmed: 0, imported: 0, pulled: 0, pushed: 0 };
  const problem = (what: string, error: unknown): void => {
    const line = maskText(`${what}: ${describeError(error, memory.settings.home)}`);
    problems.push(line);
    memory.log(`worker: ${line}`);
  };
  const attempt = async (what: string, run: () => Promise<void>): Promise<boolean> => {
    try {
      await run();
      return true;
    } catch (error) {
      problem(what, error);
      return false;
    }
  };

  const capture = async (
    transcript: string,
    source: CaptureSource,
    agent: string | undefined,
    summary: string,
    summarise?: Summarise,
  ): Promise<void> => {
    const asked = { transcript, source, agent, userHome, compactSummary: summary };
    const done = await captureTranscript(memory, state, asked, summarise);
    if (done.status === 'refused') problem(`capture of ${transcript}`, done.refusal.message);
    else if (done.status === 'trivial') counts.trivial += 1;
    else if (done.answer.status === 'recorded') counts.captured += 1;
  };

  /** One capture for all that was left about a transcript. */
  const captureItems = async (items: readonly SpoolItem[]): Promise<void> => {
    const last = items.at(-1);
    if (last === undefined || !config.capture) return;
    const ended = items.some(({ event }) => event === 'SessionEnd');
    const source = ended ? 'session-end' : (sourceOfEvent[last.event] ?? 'manual');
    // Masked again: an item may be from before texts were masked as a whole.
    const summary = maskText(items.find(({ event }) => event === 'PostCompact')?.text ?? '');
    const summarise = ended ? summariseWith(models, memory.log) : undefined;
    await capture(last.transcript, source, last.client, summary, summarise);
  };

  const learnItems = async (items: readonly SpoolItem[]): Promise<void> => {
    const newest = items.toSorted((one, other) => one.size - other.size).at(-1);
    if (newest === undefined || !config.learn) return;
    const { session, transcript, cwd, client, text, size } = newest;
    const project = projectOfFolder(cwd === '' ? userHome : cwd, userHome, memory.settings.trustedProjects);
    const asked = {
      session,
      transcript,
      project,
      agent: client,
      queued: items.length,
      size,
      lastReply: maskText(text),
    };
    const learned = await learnFromSession(memory, state, asked, { models, nowMs, log: memory.log });
    counts.learned += learned.written;
    counts.proposed += learned.proposed;
    counts.confirmed += learned.confirmed;
  };

  return {
    /** Captures before exchanges: a judge may take its time, and the next session waits for no judge. */
    async drainSpool(): Promise<void> {
      // A failed item stays for the next worker; one queued again meanwhile is another item.
      const seen = new Set<string>();
      const named = new Set<string>();
      const waiting = (): readonly SpooledItem[] =>
        readItems(spool, (file, message) => {
          if (!named.has(file)) problem(file, message);
          named.add(file);
        }).filter((one) => !seen.has(JSON.stringify(one)));
      for (let items = waiting(); items.length > 0; items = waiting()) {
        const { kind, session, transcript } =
          (items.find(({ item }) => item.kind === 'capture') ?? items[0])?.item ?? {};
        const mine = items.filter(
          ({ item }) => item.kind === kind && item.session === session && item.transcript === transcript,
        );
        const gone = isGone(transcript ?? '');
        const carryOut = kind === 'capture' ? captureItems : learnItems;
        const done = gone || (await attempt(`session ${session}`, () => carryOut(mine.map(({ item }) => item))));
        for (const one of mine) {
          seen.add(JSON.stringify(one));
          if (done) removeItem(spool, one);
        }
      }
    },

    /** Sessions whose end nobody told us of: their transcripts have bytes that no capture has read. */
    async catchUp(): Promise<void> {
      if (!config.capture) return;
      for (const { path, size } of state.transcripts()) {
        if (isGone(path)) continue;
        await attempt(`capture of ${path}`, async () => {
          if (statSync(path).size !== size) await capture(path, 'catch-up', undefined, '');
        });
      }
    },

    async importNative(): Promise<void> {
      if (!config.importNative) return;
      const { claudeHome } = around;
      await attempt('import of native memory', async () => {
        const { answer, problems: found } = await importNative(memory, {
          isUnasked: true,
          claudeHome,
          userHome,
          claudeMd: config.importClaudeMd,
        });
        if (answer.status !== 'refused')
          counts.imported += (answer.counts?.imported ?? 0) + (answer.counts?.updated ?? 0);
        for (const { where, message } of found) memory.log(`worker: ${where}: ${message}`);
      });
    },

    async adopt(): Promise<void> {
      await attempt('adoption of hand edits', async () => {
        await memory.adopt('hold');
      });
    },

    async sync(): Promise<void> {
      if (!config.sync) return;
      await attempt('sync', async () => {
        // An unreachable remote is no problem of the worker's; `status` tells of it.
        const { pulled, pushed } = await syncStore(memory, { background: true, environment: around.environment });
        counts.pulled += pulled;
        counts.pushed += pushed;
      });
    },

    async calibrate(): Promise<void> {
      await attempt('measuring what a prompt is shown', () => calibrateIfDue(memory));
    },

    /** Where somebody has searched by meaning before, or a server is in use. */
    async indexMeanings(): Promise<void> {
      const { home, embedding } = memory.settings;
      if (embedding === undefined && !hasVectors(join(home, 'index'))) return;
      await attempt('computing what notes mean', async () => {
        const { makeVectors } = await import('../store/making-vectors.js');
        const made = await makeVectors(memory);
        const failed = 'code' in made ? made : made.problem;
        if (failed !== undefined) memory.log(`worker: computing what notes mean: ${failed.message}`);
      });
    },

    async compact(): Promise<void> {
      await attempt('compacting', async () => {
        await compactIfDue(memory, nowMs());
      });
    },

    report: (): WorkReport => ({ busy: false, ...counts, problems }),
  };
};

const sourceOfEvent: Readonly<Partial<Record<SpoolEvent, CaptureSource>>> = {
  SessionEnd: 'session-end',
  PreCompact: 'pre-compact',
  PostCompact: 'post-compact',
  SubagentStop: 'subagent',
};

/** Whether nothing will ever be read there; of a file that can't be looked at now, its next reading says so. */
const isGone = (path: string): boolean => {
  try {
    return !statSync(path).isFile();
  } catch (error) {
    return goneCodes.includes(codeOf(error));
  }
};
/** The last is for a path with a NUL. */
const goneCodes = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'];
