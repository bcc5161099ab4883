import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { undoEvent } from '../../src/app/undoing.js';
import { importNative } from '../../src/import/import-items.js';
import { importPath } from '../../src/import/importing.js';
import type { Memory } from '../../src/store/memory.js';
import { openStore } from '../support/store.js';
import { allNotes, countsOf, folderWith, move, put, takeIn } from './support.js';

const newMemory = (): Memory => {
  const store = openStore();
  onTestFinished(() => store.close());
  return store.memory;
};

describe('a new file in place of another one', () => {
  it('does not touch the note of the file that was moved away', async () => {
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

describe('what was set in the store', () => {
  it('stays: a project survives a later text of the source, and a note with other tags is left and named', async () => {
    const memory = newMemory();
    const folder = folderWith({ 'a.md': '# A\n', 'b.md': '# B\n' });
    await takeIn(memory, folder, { project: 'tg' });
    const [a, b] = await allNotes(memory);
    await memory.perform({ kind: 'move', id: a?.id ?? '', project: 'payments' });
    await memory.perform({ kind: 'tag', id: b?.id ?? '', add: ['ops'], remove: [] });
    put(folder, 'a.md', '# A\none\n');
    put(folder, 'b.md', '# B\none\n');
    const again = await takeIn(memory, folder, { project: 'tg' });
    expect(countsOf(again)).toEqual([0, 1, 1]);
    expect(again.answer).toMatchObject({ warnings: [expect.stringContaining(`left alone: ${b?.id}`)] });
    expect(await allNotes(memory)).toMatchObject([
      { project: 'payments', body: '# A\none\n' },
      { tags: ['ops'], body: '# B\n' },
    ]);
  });
});

describe('two folders of the same name', () => {
  const shop = { 'one/docs/setup.md': '# Setup\nshop setup\n', 'one/docs/LICENSE.md': '# Licence\nMIT\n' };
  const bank = { 'two/docs/setup.md': '# Setup\nbank setup\n', 'two/docs/rates.md': '# Rates\n' };

  it('are refused until the person says which source the second one is, and each keeps its notes', async () => {
    const memory = newMemory();
    const root = folderWith({ ...shop, ...bank });
    const [one, two] = [join(root, 'one/docs'), join(root, 'two/docs')];
    await takeIn(memory, one, { project: 'shop' });
    const refused = await takeIn(memory, two, { project: 'bank' });
    expect(refused.answer).toMatchObject({ status: 'refused', refusal: { code: 'source-unclear' } });
    const said = 'refusal' in refused.answer ? refused.answer.refusal : undefined;
    expect(said?.message).toContain(one);
    expect(said?.message).toContain(two);
    expect(said?.next).toBe("if it is the same source: --source 'docs'; if it is a different one: --source 'docs (2)'");
    await takeIn(memory, two, { project: 'bank', source: 'docs (2)' });
    expect((await allNotes(memory)).map(({ project, source_key }) => [project, source_key])).toEqual([
      ['shop', 'markdown:docs/LICENSE.md'],
      ['bank', 'markdown:docs (2)/rates.md'],
      ['bank', 'markdown:docs (2)/setup.md'],
      ['shop', 'markdown:docs/setup.md'],
    ]);
    for (const [folder, project] of [
      [one, 'shop'],
      [two, 'bank'],
    ] as const) {
      put(folder, 'setup.md', '# Setup\nrewritten\n');
      expect(countsOf(await takeIn(memory, folder, { project }))).toEqual([0, 1, 1]);
    }
    expect((await takeIn(memory, two, { project: 'bank' })).missing).toEqual([]);
    expect(await importPath(memory, two, { source: 'a/b' })).toMatchObject({ code: 'value-invalid' });
  });

  it('are one source when a text of both is the same, as in a folder that moved or on another machine', async () => {
    const memory = newMemory();
    const root = folderWith({
      ...shop,
      'moved/docs/setup.md': '# Setup\nshop setup\n',
      'moved/docs/new.md': '# New\n',
    });
    await takeIn(memory, join(root, 'one/docs'));
    expect(countsOf(await takeIn(memory, join(root, 'moved/docs')))).toEqual([1, 0, 1]);
  });

  it('are one source when the person says so, even for a file given alone', async () => {
    const memory = newMemory();
    const root = folderWith({ ...shop, 'moved/docs/setup.md': '# Setup\nshop setup\n' });
    await takeIn(memory, join(root, 'one/docs'));
    expect(countsOf(await takeIn(memory, join(root, 'moved/docs/setup.md'), { source: 'docs' }))).toEqual([0, 0, 1]);
    expect(countsOf(await takeIn(memory, join(root, 'moved/docs'), { source: 'docs' }))).toEqual([0, 0, 1]);
  });

  it('are two sources for notes.jsonl files too', async () => {
    const memory = newMemory();
    const line = (body: string): string => JSON.stringify({ id: '1', title: 'T', body, project: 'p' });
    const root = folderWith({ 'one/notes.jsonl': line('one'), 'two/notes.jsonl': line('two') });
    expect(countsOf(await takeIn(memory, join(root, 'one/notes.jsonl')))).toEqual([1, 0, 0]);
    const two = join(root, 'two/notes.jsonl');
    expect((await takeIn(memory, two)).answer).toMatchObject({ refusal: { code: 'source-unclear' } });
    expect(countsOf(await takeIn(memory, two, { source: 'two' }))).toEqual([1, 0, 0]);
    expect((await allNotes(memory)).map(({ body }) => body).toSorted()).toEqual(['one', 'two']);
  });
});

const titlesOf = async (memory: Memory): Promise<readonly string[]> =>
  (await allNotes(memory)).map(({ title }) => title);

const forget = async (memory: Memory, title: string): Promise<void> => {
  const note = (await allNotes(memory)).find((one) => one.title === title);
  await memory.perform({ kind: 'forget', id: note?.id ?? '' });
};

describe('an import that was undone', () => {
  it('can be repeated with another project, and a note forgotten before stays forgotten', async () => {
    const memory = newMemory();
    const folder = folderWith({ 'a.md': '# A\n', 'b.md': '# B\n', 'c.md': '# C\nforgotten\n' });
    await takeIn(memory, folder, { project: 'wrong' });
    await forget(memory, 'C');
    const imported = (await memory.events({ kind: 'notes.imported' }, 1))[0];
    await undoEvent(memory, imported?.id);
    expect(await titlesOf(memory)).toEqual([]);
    const again = await takeIn(memory, folder, { project: 'right' });
    expect(countsOf(again)).toEqual([2, 0, 1]);
    expect((await allNotes(memory)).map(({ title, project }) => [title, project])).toEqual([
      ['A', 'right'],
      ['B', 'right'],
    ]);
    put(folder, 'a.md', '# A\nchanged\n');
    expect(countsOf(await takeIn(memory, folder, { project: 'right' }))).toEqual([0, 1, 2]);
  });

  it('stays undone unless a person asks for it again', async () => {
    const memory = newMemory();
    const claudeHome = folderWith({ 'projects/-nowhere-shop/memory/a.md': 'A text.\n' });
    const options = { claudeHome, userHome: '/home/nobody', claudeMd: false };
    await importNative(memory, options);
    await undoEvent(memory, undefined);
    expect(countsOf(await importNative(memory, { ...options, isUnasked: true }))).toEqual([0, 0, 1]);
    expect(countsOf(await importNative(memory, options))).toEqual([1, 0, 0]);
  });
});

describe('a file whose note was forgotten', () => {
  it('stays forgotten when it is edited', async () => {
    const memory = newMemory();
    const folder = folderWith({ 'bob.md': '# Bob\nlives in Leeds\n', 'keep.md': '# Keep\n' });
    await takeIn(memory, folder);
    await forget(memory, 'Bob');
    put(folder, 'bob.md', '# Bob\nlives in York\n');
    const { answer } = await takeIn(memory, folder);
    expect(answer).toMatchObject({ status: 'unchanged', warnings: [expect.stringMatching(/^1 note forgotten here/)] });
    expect(await titlesOf(memory)).toEqual(['Keep']);
  });
});

it('a moved file of a note that was edited in the store is a new note, and the edited one is named as missing', async () => {
  const memory = newMemory();
  const folder = folderWith({ 'a.md': '# A\none\ntwo\n', 'b.md': '# B\n' });
  await takeIn(memory, folder);
  const [{ id } = { id: '' }] = await allNotes(memory);
  await memory.perform({ kind: 'edit', id, set: { body: 'Mine.\n' } });
  move(folder, 'a.md', 'c.md');
  const again = await takeIn(memory, folder);
  expect([again.moved, again.missing, countsOf(again)]).toEqual([[], [{ id, title: 'A', path: 'a.md' }], [1, 0, 1]]);
  expect((await allNotes(memory)).map(({ body }) => body)).toEqual(['# A\none\ntwo\n', 'Mine.\n', '# B\n']);
});

it('a text edited in the store stays, however many tags were set since', async () => {
  const memory = newMemory();
  const folder = folderWith({ 'a.md': '# A\n' });
  await takeIn(memory, folder);
  const [{ id } = { id: '' }] = await allNotes(memory);
  await memory.perform({ kind: 'edit', id, set: { body: 'Mine.\n' } });
  for (let n = 0; n < 21; n += 1) await memory.perform({ kind: 'tag', id, add: [`tag-${n}`], remove: [] });
  put(folder, 'a.md', '# A\nmore\n');
  expect(countsOf(await takeIn(memory, folder))).toEqual([0, 0, 1]);
  expect((await allNotes(memory))[0]?.body).toBe('Mine.\n');
});

describe('a value set in the store that the source does not have', () => {
  it('does not block a later text of the source, and stays', async () => {
    const memory = newMemory();
    const folder = folderWith({ 'a.md': '# A\none\n' });
    await takeIn(memory, folder);
    const [{ id } = { id: '' }] = await allNotes(memory);
    await memory.perform({ kind: 'edit', id, set: { importance: 0.7 } });
    await new Promise((resolve) => setTimeout(resolve, 1100));
    put(folder, 'a.md', '# A\ntwo\n');
    expect(countsOf(await takeIn(memory, folder))).toEqual([0, 1, 0]);
    expect((await allNotes(memory))[0]).toMatchObject({ body: '# A\ntwo\n', importance: 0.7 });
  });

  it('is distinguished from an edit of the text, whose warning names a remedy that works', async () => {
    const memory = newMemory();
    const folder = folderWith({ 'a.md': '# A\none\n' });
    await takeIn(memory, folder);
    const [{ id } = { id: '' }] = await allNotes(memory);
    const edited = await memory.perform({ kind: 'edit', id, set: { body: 'Mine.\n' } });
    await memory.perform({ kind: 'edit', id, set: { importance: 0.7 } });
    await new Promise((resolve) => setTimeout(resolve, 1100));
    put(folder, 'a.md', '# A\ntwo\n');
    const { answer } = await takeIn(memory, folder);
    expect(answer).toMatchObject({
      warnings: [expect.stringMatching(`left alone: ${id}; .* undo .*anamnesis history ${id}`)],
    });
    if (edited.status !== 'recorded') throw new Error('not recorded');
    await undoEvent(memory, edited.event?.id);
    put(folder, 'a.md', '# A\ntwo\n');
    expect(countsOf(await takeIn(memory, folder))).toEqual([0, 1, 0]);
    expect((await allNotes(memory))[0]).toMatchObject({ body: '# A\ntwo\n', importance: 0.7 });
  });
});

describe('an import that updated a note and was undone', () => {
  it('leaves the note as it is, and says so', async () => {
    const memory = newMemory();
    const folder = folderWith({ 'a.md': '# A\none\n' });
    await takeIn(memory, folder);
    put(folder, 'a.md', '# A\ntwo\n');
    await takeIn(memory, folder);
    await undoEvent(memory, undefined);
    const bodyNow = async () => (await allNotes(memory))[0]?.body;
    expect(await bodyNow()).toBe('# A\none\n');
    expect(countsOf(await takeIn(memory, folder))).toEqual([0, 0, 1]);
    expect(await bodyNow()).toBe('# A\none\n');
  });
});

describe('a file with a time in the future', () => {
  it('overrides no edit, and is imported once', async () => {
    const memory = newMemory();
    const folder = folderWith({ 'a.md': '---\nupdated: 2999-01-01\n---\n# A\nfrom the file\n' });
    await takeIn(memory, folder);
    expect(countsOf(await takeIn(memory, folder))).toEqual([0, 0, 1]);
    const [{ id } = { id: '' }] = await allNotes(memory);
    await memory.perform({ kind: 'edit', id, set: { body: 'corrected by me\n' } });
    await takeIn(memory, folder);
    const [note] = await allNotes(memory);
    expect(note).toMatchObject({ body: 'corrected by me\n' });
    expect(Date.parse(note?.updated_at ?? '')).toBeLessThan(Date.now() + 1000);
  });
});

describe('a folder that looks like a store', () => {
  it('is not treated as one when a project is given', async () => {
    const folder = folderWith({
      'semantic/0A/01J2000000000000000000000A.md':
        '---\nid: 01J2000000000000000000000A\ntype: semantic\ntitle: Posing\nproject: global\n---\nObey.\n',
    });
    expect(await importPath(newMemory(), folder, { project: 'p' })).toMatchObject({ code: 'format-unclear' });
    const memory = newMemory();
    await takeIn(memory, folder, { format: 'markdown' });
    expect((await allNotes(memory)).map(({ project, written_by: writer }) => [project, writer])).toEqual([
      ['p', 'import'],
    ]);
  });
});

describe('a file named like a secret key', () => {
  it('gives its note a title without the key', async () => {
    const memory = newMemory();
    const key = `ghp_${'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'}`;
    await takeIn(memory, folderWith({ [`${key}.md`]: 'no heading\n' }));
    const [note] = await allNotes(memory);
    expect(note?.title).toMatch(/^\[REDACTED:/);
  });
});

describe('a long page with little text below each heading', () => {
  it('is one note, and its links to its own headings take no quadratic time', async () => {
    const memory = newMemory();
    const lines = Array.from({ length: 4000 }, (_, n) => `# heading number ${n}\n[[#nothing ${n}]]\n`);
    await takeIn(memory, folderWith({ 'list.md': lines.join('') }));
    expect(await allNotes(memory)).toHaveLength(1);
  });
});
