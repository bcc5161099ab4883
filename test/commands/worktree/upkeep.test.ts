import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { refreshGitIndex } from '../../../src/commands/worktree/upkeep.js';
import { State } from '../../../src/state/state.js';
import { openStore, personsGit, type TestStore, writeNote } from '../../support/store.js';
import { startOnce } from '../../support/template-machines.js';

const twoWithNotes = startOnce(['one', 'two'], async ({ one, two }, machines) => {
  const { id } = await writeNote(one, { body: 'first\n' });
  const { id: other } = await writeNote(one, { body: 'other\n' });
  await machines.sync(one, two);
  await one.finish();
  return { id, other };
});

describe("git's own index", () => {
  let store: TestStore;
  beforeEach(() => {
    store = openStore();
  });
  afterEach(async () => {
    await store.close();
  });
  const status = (): string => personsGit(store.memory.journals.portable.folder, 'status', '--porcelain');
  /** Refreshes under the lock, as the writer does: its own refresh may be due at any moment. */
  const refresh = async (): Promise<void> => {
    const opened = await store.memory.store();
    await store.memory.exclusively(() => refreshGitIndex(opened, 'portable'));
  };
  const edit = (id: string, body: string) => store.memory.perform({ kind: 'edit', id, set: { body } });

  /** Starts a refresh that stops after it changed the index, before it records that. */
  const killedRefresh = async (): Promise<void> => {
    const real = await store.memory.store();
    const indexFile = join(real.journals.portable.folders.gitDir, 'index');
    const before = existsSync(indexFile) ? readFileSync(indexFile) : undefined;
    const setFact = (key: string, value: string): void => {
      if (existsSync(indexFile) && before?.equals(readFileSync(indexFile)) !== true) throw new Error('killed');
      State.prototype.setFact.call(real.state, key, value);
    };
    Object.assign(real.state, { setFact });
    const refreshing = store.memory.exclusively(() => refreshGitIndex(real, 'portable'));
    await expect(refreshing).rejects.toThrow('killed');
    Reflect.deleteProperty(real.state, 'setFact');
  };

  it('is refreshed after killed refreshes wrote versions to it without recording them', async () => {
    const { id } = await writeNote(store.memory, { body: 'first\n' });
    await refresh();
    for (const body of ['second\n', 'third\n']) {
      await edit(id, body);
      await killedRefresh();
    }
    await edit(id, 'fourth\n');
    await refresh();
    expect(status()).toBe('');
  });

  it('is refreshed after the refresh that created it was killed', async () => {
    const { id } = await writeNote(store.memory, { body: 'first\n' });
    await killedRefresh();
    await edit(id, 'second\n');
    await refresh();
    expect(status()).toBe('');
  });

  it('is refreshed after a person pulled into a store without notes', async () => {
    const other = openStore();
    onTestFinished(() => other.close());
    const { id } = await writeNote(other.memory, { body: 'first\n' });
    await store.memory.initialise();
    const from = other.memory.journals.portable.folder;
    personsGit(store.memory.journals.portable.folder, 'pull', '-q', '--no-rebase', from, 'main');
    await store.memory.perform({ kind: 'forget', id });
    await refresh();
    expect(status()).toBe('');
  });

  it('is refreshed by a process without a command of its own, which carries out a queued one', async () => {
    const { id, path = '' } = await writeNote(store.memory);
    await store.memory.finish();
    const next = openStore({ home: store.home }).memory;
    const { state, newId } = await next.store();
    const eventId = newId(Date.now());
    const stamp = { eventId, commandId: eventId, atMs: Date.now(), machine: 'testbox', user: 'self' };
    const command = { kind: 'tag', id, add: ['late'], remove: [] } as const;
    state.enqueue({ id: eventId, payload: JSON.stringify({ command, stamp }) });
    appendFileSync(path, 'typed\n');
    await next.adopt('hold');
    await next.finish();
    expect(status()).toBe('');
    expect(readFileSync(path, 'utf8')).toMatch(/late[\s\S]*typed/);
  });

  it('is created again if a killed refresh left none', async () => {
    await writeNote(store.memory);
    await refresh();
    rmSync(join(store.memory.journals.portable.folders.gitDir, 'index'));
    await refresh();
    expect(status()).toBe('');
  });

  it('drops a note that a killed refresh added and that is forgotten since', async () => {
    await writeNote(store.memory);
    await refresh();
    const { id } = await writeNote(store.memory, { title: 'short-lived' });
    await killedRefresh();
    await store.memory.perform({ kind: 'forget', id });
    await refresh();
    expect(status()).toBe('');
  });

  it('is refreshed despite a lock that a killed git left', async () => {
    const { id } = await writeNote(store.memory, { body: 'first\n' });
    await store.memory.finish();
    const lock = join(store.memory.journals.portable.folder, '.git', 'index.lock');
    writeFileSync(lock, '');
    const old = new Date(Date.now() - 11_000);
    utimesSync(lock, old, old);
    // Writes to the other journal, so that only upkeep touches this one.
    await writeNote(store.memory, { scope: 'machine-local' });
    await store.memory.finish();
    expect(existsSync(lock)).toBe(false);
    await edit(id, 'second\n');
    await store.memory.finish();
    expect(status()).toBe('');
  });

  it('of one journal is refreshed while that of the other is locked', async () => {
    await writeNote(store.memory);
    await writeNote(store.memory, { scope: 'machine-local' });
    const { portable, local } = store.memory.journals;
    const lock = join(portable.folder, '.git', 'index.lock');
    writeFileSync(lock, '');
    await store.memory.finish();
    expect(personsGit(local.folder, 'status', '--porcelain')).toBe('');
    rmSync(lock);
    await writeNote(store.memory);
    await store.memory.finish();
    expect(status()).toBe('');
  });

  it('is refreshed along with the removal of unfinished git objects over an hour old', async () => {
    await writeNote(store.memory);
    const { gitDir } = store.memory.journals.portable.folders;
    const left = [60, 2].map((minutes) => {
      const path = join(gitDir, 'objects', '0a', `tmp_obj_${minutes}`);
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, 'half');
      const at = new Date(Date.now() - minutes * 60_000 - 1000);
      utimesSync(path, at, at);
      return path;
    });
    await writeNote(store.memory);
    await store.memory.finish();
    expect(left.map((path) => existsSync(path))).toEqual([false, true]);
  });

  it.each([
    ['amended the last event', ['--amend', '--no-edit']],
    ['reused the message of one', ['-C', 'HEAD']],
  ])('is refreshed after a person %s', async (_, options) => {
    const { id, path = '' } = await writeNote(store.memory, { body: 'first\n' });
    await store.memory.finish();
    appendFileSync(path, 'by hand\n');
    personsGit(store.memory.journals.portable.folder, 'commit', '-aq', ...options);
    await store.memory.perform({ kind: 'tag', id, add: ['x'], remove: [] });
    await store.memory.finish();
    expect(status()).toBe('');
  });

  it('is refreshed after a person reset it to a head between two refreshes', async () => {
    const { id } = await writeNote(store.memory, { body: 'first\n' });
    const { id: gone } = await writeNote(store.memory, { body: 'to be forgotten\n' });
    await refresh();
    await edit(id, 'second\n');
    await store.memory.perform({ kind: 'forget', id: gone });
    personsGit(store.memory.journals.portable.folder, 'reset', '-q');
    await edit(id, 'third\n');
    await store.memory.perform({ kind: 'restore', id: gone });
    await edit(gone, 'came back\n');
    await refresh();
    expect(status()).toBe('');
  });

  it('is refreshed after a reset to a head whose commits a sync then appended again', async () => {
    const { machines, one, two, id, other } = await twoWithNotes();
    await one.perform({ kind: 'edit', id, set: { body: 'second\n' } });
    const { folder } = one.journals.portable;
    personsGit(folder, 'reset', '-q');
    await one.perform({ kind: 'edit', id, set: { body: 'third\n' } });
    await two.perform({ kind: 'edit', id: other, set: { body: 'of two\n' } });
    await machines.sync(two, one);
    await one.finish();
    expect(personsGit(folder, 'status', '--porcelain')).toBe('');
  });

  it('keeps what a person staged', async () => {
    const { id, path = '' } = await writeNote(store.memory, { body: 'first\n' });
    await refresh();
    const { folder } = store.memory.journals.portable;
    const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], {
      cwd: folder,
      input: 'mine',
      encoding: 'utf8',
    });
    const relative = path.slice(folder.length + 1);
    personsGit(folder, 'update-index', '--cacheinfo', `100644,${blob.trim()},${relative}`);
    for (const body of ['second\n', 'third\n']) {
      await edit(id, body);
      await refresh();
      expect(personsGit(folder, 'ls-files', '--stage')).toContain(blob.trim());
    }
  });
});
