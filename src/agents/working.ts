/**
 * The background worker: carries out what hooks left in the spool, and captures sessions that were killed before they
 * could leave anything. One runs at a time; hooks start it, but only so that work is done soon.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { CaptureSource } from '../commands/source-keys.js';
import { projectOfFolder } from '../config/project.js';
import type { Config } from '../config/settings.js';
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
import { captureTranscript } from './capturing.js';
import {
  readItems,
  removeItem,
  removeLeftovers,
  type SpoolEvent,
  type SpooledItem,
  type SpoolItem,
} from './hooks/spool.js';
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
    // Items queued after the last check, by a hook that saw this worker running.
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
  const models = openModels(memory.settings.home, { ...around, state, log: memory.log });
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
    wordedBy?: Models,
  ): Promise<void> => {
    const asked = { transcript, source, agent, userHome, compactSummary: summary };
    const done = await captureTranscript(memory, state, asked, wordedBy);
    if (done.status === 'refused') problem(`capture of ${transcript}`, done.refusal.message);
    else if (done.status === 'trivial') counts.trivial += 1;
    else if (done.answer.status === 'recorded') counts.captured += 1;
  };

  /** Where the transcript is now; undefined if it is nowhere, which is remembered, and looked for again each time. */
  const locate = (path: string, session: string): string | undefined => {
    const found = locateTranscript({ path, session }, around.claudeHome);
    if (found === undefined) {
      // A session that was started and given no prompt has no transcript, and misses none.
      if (!state.isServed(session)) state.expectTranscript(path, session, nowMs());
    } else if (found !== path) state.moveTranscript(path, found);
    return found;
  };

  /** Makes one capture for all items of a transcript. */
  const captureItems = async (items: readonly SpoolItem[]): Promise<void> => {
    const last = items.at(-1);
    if (last === undefined || !config.capture) return;
    const ended = items.some(({ event }) => event === 'SessionEnd');
    const source = ended ? 'session-end' : (sourceOfEvent[last.event] ?? 'manual');
    // Masked again: an older version may have left an item that was not masked as a whole.
    const summary = maskText(items.find(({ event }) => event === 'PostCompact')?.text ?? '');
    await capture(last.transcript, source, last.client, summary, ended ? models : undefined);
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
    const learned = await learnFromSession(memory, state, asked, { models, nowMs });
    counts.learned += learned.written;
    counts.proposed += learned.proposed;
    counts.confirmed += learned.confirmed;
  };

  return {
    /** Carries out captures before exchanges: a judge may be slow, and the next session must not wait for it. */
    async drainSpool(): Promise<void> {
      // A failed item stays for the next worker; one that is queued again meanwhile counts as a new item.
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
        const found = locate(transcript ?? '', session ?? '');
        const carryOut = kind === 'capture' ? captureItems : learnItems;
        const here = mine.map(({ item }) => ({ ...item, transcript: found ?? '' }));
        const done = found === undefined || (await attempt(`session ${session}`, () => carryOut(here)));
        for (const one of mine) {
          seen.add(JSON.stringify(one));
          if (done) removeItem(spool, one);
        }
      }
    },

    /** Captures sessions whose end no hook reported: their transcripts have bytes that no capture has read. */
    async catchUp(): Promise<void> {
      if (!config.capture) return;
      for (const { path: expected, session, bytes, size } of state.transcripts()) {
        // A captured transcript that is gone was cleaned up; its note stays.
        const path = bytes === 0 ? locate(expected, session) : expected;
        if (path === undefined || isGone(path)) continue;
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
        // An unreachable remote is not a problem of the worker; `status` reports it.
        const { pulled, pushed } = await syncStore(memory, { background: true, environment: around.environment });
        counts.pulled += pulled;
        counts.pushed += pushed;
      });
    },

    async calibrate(): Promise<void> {
      await attempt('measuring recall thresholds', () => calibrateIfDue(memory));
    },

    /** Only if someone has searched by meaning before, or an embedding server is configured. */
    async indexMeanings(): Promise<void> {
      const { home, embedding } = memory.settings;
      if (embedding === undefined && !hasVectors(join(home, 'index'))) return;
      await attempt('making the vectors of notes', async () => {
        const { makeVectors } = await import('../store/making-vectors.js');
        const made = await makeVectors(memory);
        const failed = 'code' in made ? made : made.problem;
        if (failed !== undefined) memory.log(`worker: making the vectors of notes: ${failed.message}`);
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
