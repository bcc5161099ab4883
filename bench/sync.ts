/** What syncing costs: nothing to do, a thousand notes that came, a whole store to fetch, and what writers wait meanwhile. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runNetworkGit } from '../src/events/git-network.js';
import { runGit } from '../src/events/git-process.js';
import { type Memory, openMemory } from '../src/memory/memory.js';
import { setRemote } from '../src/memory/remote.js';
import { syncStore } from '../src/memory/syncing.js';
import { percentile } from '../src/projections/eval/metrics.js';
import { corpus } from './corpus.js';
import { median, type Row, timeEach } from './measure.js';

const open = (home: string, machine: string): Memory => openMemory({ home, machine, user: 'self' });

/** `home` is a store of `size` notes without a remote; it is copied. */
export const measureSync = async (work: string, home: string, size: number, add: (row: Row) => void): Promise<void> => {
  const folder = join(work, `sync-${size}`);
  mkdirSync(folder, { recursive: true });
  const bare = join(folder, 'remote.git');
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', bare]);
  cpSync(home, join(folder, 'one'), { recursive: true });
  const one = open(join(folder, 'one'), 'one');
  await setRemote(one, bare);
  await demand(one);

  const clones = await timeEach(3, async (at) => {
    const memory = open(join(folder, `clone-${at}`), 'two');
    await setRemote(memory, bare);
    await demand(memory);
    await memory.finish();
  });
  add({
    what: `first clone with index, ${size}`,
    measured: median(clones),
    unit: 'ms',
    limit: size === 10_000 ? 3000 : undefined,
  });

  const two = open(join(folder, 'clone-0'), 'two');
  await demand(two);
  await measureNothing(two, bare, size, add);
  await measureIncoming(one, two, size, add);
  await two.finish();
  await one.finish();
  rmSync(folder, { recursive: true, force: true });
};

const demand = async (memory: Memory): Promise<void> => {
  const { trouble } = await syncStore(memory);
  if (trouble !== null) throw new Error(trouble.message);
};

/** A sync with nothing to do asks the remote, and git which files it holds; the rest is our own time. */
const measureNothing = async (memory: Memory, bare: string, size: number, add: (row: Row) => void): Promise<void> => {
  const { folders } = memory.journals.memory;
  const head = memory.journals.memory.head() ?? '';
  const own: number[] = [];
  const whole: number[] = [];
  for (let at = 0; at < 15; at += 1) {
    const [sync = 0] = await timeEach(1, () => demand(memory));
    const [asking = 0] = await timeEach(1, () =>
      runNetworkGit(folders, ['ls-remote', '--quiet', '--', bare, 'refs/heads/main', 'refs/anamnesis/machines/*']),
    );
    const [listing = 0] = await timeEach(1, () => runGit(folders, ['ls-tree', '-r', '-z', '--full-tree', head]));
    whole.push(sync);
    own.push(sync - asking - listing);
  }
  add({
    what: `sync with nothing to do, our own time, ${size}`,
    measured: median(own),
    unit: 'ms',
    limit: size === 10_000 ? 60 : undefined,
    note: `${median(whole).toFixed(0)} ms with its two git calls`,
  });
};

/** A thousand notes from another machine, ten events; somebody writes all the time on the machine that they come to. */
const measureIncoming = async (one: Memory, two: Memory, size: number, add: (row: Row) => void): Promise<void> => {
  const times: number[] = [];
  const waits: number[] = [];
  const alone = await timeEach(20, (at) => writeOne(two, `alone ${at}`));
  for (let round = 0; round < 3; round += 1) {
    await bring(one, 200 + round);
    // Files that were put within the last two seconds are read again (git calls them racy); that is no part of this.
    await sleep(2500);
    times.push(...(await timeEach(1, () => demand(two))));
  }
  add({
    what: `1,000 incoming notes, an event each, ${size}`,
    measured: median(times),
    unit: 'ms',
    limit: size === 10_000 ? 500 : undefined,
  });
  for (let round = 0; round < 3; round += 1) {
    await bring(one, 300 + round);
    let syncing = true;
    const sync = demand(two).finally(() => {
      syncing = false;
    });
    for (let at = 0; syncing; at += 1)
      waits.push(...(await timeEach(1, () => writeOne(two, `meanwhile ${round} ${at}`))));
    await sync;
  }
  add({
    what: `longest write during a sync - a write alone, ${size}`,
    measured: Math.max(...waits) - median(alone),
    unit: 'ms',
    limit: size === 10_000 ? 50 : undefined,
    note: `p50 ${percentile(waits, 50).toFixed(0)} ms, ${waits.length} writes`,
  });
};

const bring = async (memory: Memory, seed: number): Promise<void> => {
  const notes = [...corpus(1000, seed)];
  await Promise.all(notes.map(({ title, body, tags }) => submit(memory, title.slice(0, 300), body, tags)));
  await demand(memory);
};

const writeOne = (memory: Memory, title: string): Promise<unknown> =>
  submit(memory, title, 'Written while others came.\n', []);

const submit = (memory: Memory, title: string, body: string, tags: readonly string[]): Promise<unknown> =>
  memory.submit({
    kind: 'write',
    type: 'semantic',
    title,
    body,
    tags,
    project: 'bench',
    scope: 'portable',
    keywords: [],
    supersedes: [],
  });
