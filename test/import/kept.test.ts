/** What a second import must not lose: with the real git and SQLite. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ImportAnswer } from '../../src/import/import-items.js';
import { importPath } from '../../src/import/importing.js';
import type { Memory } from '../../src/store/memory.js';
import type { NoteJson } from '../../src/store/note-json.js';
import { openStore } from '../support/store.js';
import { folderWith } from './support.js';

const newMemory = (): Memory => {
  const store = openStore();
  onTestFinished(() => store.close());
  return store.memory;
};

const takeIn = async (memory: Memory, path: string, options = {}): Promise<ImportAnswer> => {
  const answer = await importPath(memory, path, { project: 'p', ...options });
  if ('message' in answer) throw new Error(answer.message);
  return answer;
};

const countsOf = ({ answer }: ImportAnswer): readonly number[] => {
  if (answer.status === 'refused' || answer.counts === undefined) throw new Error('no counts');
  const { imported, updated, skipped } = answer.counts;
  return [imported, updated, skipped];
};

const allNotes = async (memory: Memory): Promise<readonly NoteJson[]> => {
  const { notes } = await memory.list({}, 1000);
  const shown = await Promise.all(notes.map(({ id }) => memory.show(id)));
  return shown.flatMap((one) => (one.ok ? [one.answer] : [])).toSorted((a, b) => (a.title < b.title ? -1 : 1));
};

const put = (folder: string, path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};

const move = (folder: string, from: string, to: string): void => {
  mkdirSync(dirname(join(folder, to)), { recursive: true });
  renameSync(join(folder, from), join(folder, to));
};

describe('a new file where another one was', () => {
  it('leaves the note of the file that was moved away alone', async () => {
    const memory = newMemory();
    const folder = folderWith({ 'plan.md': '# Plan 2025\nship in March\n', 'keep.md': '# Keep\n' });
    await takeIn(memory, folder);
    move(folder, 'plan.md', 'archive/plan-2025.md');
    expect((await takeIn(memory, folder)).moved).toHaveLength(1);
    put(folder, 'plan.md', '# Plan 2026\nbank in June\n');
    expect(countsOf(await takeIn(memory, folder))).toEqual([1, 0, 2]);
    expect((await allNotes(memory)).map(({ title }) => title)).toEqual(['Keep', 'Plan 2025', 'Plan 2026']);
    const again = await takeIn(memory, folder);
    expect([again.answer.status, countsOf(again)]).toEqual(['unchanged', [0, 0, 3]]);
    move(folder, 'plan.md', 'archive/plan-2026.md');
    await takeIn(memory, folder);
    put(folder, 'plan.md', '# Plan 2027\nrest\n');
    expect(countsOf(await takeIn(memory, folder))).toEqual([1, 0, 3]);
    expect(new Set((await allNotes(memory)).map(({ id }) => id)).size).toBe(4);
  });
});

describe('the tags and the project that were set here', () => {
  it('stay at a later import, which still brings new tags and texts', async () => {
    const memory = newMemory();
    const folder = folderWith({ 'a.md': '---\ntags: [old, mine]\n---\n# A\n', 'b.md': '# B\n' });
    await takeIn(memory, folder, { project: 'tg' });
    const [{ id } = { id: '' }] = await allNotes(memory);
    await memory.perform({ kind: 'tag', id, add: ['ops'], remove: ['old'] });
    await memory.perform({ kind: 'move', id, project: 'payments' });
    // A move counts as a change of the note; a file that is older than that is left.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    for (const [tags, text, wanted] of [
      ['old, mine, new', 'one', ['mine', 'ops', 'new']],
      ['old, new', 'two', ['ops', 'new']],
    ] as const) {
      put(folder, 'a.md', `---\ntags: [${tags}]\n---\n# A\n${text}\n`);
      expect(countsOf(await takeIn(memory, folder, { project: 'tg' }))).toEqual([0, 1, 1]);
      expect((await allNotes(memory))[0]).toMatchObject({ tags: wanted, project: 'payments', body: `# A\n${text}\n` });
      expect(countsOf(await takeIn(memory, folder, { project: 'tg' }))).toEqual([0, 0, 2]);
    }
    expect(countsOf(await takeIn(memory, folder, { project: 'other' }))).toEqual([0, 1, 1]);
    expect((await allNotes(memory)).map(({ project }) => project)).toEqual(['payments', 'other']);
  });
});
