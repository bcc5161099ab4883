/** Checks of what the agents leave: queued work, the worker that does it, captured sessions. */
import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { listItems, readItems } from '../../agents/hooks/spool.js';
import { findTranscripts, isGone, missingForMs } from '../../agents/transcript-files.js';
import { describeModels } from '../../config/model-choice.js';
import { currentGeneration, openGeneration } from '../../projections/generation.js';
import { listEvents } from '../../projections/history/query.js';
import { openLock } from '../../state/lock.js';
import { askAgentState, passOverDamage } from '../../state/state-file.js';
import { setupFolder } from '../record.js';
import {
  type Check,
  type CheckInput,
  countOf,
  type Fix,
  nameSome,
  problem,
  spanOf,
  verdictOf,
  warning,
} from './check.js';

/** Work that waits longer is late: the worker starts at the end of each session and takes minutes at most. */
const lateMs = 3_600_000;

export const spoolCheck: Check = {
  name: 'spool',
  needs: ['store'],
  look: (examined) => {
    const folder = join(examined.home, 'spool');
    const unreadable: string[] = [];
    const items = readItems(folder, (file) => unreadable.push(join(folder, file)));
    const waitedMs = waitOf(
      examined,
      items.map(({ file }) => file),
    );
    const waiting = countOf(items.length, 'item');
    const log = join(examined.home, 'logs', 'anamnesis.log');
    return verdictOf(
      [
        unreadable.length > 0 &&
          warning(
            `${countOf(unreadable.length, 'file')} in the spool can't be read: ${nameSome(unreadable)}`,
            'remove them: no hook of this version wrote them',
          ),
        waitedMs > lateMs &&
          warning(
            `${waiting} in the spool, the oldest waiting for ${spanOf(waitedMs)}`,
            `run: anamnesis work; repeated failures are logged in ${log}`,
            { fix: carryOutWork(examined) },
          ),
      ],
      items.length === 0 ? 'nothing is waiting' : `${waiting} for the worker`,
    );
  },
};

/** Milliseconds since the oldest of these items was queued; 0 if there are none. */
const waitOf = ({ home, nowMs }: CheckInput, files: readonly string[]): number => {
  const times = files.flatMap((file) => statSync(join(home, 'spool', file), { throwIfNoEntry: false })?.mtimeMs ?? []);
  return times.length === 0 ? 0 : nowMs() - Math.min(...times);
};

/** Whether a worker holds its lock while work waits too long. */
export const workerCheck: Check = {
  name: 'worker',
  needs: ['sqlite'],
  look: async (examined) => {
    const file = join(examined.home, 'worker.db');
    if (!existsSync(file)) return undefined;
    if (isFree(file)) return 'not running';
    const waitedMs = waitOf(examined, listItems(join(examined.home, 'spool')));
    if (waitedMs <= lateMs) return 'running';
    const message = `a worker is stuck: work has waited ${spanOf(waitedMs)} while it holds its lock`;
    return [problem(message, 'look for a process `anamnesis work` and end it')];
  },
};

/** Whether the agents' sessions were captured. */
export const captureCheck: Check = {
  name: 'capture',
  needs: ['sqlite', 'store'],
  look: async (examined) => {
    if (examined.config?.capture === false) return 'turned off in the settings';
    const since = examined.nowMs() - missingForMs;
    const { known, expected } = (await askAgentState(examined, (state) => ({
      known: state.transcripts(),
      expected: state.expectedTranscripts(since),
    })).catch(passOverDamage)) ?? { known: [], expected: [] };
    const idle = examined.nowMs() - lateMs;
    const behind = known.filter(({ path, size }) => {
      const stat = statSync(path, { throwIfNoEntry: false });
      return stat?.isFile() === true && stat.size !== size && stat.mtimeMs < idle;
    });
    // A folder reached through a link has two paths, so sessions are compared by file name.
    const names = new Set(known.map(({ path }) => basename(path)));
    const missed = findSince(examined, idle).filter((path) => !names.has(basename(path)));
    const absent = expected.map(({ path }) => path).filter(isGone);
    const last = lastCapture(examined);
    return verdictOf(
      [
        absent.length > 0 &&
          warning(
            `${countOf(absent.length, 'session')} without a transcript, so not captured: ${nameSome(absent)}`,
            'each worker looks for it again; or give the file: anamnesis capture --transcript FILE',
          ),
        behind.length > 0 &&
          warning(`${countOf(behind.length, 'session')} not fully captured; ${last}`, 'run: anamnesis work', {
            fix: carryOutWork(examined),
          }),
        missed.length > 0 &&
          warning(
            `no hook ran in ${countOf(missed.length, 'session')} since init; ${last}`,
            'see the hook checks; anamnesis import transcripts imports these sessions',
          ),
      ],
      last,
    );
  },
};

export const modelsCheck: Check = {
  name: 'models',
  look: ({ config }) => (config === undefined ? undefined : describeModels(config)),
};

/** Transcripts of Claude Code that were started after its hooks were registered and have been idle for a while. */
const findSince = ({ home, claudeHome }: CheckInput, idle: number): readonly string[] => {
  const record = statSync(join(setupFolder(home), 'record.json'), { throwIfNoEntry: false });
  if (record === undefined) return [];
  return findTranscripts(join(claudeHome, 'projects'))
    .filter(({ mtimeMs }) => mtimeMs > record.mtimeMs && mtimeMs < idle)
    .map(({ path }) => path)
    .filter((path) => (statSync(path, { throwIfNoEntry: false })?.birthtimeMs ?? 0) > record.mtimeMs);
};

/** Describes this machine's last capture, as far as the index knows it. */
const lastCapture = ({ home, machine, nowMs }: CheckInput): string => {
  const file = currentGeneration(join(home, 'index'));
  if (file === undefined) return 'no session captured yet';
  let index: ReturnType<typeof openGeneration> | undefined;
  try {
    index = openGeneration(file);
    const [event] = listEvents(index, { kind: 'session.captured', machine }, 1);
    if (event === undefined) return 'no session captured yet';
    return `last capture ${event.at.slice(0, 16).replace('T', ' ')}, ${spanOf(nowMs() - Date.parse(event.at))} ago`;
  } catch {
    // The index has its own check, which reports what is wrong with it.
    return 'the last capture is not known';
  } finally {
    index?.close();
  }
};

/** Does the background worker's job in this process. */
const carryOutWork = ({ home, environment, userHome, claudeHome, nowMs, withMemory }: CheckInput): Fix => ({
  plan: 'carry out the work that hooks queued, as anamnesis work does',
  carryOut: () =>
    withMemory(async (memory) => {
      const [{ work }, { readConfig }] = await Promise.all([
        import('../../agents/working.js'),
        import('../../config/settings.js'),
      ]);
      const config = readConfig(home, environment);
      const report = await work(memory, { config, environment, userHome, claudeHome, nowMs });
      if (report.busy) throw new Error('another worker is running');
      if (report.problems.length > 0) throw new Error(nameSome(report.problems));
      return `captured ${countOf(report.captured, 'session')}, learned ${countOf(report.learned, 'note')}`;
    }),
});

/** The file must exist. */
const isFree = (file: string): boolean => {
  const lock = openLock(file);
  try {
    if (!lock.tryAcquire()) return false;
    lock.release();
    return true;
  } finally {
    lock.close();
  }
};
