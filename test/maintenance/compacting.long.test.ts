import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compactIfDue, compactStore } from '../../src/maintenance/compacting.js';
import { verifyStore } from '../../src/maintenance/verifying.js';
import { openLock } from '../../src/state/lock.js';
import { programOf } from '../support/children.js';
import { append, nthCommit } from '../support/journals.js';
import { openStore, personsGit, type TestStore, temporaryFolder, writeCommand, writeNote } from '../support/store.js';

let store: TestStore;
let memoryFolder = '';
beforeEach(async () => {
  store = openStore();
  await store.memory.initialise();
  memoryFolder = join(store.home, 'memory');
});
afterEach(() => store.close());

const writeSome = async (count: number): Promise<void> => {
  for (let n = 0; n < count; n += 1) await store.memory.perform(writeCommand({ title: `Note ${n}` }));
};
const objectsOf = (folder: string): readonly string[] =>
  personsGit(folder, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname)').trim().split('\n');
const graphOf = (folder: string): string => join(folder, '.git', 'objects', 'info', 'commit-graph');

describe('compacting', () => {
  it('makes one pack of many, and loses no object that was ever there', async () => {
    await writeSome(12);
    const local = await writeNote(store.memory, { title: 'Here', scope: 'machine-local' });
    await store.memory.perform({ kind: 'forget', id: local.id });
    personsGit(memoryFolder, 'update-ref', 'refs/anamnesis/rescue/1', 'main~3');
    writeFileSync(join(store.home, 'loose'), 'reached by no ref');
    const loose = personsGit(memoryFolder, 'hash-object', '-w', join(store.home, 'loose')).trim();
    const dropped = personsGit(memoryFolder, 'commit-tree', '-m', 'dropped later', 'main^{tree}').trim();
    personsGit(memoryFolder, 'update-ref', 'refs/anamnesis/dropped', dropped);
    const before = objectsOf(memoryFolder);
    expect(before).toEqual(expect.arrayContaining([loose, dropped]));
    const answer = await compactStore(store.memory, { full: true });
    expect(answer.journals.map(({ journal }) => journal)).toEqual(['memory', 'local']);
    expect(answer.journals[0]).toMatchObject({ before: { packs: 12 }, after: { packs: 1 } });
    expect(answer.journals[0]!.after.bytes).toBeLessThan(answer.journals[0]!.before.bytes);
    expect(objectsOf(memoryFolder)).toEqual(before);
    for (const name of ['memory', 'local']) {
      expect(personsGit(join(store.home, name), 'fsck', '--full')).not.toMatch(/missing|broken/);
      personsGit(join(store.home, name), 'commit-graph', 'verify');
    }
    expect((await verifyStore(store.memory)).problems).toEqual([]);
    await writeNote(store.memory, { title: 'And on' });
    // It is in a pack now, and no ref reaches it any more.
    personsGit(memoryFolder, 'update-ref', '-d', 'refs/anamnesis/dropped');
    await compactStore(store.memory, { full: true });
    expect(objectsOf(memoryFolder)).toEqual(expect.arrayContaining([...before]));
  });
  it('leaves a single pack as it is', async () => {
    await writeSome(3);
    await compactStore(store.memory, { full: true });
    const packs = join(memoryFolder, '.git', 'objects', 'pack');
    const before = readdirSync(packs);
    await compactStore(store.memory, { full: true });
    expect(readdirSync(packs)).toEqual(before);
  });
  it('repacks geometrically unless a full run is asked for, and does nothing in a store without events', async () => {
    expect((await compactStore(store.memory, {})).journals).toEqual([]);
    await writeSome(8);
    const { journals } = await compactStore(store.memory, {});
    expect(journals).toMatchObject([{ journal: 'memory', before: { packs: 8 } }]);
    expect(journals[0]!.after.packs).toBeLessThan(8);
    expect(existsSync(graphOf(memoryFolder))).toBe(true);
  });
  it('lets git read the history of a path with the filters of the commit-graph, and gives the same history', async () => {
    const note = await writeNote(store.memory);
    await store.memory.perform({ kind: 'edit', id: note.id, set: { body: 'Second.\n' } });
    await writeSome(20);
    const journal = store.memory.journals.portable;
    const head = journal.head() ?? '';
    const path = (note.path ?? '').slice(memoryFolder.length + 1);
    const before = await journal.versions(head, path);
    expect(before.size).toBe(2);
    await compactStore(store.memory, {});
    expect(await journal.versions(head, path)).toEqual(before);
    // The same query as that of `versions`; git's trace says whether it used the filters.
    const trace = join(store.home, 'trace');
    execFileSync('git', ['--literal-pathspecs', 'log', '--format=', '--raw', '-z', '-m', head, '--', path], {
      cwd: memoryFolder,
      env: { ...process.env, GIT_TRACE2_EVENT: trace },
    });
    const used = readFileSync(trace, 'utf8').match(/"definitely_not\\?":(\d+)/)?.[1];
    expect(Number(used)).toBeGreaterThanOrEqual(15);
  });
  it('works while others write, and loses none of their notes', async () => {
    await writeSome(5);
    const other = openStore({ home: store.home, machine: 'other' });
    const ids: string[] = [];
    const writes = (async () => {
      for (let n = 0; n < 15; n += 1) ids.push((await writeNote(other.memory, { title: `Other ${n}` })).id);
    })();
    for (let n = 0; n < 3; n += 1) await compactStore(store.memory, { full: n % 2 === 0 });
    await writes;
    await other.memory.finish();
    for (const id of ids) expect((await store.memory.show(id)).ok).toBe(true);
    expect((await verifyStore(store.memory)).problems).toEqual([]);
  });
  it.each(['cut off', 'empty'])('replaces a commit-graph that is %s', async (damage) => {
    await writeSome(30);
    await compactStore(store.memory, {});
    const graph = graphOf(memoryFolder);
    const bytes = readFileSync(graph);
    const middle = Math.floor(bytes.length / 2);
    chmodSync(graph, 0o600);
    writeFileSync(graph, damage === 'empty' ? '' : bytes.subarray(0, middle));
    await writeSome(1);
    await compactStore(store.memory, {});
    personsGit(memoryFolder, 'commit-graph', 'verify');
    expect(readFileSync(graph).length).toBeGreaterThan(bytes.length);
    expect((await verifyStore(store.memory)).problems).toEqual([]);
  });
  it('removes the stale lock and the unfinished packs that a killed run left', async () => {
    await writeSome(2);
    const lock = `${graphOf(memoryFolder)}.lock`;
    const part = join(memoryFolder, '.git', 'objects', 'pack', '.tmp-1-pack-x.pack');
    mkdirSync(join(lock, '..'), { recursive: true });
    for (const path of [lock, part]) {
      writeFileSync(path, '');
      utimesSync(path, new Date(0), new Date(0));
    }
    await compactStore(store.memory, {});
    expect([lock, part].map((path) => existsSync(path))).toEqual([false, false]);
    expect(existsSync(graphOf(memoryFolder))).toBe(true);
  });
});

describe('compacting in the background', () => {
  const add = async (from: number, count: number): Promise<void> => {
    const commits = Array.from({ length: count }, (_, n) => nthCommit(from + n));
    await append(store.memory.journals.portable, ...commits);
  };
  it('is due after a thousand events', async () => {
    expect(await compactIfDue(store.memory)).toEqual([]);
    await add(0, 999);
    expect(await compactIfDue(store.memory)).toEqual([]);
    await add(999, 1);
    await sleep(200);
    expect(await compactIfDue(store.memory)).toEqual(['portable']);
    expect(existsSync(graphOf(memoryFolder))).toBe(true);
    expect(await compactIfDue(store.memory)).toEqual([]);
  });
  it('does not wait for a writer or for another git, and is due again when history was rewritten', async () => {
    await add(0, 1000);
    await sleep(200);
    const lock = openLock(join(store.home, 'lock.db'));
    await lock.acquire(1000);
    expect(await compactIfDue(store.memory)).toEqual([]);
    lock.release();
    lock.close();
    mkdirSync(join(graphOf(memoryFolder), '..'), { recursive: true });
    writeFileSync(`${graphOf(memoryFolder)}.lock`, '');
    await expect(compactIfDue(store.memory)).rejects.toThrow('File exists');
    rmSync(`${graphOf(memoryFolder)}.lock`);
    expect(await compactIfDue(store.memory)).toEqual(['portable']);
    (await store.memory.store()).state.setFact('compacted:memory', `0 ${'1'.repeat(40)}`);
    expect(await compactIfDue(store.memory)).toEqual(['portable']);
  });
});

describe('compacting that is killed', () => {
  const program = programOf(
    'compact',
    `import { Memory } from './src/store/memory.js';
    import { compactStore } from './src/maintenance/compacting.js';
    const memory = new Memory({ home: process.argv[2], machine: 'killbox', user: 'self' });
    await memory.store();
    process.stdout.write('begun\\n');
    await compactStore(memory, { full: process.argv[3] === 'full' });
    await memory.finish();`,
  );
  /** With `group`, the git children die too, as when the machine stops; otherwise they keep running. */
  const killAfter = async (home: string, mode: string, ms: number, group: boolean): Promise<boolean> => {
    const child: ChildProcess = spawn(process.execPath, [program, home, mode], { detached: true, stdio: 'pipe' });
    const ended = new Promise<boolean>((resolve) => {
      child.on('exit', (_, signal) => resolve(signal === 'SIGKILL'));
    });
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    await sleep(ms);
    try {
      process.kill(group ? -child.pid! : child.pid!, 'SIGKILL');
    } catch {
      // It had already ended.
    }
    return ended;
  };

  it('leaves a store that is whole and can be written to and compacted', async () => {
    const home = temporaryFolder();
    const seed = openStore({ home });
    await seed.memory.initialise();
    let killed = 0;
    for (let round = 0; round < 8; round += 1) {
      const commits = Array.from({ length: 40 }, (_, n) => nthCommit(round * 40 + n));
      await append(seed.memory.journals.portable, ...commits);
      const folder = join(home, 'memory');
      const before = objectsOf(folder);
      if (await killAfter(home, round % 3 === 0 ? 'plain' : 'full', round * 14, round % 2 === 0)) killed += 1;
      await writeNote(seed.memory, { title: `After ${round}` });
      expect(personsGit(folder, 'fsck', '--full')).not.toMatch(/missing|broken/);
      const after = new Set(objectsOf(folder));
      expect(before.filter((id) => !after.has(id))).toEqual([]);
    }
    expect(killed).toBeGreaterThan(3);
    await compactStore(seed.memory, { full: true });
    expect((await verifyStore(seed.memory)).problems).toEqual([]);
    await seed.memory.finish();
    rmSync(home, { recursive: true, force: true });
  });
});
