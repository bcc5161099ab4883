/** The cost of syncing: nothing to do, a thousand new notes, a whole store to fetch, and how long writers wait. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runNetworkGit } from '../src/events/git/remote/git-network.js';
import { importPath } from '../src/import/importing.js';
import { percentile } from '../src/projections/eval/metrics.js';
import { Memory } from '../src/store/memory.js';
import { setRemote } from '../src/sync/remote.js';
import { syncStore } from '../src/sync/syncing.js';
import { corpus } from './corpus.js';
import { median, type Row, timeEach } from './measure.js';

const open = (home: string, machine: string): Memory => new Memory({ home, machine, user: 'self' });

/** `home` is a store of `size` notes without a remote; it is copied. */
export const measureSync = async (work: string, home: string, size: number, add: (row: Row) => void): Promise<void> => {
  const folder = join(work, `sync-${size}`);
  mkdirSync(folder, { recursive: true });
  const bare = join(folder, 'remote.git');
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', bare]);
  cpSync(home, join(folder, 'one'), { recursive: true });
  const one = open(join(folder, 'one'), 'one');
  await setRemote(one, bare);
  await mustSync(one);

  const clones = await timeEach(3, async (at) => {
    const memory = open(join(folder, `clone-${at}`), 'two');
    await setRemote(memory, bare);
    await mustSync(memory);
    await memory.finish();
  });
  add({
    what: `first clone with index, ${size}`,
    measured: median(clones),
    unit: 'ms',
    limit: size === 10_000 ? 3000 : undefined,
  });

  const two = open(join(folder, 'clone-0'), 'two');
  await mustSync(two);
  await measureNothing(two, bare, size, add);
  await measureIncoming(one, two, size, add);
  await two.finish();
  await one.finish();
  rmSync(folder, { recursive: true, force: true });
};

const mustSync = async (memory: Memory): Promise<void> => {
  const { trouble } = await syncStore(memory);
  if (trouble !== null) throw new Error(trouble.message);
};

/** A sync with nothing to do asks the remote, in one git call; the rest is our own time. */
const measureNothing = async (memory: Memory, bare: string, size: number, add: (row: Row) => void): Promise<void> => {
  const { folders } = memory.journals.portable;
  const own: number[] = [];
  const whole: number[] = [];
  for (let at = 0; at < 15; at += 1) {
    const [sync = 0] = await timeEach(1, () => mustSync(memory));
    const [asking = 0] = await timeEach(1, () =>
      runNetworkGit(folders, ['ls-remote', '--quiet', '--', bare, 'refs/heads/main', 'refs/anamnesis/machines/*']),
    );
    whole.push(sync);
    own.push(sync - asking);
  }
  add({
    what: `sync with nothing to do, our own time, ${size}`,
    measured: median(own),
    unit: 'ms',
    limit: size === 10_000 ? 60 : undefined,
    note: `${median(whole).toFixed(0)} ms with its git call`,
  });
};

/** A thousand notes from another machine; then writes without a pause on the machine that fetches them. */
const measureIncoming = async (one: Memory, two: Memory, size: number, add: (row: Row) => void): Promise<void> => {
  const limit = size === 10_000 ? 500 : undefined;
  for (const [events, what] of [
    [10, 'in 10 events'],
    [1000, 'an event each'],
  ] as const) {
    const times: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      await publishNotes(one, 1000, events, 200 + events + round);
      // Upkeep runs when nothing is written, and data of the other machine not yet on disk is not part of this.
      await sleep(2500);
      spawnSync('sync');
      times.push(...(await timeEach(1, () => mustSync(two))));
    }
    add({ what: `1,000 incoming notes, ${what}, ${size}`, measured: median(times), unit: 'ms', limit });
  }
  // As many in a row as during a sync: packing now and then is part of writing.
  const alone = Math.max(...(await timeEach(400, (at) => writeOne(two, `alone ${at}`))));
  await mustSync(two);
  await mustSync(one);
  for (const notes of [10, 1000]) {
    const waits: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      await publishNotes(one, notes, Math.min(notes, 10), 3000 + notes + round);
      await sleep(500);
      spawnSync('sync');
      let syncing = true;
      const sync = mustSync(two).finally(() => {
        syncing = false;
      });
      for (let at = 0; syncing; at += 1)
        waits.push(...(await timeEach(1, () => writeOne(two, `meanwhile ${notes} ${round} ${at}`))));
      await sync;
    }
    add({
      what: `longest write while ${notes} notes come - the longest without, ${size}`,
      measured: Math.max(...waits) - alone,
      unit: 'ms',
      limit: size === 10_000 ? 50 : undefined,
      note: `p50 ${percentile(waits, 50).toFixed(0)} ms of ${waits.length} writes; longest without ${alone.toFixed(0)} ms`,
    });
  }
};

/** Publishes notes of another machine, in this many imports or with one event each. */
const publishNotes = async (memory: Memory, count: number, events: number, seed: number): Promise<void> => {
  const notes = [...corpus(count, seed)];
  if (events === count)
    await Promise.all(notes.map(({ title, body, tags }) => submit(memory, title.slice(0, 300), body, tags)));
  else {
    const folder = mkdtempSync(join(tmpdir(), 'anamnesis-bench-import-'));
    for (let at = 0; at < events; at += 1) {
      const file = join(folder, `part-${seed}-${at}.jsonl`);
      const part = notes.slice((at * count) / events, ((at + 1) * count) / events);
      writeFileSync(file, part.map((note) => `${JSON.stringify(note)}\n`).join(''));
      await importPath(memory, file);
    }
    rmSync(folder, { recursive: true, force: true });
  }
  await mustSync(memory);
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
