/** Checks of the spool that hooks fill and of the background worker that empties it. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listItems, readItems } from '../../agents/hooks/spool.js';
import { type Check, type CheckInput, countOf, type Fix, nameSome, ok, problem, spanOf, warning } from './check.js';
import { isFree } from './databases.js';
import { isStoreThere } from './folder.js';

/** Work that waits longer is late: the worker starts at the end of each session and takes minutes at most. */
export const lateMs = 3_600_000;

/** Checks the work that hooks queued, and how long it has waited. */
export const spoolCheck: Check = {
  name: 'spool',
  look: (examined) => {
    if (!isStoreThere(examined)) return [];
    const folder = join(examined.home, 'spool');
    const unreadable: string[] = [];
    const items = readItems(folder, (file) => unreadable.push(join(folder, file)));
    const bad =
      unreadable.length === 0
        ? []
        : [
            warning(
              'spool',
              `${countOf(unreadable.length, 'file')} in the spool can't be read: ${nameSome(unreadable)}`,
              {
                next: 'remove them: no hook of this version wrote them',
              },
            ),
          ];
    const waitedMs = waitOf(
      examined,
      items.map(({ file }) => file),
    );
    if (waitedMs > lateMs) {
      const message = `${countOf(items.length, 'item')} in the spool, the oldest waiting for ${spanOf(waitedMs)}`;
      const next = `run: anamnesis work; repeated failures are logged in ${join(examined.home, 'logs', 'anamnesis.log')}`;
      return [...bad, warning('spool', message, { next, fix: carryOutWork(examined) })];
    }
    if (bad.length > 0) return bad;
    return [ok('spool', items.length === 0 ? 'nothing is waiting' : `${countOf(items.length, 'item')} for the worker`)];
  },
};

/** Milliseconds since the oldest of these items was queued; 0 if there are none. */
const waitOf = ({ home, nowMs }: CheckInput, files: readonly string[]): number => {
  const times = files.flatMap((file) => statSync(join(home, 'spool', file), { throwIfNoEntry: false })?.mtimeMs ?? []);
  return times.length === 0 ? 0 : nowMs() - Math.min(...times);
};

/** Checks whether a worker holds its lock while work waits too long. */
export const workerCheck: Check = {
  name: 'worker',
  look: async (examined) => {
    const file = join(examined.home, 'worker.db');
    if (examined.sqliteProblem !== undefined || !existsSync(file)) return [];
    // Tries only once: a worker that starts at this very moment would take us for another worker.
    if (await isFree(file, 0)) return [ok('worker', 'not running')];
    const waitedMs = waitOf(examined, listItems(join(examined.home, 'spool')));
    if (waitedMs <= lateMs) return [ok('worker', 'running')];
    const holder = readHolder(file);
    const message = `a worker is stuck: work has waited ${spanOf(waitedMs)} while it holds its lock`;
    const next =
      holder === undefined
        ? 'look for a process `anamnesis work` and end it'
        : `end it: kill ${holder} (a process \`anamnesis work\`)`;
    return [problem('worker', message, { next })];
  },
};

/** Id of the process that holds a lock on the file, according to Linux; undefined on other systems. */
const readHolder = (file: string): number | undefined => {
  try {
    const { ino } = statSync(file);
    const lines = readFileSync('/proc/locks', 'utf8').split('\n');
    const pid = lines
      .map((line) => /WRITE\s+(\d+)\s+[0-9a-f]+:[0-9a-f]+:(\d+)\s/.exec(line))
      .find((found) => Number(found?.[2]) === ino)?.[1];
    return pid === undefined || pid === '0' ? undefined : Number(pid);
  } catch {
    return undefined;
  }
};

/** Does the background worker's job in this process. */
export const carryOutWork = ({ home, environment, userHome, claudeHome, nowMs, withMemory }: CheckInput): Fix => ({
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
