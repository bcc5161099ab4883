/** A watched folder, with the real file system, git and SQLite. */
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type ImportResult, watchNotes } from '../../src/app/intake.js';
import { openStore } from '../support/store.js';
import { folderWith } from './support.js';

const startWatching = (files: Readonly<Record<string, string>>, at?: string) => {
  const store = openStore();
  const root = folderWith(files);
  const folder = at === undefined ? root : join(root, at);
  const ending = new AbortController();
  const imports: ImportResult[] = [];
  const notices: string[] = [];
  const watched = watchNotes(store.memory, folder, {
    project: 'p',
    signal: ending.signal,
    onImport: async (done) => void imports.push(done),
    onGone: (isGone) => void notices.push(isGone ? 'gone' : 'back'),
    onTrouble: (message) => void notices.push(message),
    times: { settleMs: 150, pollMs: 300 },
  });
  const stop = async (): Promise<void> => {
    ending.abort();
    await watched;
  };
  onTestFinished(async () => {
    await stop();
    await store.close();
  });
  const titles = async (): Promise<readonly string[]> =>
    (await store.memory.list({}, 100)).notes.map(({ title }) => title).toSorted();
  return { store, folder, imports, notices, watched, stop, titles };
};

const soon = { timeout: 60_000, interval: 50 };

it('a watched folder imports new, changed, renamed and replaced files', { timeout: 240_000 }, async () => {
  const { store, folder, imports, titles } = startWatching({ 'a.md': '# A\n', '.obsidian/x.md': 'x' });
  await vi.waitFor(() => expect(imports).toHaveLength(1), soon);
  mkdirSync(join(folder, 'new/deep'), { recursive: true });
  writeFileSync(join(folder, 'new/deep/b.md'), '# B\n');
  await vi.waitFor(async () => expect(await titles()).toEqual(['A', 'B']), soon);
  writeFileSync(join(folder, '.b.md.tmp'), '# B two\n');
  renameSync(join(folder, '.b.md.tmp'), join(folder, 'new/deep/b.md'));
  await vi.waitFor(async () => expect(await titles()).toEqual(['A', 'B two']), soon);
  renameSync(join(folder, 'a.md'), join(folder, 'c.md'));
  await vi.waitFor(() => expect(imports.at(-1)?.moved).toHaveLength(1), soon);
  renameSync(join(folder, 'c.md'), join(folder, 'a.md'));
  await vi.waitFor(() => expect(imports.at(-1)?.moved).toMatchObject([{ from: 'c.md', to: 'a.md' }]), soon);
  expect((await store.memory.events({}, 100)).every(({ kind }) => kind === 'notes.imported')).toBe(true);
});

it('a file that is saved piece by piece is imported once, whole', { timeout: 120_000 }, async () => {
  const { folder, imports, store } = startWatching({ 'a.md': '# A\n' });
  await vi.waitFor(() => expect(imports).toHaveLength(1), soon);
  for (let piece = 0; piece < 20; piece += 1) {
    appendFileSync(join(folder, 'b.md'), `line ${piece}\n`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await vi.waitFor(async () => expect((await store.memory.list({}, 10)).total).toBe(2), soon);
  const { notes } = await store.memory.list({}, 10);
  const shown = await store.memory.show(notes.find(({ title }) => title === 'b')?.id ?? '');
  expect(shown).toMatchObject({ ok: true, answer: { body: expect.stringMatching(/line 19\n$/) } });
  expect((await store.memory.events({}, 100)).length).toBeLessThanOrEqual(3);
});

it('a folder that disappears removes no note, and is watched again once it is back', { timeout: 120_000 }, async () => {
  const { folder, imports, notices, titles } = startWatching({ 'vault/a.md': '# A\n', 'vault/b.md': '# B\n' }, 'vault');
  await vi.waitFor(() => expect(imports).toHaveLength(1), soon);
  renameSync(folder, `${folder}-away`);
  await vi.waitFor(() => expect(notices).toEqual(['gone']), soon);
  renameSync(`${folder}-away`, folder);
  writeFileSync(join(folder, 'c.md'), '# C\n');
  await vi.waitFor(async () => expect(await titles()).toEqual(['A', 'B', 'C']), soon);
  expect(notices).toEqual(['gone', 'back']);
  rmSync(join(folder, 'a.md'));
  await vi.waitFor(() => expect(imports.at(-1)?.missing).toMatchObject([{ title: 'A', path: 'a.md' }]), soon);
});

it('a watch is refused when the first import is', async () => {
  const { store } = startWatching({ 'a.md': '# A\n' });
  const asked = {
    signal: new AbortController().signal,
    onImport: async () => undefined,
    onGone: () => undefined,
    onTrouble: () => undefined,
  };
  const folder = folderWith({ 'a.md': '# A\n' });
  expect(await watchNotes(store.memory, folder, asked)).toMatchObject({
    ok: false,
    refusal: { code: 'project-missing' },
  });
  expect(await watchNotes(store.memory, join(folder, 'a.md'), asked)).toMatchObject({
    refusal: { code: 'value-invalid' },
  });
});
