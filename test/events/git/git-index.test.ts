import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeIndex } from '../../../src/events/git/git-index.js';
import { type GitFolders, runGit } from '../../../src/events/git/git-process.js';
import { openStore, personsGit, type TestStore, writeNote } from '../../support/store.js';

/** Reads a file in a loop and reports every content that it had. */
const readOften = `
  const { readFileSync } = require('node:fs');
  const { parentPort, workerData: { file, done } } = require('node:worker_threads');
  const seen = new Set();
  while (Atomics.load(done, 0) === 0) try { seen.add(readFileSync(file, 'utf8')); } catch {}
  parentPort.postMessage([...seen]);
`;

describe("changing git's own index", () => {
  let store: TestStore;
  let folders: GitFolders;
  let index = '';
  beforeEach(async () => {
    store = openStore();
    await writeNote(store.memory);
    await store.memory.finish();
    folders = store.memory.journals.portable.folders;
    index = join(folders.gitDir, 'index');
  });
  afterEach(async () => {
    await store.close();
  });
  const remove = (copied: GitFolders) => runGit(copied, ['rm', '--cached', '-r', '--quiet', '.']);
  const leftovers = (): readonly string[] =>
    readdirSync(folders.gitDir).filter((name) => name.startsWith('index') && name !== 'index');

  it('replaces it with the whole change', async () => {
    await changeIndex(folders, remove);
    expect(personsGit(folders.workTree, 'ls-files', '--stage')).toBe('');
    expect(leftovers()).toEqual([]);
  });

  it('leaves it unchanged when the change fails halfway', async () => {
    const before = readFileSync(index);
    const half = changeIndex(folders, async (copied) => {
      await remove(copied);
      throw new Error('killed');
    });
    await expect(half).rejects.toThrow('killed');
    expect(readFileSync(index).equals(before)).toBe(true);
    expect(existsSync(`${index}.lock`)).toBe(false);
  });

  it('locks out other processes meanwhile, and is locked out by them', async () => {
    await changeIndex(folders, async () => {
      expect(() => personsGit(folders.workTree, 'add', '-A')).toThrow('index.lock');
    });
    writeFileSync(`${index}.lock`, '');
    await expect(changeIndex(folders, remove)).rejects.toThrow(/index\.lock': File exists/);
    expect(existsSync(`${index}.lock`)).toBe(true);
  });

  it('creates its lock with its content in one step, so that a killed process’s lock is recognised', async () => {
    const done = new Int32Array(new SharedArrayBuffer(4));
    const reader = new Worker(readOften, { eval: true, workerData: { file: `${index}.lock`, done } });
    await once(reader, 'online');
    for (let time = 0; time < 2000; time += 1) await changeIndex(folders, async () => undefined);
    Atomics.store(done, 0, 1);
    const [seen] = await once(reader, 'message');
    await reader.terminate();
    expect(seen).toEqual(['anamnesis\n']);
  });

  it('immediately replaces the lock and the copy of a killed process of Anamnesis', async () => {
    let lock = Buffer.alloc(0);
    await changeIndex(folders, async () => {
      lock = readFileSync(`${index}.lock`);
    });
    writeFileSync(`${index}.lock`, lock);
    for (const end of ['', '.lock']) writeFileSync(`${index}.anamnesis-1-2${end}`, 'half');
    await changeIndex(folders, remove);
    expect(personsGit(folders.workTree, 'ls-files', '--stage')).toBe('');
    expect(leftovers()).toEqual([]);
  });

  it('is not undone by a git process that outlives the one that started it', async () => {
    let orphaned: GitFolders | undefined;
    await changeIndex(folders, async (copied) => {
      orphaned = copied;
    });
    await changeIndex(folders, async (copied) => {
      expect(copied.indexFile).not.toBe(orphaned?.indexFile);
      if (orphaned !== undefined) await runGit(orphaned, ['read-tree', 'HEAD']);
      await remove(copied);
    });
    expect(personsGit(folders.workTree, 'ls-files', '--stage')).toBe('');
  });
});
