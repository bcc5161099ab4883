/** A person puts a note's file in the place of another note's file while another machine edits one of the two. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Memory } from '../../src/store/memory.js';
import { personsGit, writeNote } from '../support/store.js';
import { startOnce } from '../support/template-machines.js';

const twoNotes = startOnce(['one', 'two'], async ({ one, two }, machines) => {
  const first = await writeNote(one, { title: 'First', body: 'text of the first\n' });
  const second = await writeNote(one, { title: 'Second', body: 'text of the second\n' });
  await machines.sync(one, two);
  return { first: first.id, second: second.id };
});

const fileOf = async (memory: Memory, id: string): Promise<string> => {
  const shown = await memory.show(id);
  if (!shown.ok || shown.answer.path === undefined) throw new Error(`${id} has no file`);
  return shown.answer.path;
};

const swap = async (memory: Memory, first: string, second: string): Promise<void> => {
  const [one, two] = [await fileOf(memory, first), await fileOf(memory, second)];
  renameSync(one, `${one}.aside`);
  renameSync(two, one);
  renameSync(`${one}.aside`, two);
};

/** Moves the file of `id` over that of `other`, which had no other file. */
const putOver = async (memory: Memory, id: string, other: string): Promise<void> =>
  renameSync(await fileOf(memory, id), await fileOf(memory, other));

const tag = (memory: Memory, id: string, name: string) => memory.perform({ kind: 'tag', id, add: [name], remove: [] });
const edit = (memory: Memory, id: string, body: string) => memory.perform({ kind: 'edit', id, set: { body } } as never);

const notesOf = async (memory: Memory) => {
  const { notes } = await memory.list({}, 20);
  const all = await Promise.all(
    notes.map(async ({ id, title, tags }) => {
      const shown = await memory.show(id);
      return { title, tags, body: (shown.ok && shown.answer.body) || '' };
    }),
  );
  return all.sort((a, b) => (a.title < b.title ? -1 : 1));
};

const first = { title: 'First', tags: [] as string[], body: 'text of the first\n' };
const second = { title: 'Second', tags: [] as string[], body: 'text of the second\n' };

/** The machine that wrote the notes syncs first, or the other one does. */
const orders = [['one'], ['two']] as const;

describe('a command for one of two notes whose files a person swapped', () => {
  it.each(['first', 'second'] as const)('finds the %s note at its new path', async (which) => {
    const { one, ...ids } = await twoNotes();
    await swap(one, ids.first, ids.second);
    expect(await one.show(ids[which])).toMatchObject({ ok: true, answer: { id: ids[which] } });
    expect(await tag(one, ids[which], 'x')).toMatchObject({ status: 'recorded' });
    const expected = { first, second };
    expect(await notesOf(one)).toEqual(Object.values({ ...expected, [which]: { ...expected[which], tags: ['x'] } }));
  });
});

describe.each(orders)('two notes whose files a person swapped, when %s syncs first', (starts) => {
  const turns = <Machine>(one: Machine, two: Machine): readonly Machine[] =>
    starts === 'one' ? [one, two, one, two] : [two, one, two, one];

  it('keep their texts and what the other machine wrote into one of them', async () => {
    const { machines, one, two, ...ids } = await twoNotes();
    await swap(one, ids.first, ids.second);
    await tag(two, ids.second, 'x');
    await machines.sync(...turns(one, two));
    for (const memory of [one, two]) expect(await notesOf(memory)).toEqual([first, { ...second, tags: ['x'] }]);
  });

  it('keep what either machine wrote into either of them', async () => {
    const { machines, one, two, ...ids } = await twoNotes();
    await swap(one, ids.first, ids.second);
    await one.adopt('record');
    await tag(one, ids.first, 'here');
    await edit(two, ids.first, 'text of the first\nmore\n');
    await tag(two, ids.second, 'there');
    await machines.sync(...turns(one, two));
    for (const memory of [one, two])
      expect(await notesOf(memory)).toEqual([
        { ...first, tags: ['here'], body: 'text of the first\nmore\n' },
        { ...second, tags: ['there'] },
      ]);
  });

  it('are still two notes when both machines have the swap', async () => {
    const { machines, one, two, ...ids } = await twoNotes();
    await swap(one, ids.first, ids.second);
    await swap(two, ids.first, ids.second);
    await tag(two, ids.second, 'x');
    await machines.sync(...turns(one, two));
    for (const memory of [one, two]) expect(await notesOf(memory)).toEqual([first, { ...second, tags: ['x'] }]);
  });

  it('are still merged note by note long after the swap', async () => {
    const { machines, one, two, ...ids } = await twoNotes();
    await swap(one, ids.first, ids.second);
    await machines.sync(one, two);
    await tag(one, ids.second, 'here');
    await edit(two, ids.second, 'text of the second\nmore\n');
    await machines.sync(...turns(one, two));
    for (const memory of [one, two])
      expect(await notesOf(memory)).toEqual([first, { ...second, tags: ['here'], body: 'text of the second\nmore\n' }]);
  });

  it('can be swapped back on one machine while the other one writes', async () => {
    const { machines, one, two, ...ids } = await twoNotes();
    await swap(one, ids.first, ids.second);
    await machines.sync(one, two);
    await swap(one, ids.first, ids.second);
    await tag(two, ids.second, 'x');
    await machines.sync(...turns(one, two));
    for (const memory of [one, two]) expect(await notesOf(memory)).toEqual([first, { ...second, tags: ['x'] }]);
  });
});

describe('one of two notes whose files were swapped long before', () => {
  it.each([
    ['its title', { title: 'Second, edited' }, { ...second, title: 'Second, edited' }],
    ['its body', { body: 'more\n' }, { ...second, body: 'more\n' }],
  ])(
    'comes back with %s changed when it was forgotten meanwhile, and the other note stays unchanged',
    async (_, set, edited) => {
      const { machines, one, two, ...ids } = await twoNotes();
      await swap(one, ids.first, ids.second);
      await machines.sync(one, two);
      await two.perform({ kind: 'forget', id: ids.second });
      await machines.sync(two);
      await one.perform({ kind: 'edit', id: ids.second, set } as never);
      await machines.sync(one, two);
      for (const memory of [one, two]) {
        expect(await notesOf(memory)).toEqual([first, edited]);
        expect(await memory.show(ids.second)).toMatchObject({ ok: true, answer: { title: edited.title } });
      }
    },
  );

  it('comes back even when its file lies in a folder of its own and the other note’s file has its old path', async () => {
    const { machines, one, two, ...ids } = await twoNotes();
    const place = await fileOf(one, ids.second);
    const apart = join(one.journals.portable.folder, 'semantic', 'apart', `${ids.second}.md`);
    mkdirSync(dirname(apart), { recursive: true });
    renameSync(place, apart);
    renameSync(await fileOf(one, ids.first), place);
    await machines.sync(one, two);
    await two.perform({ kind: 'forget', id: ids.second });
    await machines.sync(two);
    await one.perform({ kind: 'edit', id: ids.second, set: { body: 'edited\n' } });
    await machines.sync(one, two);
    for (const memory of [one, two]) expect(await notesOf(memory)).toEqual([first, { ...second, body: 'edited\n' }]);
  });
});

describe.each(orders)('a note’s file that a person put over that of another note, when %s syncs first', (starts) => {
  const turns = <Machine>(one: Machine, two: Machine): readonly Machine[] =>
    starts === 'one' ? [one, two, one, two] : [two, one, two, one];

  it('keeps what the other machine wrote into its note', async () => {
    const { machines, one, two, ...ids } = await twoNotes();
    await putOver(one, ids.second, ids.first);
    await tag(two, ids.second, 'x');
    await machines.sync(...turns(one, two));
    for (const memory of [one, two]) expect(await notesOf(memory)).toEqual([{ ...second, tags: ['x'] }]);
  });

  it('leaves the other note with what another machine wrote into it', async () => {
    const { machines, one, two, ...ids } = await twoNotes();
    await putOver(one, ids.second, ids.first);
    await edit(two, ids.first, 'text of the first\nmore\n');
    await machines.sync(...turns(one, two));
    for (const memory of [one, two])
      expect(await notesOf(memory)).toEqual([{ ...first, body: 'text of the first\nmore\n' }, second]);
  });

  it('leaves in each note what either machine wrote into it later', async () => {
    const { machines, one, two, ...ids } = await twoNotes();
    await putOver(one, ids.second, ids.first);
    await one.adopt('record');
    await edit(one, ids.second, 'text of the second\nhere\n');
    await edit(two, ids.first, 'text of the first\nmore\n');
    await tag(two, ids.second, 'x');
    await machines.sync(...turns(one, two));
    for (const memory of [one, two])
      expect(await notesOf(memory)).toEqual([
        { ...first, body: 'text of the first\nmore\n' },
        { ...second, tags: ['x'], body: 'text of the second\nhere\n' },
      ]);
  });
});

describe('a path that two notes claim', () => {
  it('stays with the note that is there, and the one whose type changed gets another path', async () => {
    const { machines, one, two, ...ids } = await twoNotes();
    await two.perform({ kind: 'edit', id: ids.first, set: { type: 'procedural' } });
    const third = await writeNote(two, { type: 'semantic', title: 'Third', body: 'text of the third\n' });
    await swap(two, ids.first, third.id);
    await two.adopt('record');
    await machines.sync(two);
    await tag(one, ids.first, 'x');
    await machines.sync(one, two);
    for (const memory of [one, two])
      expect(await notesOf(memory)).toEqual([
        { ...first, tags: ['x'] },
        second,
        { title: 'Third', tags: [], body: 'text of the third\n' },
      ]);
  });

  it('stays with a note that a person moved there on this machine', async () => {
    const { machines, one, two, ...ids } = await twoNotes();
    const file = await fileOf(two, ids.first);
    writeFileSync(file, readFileSync(file, 'utf8').replace('type: semantic', 'type: procedural'));
    await two.adopt('record');
    await machines.sync(two);
    const place = join(one.journals.portable.folder, 'procedural', ids.first.slice(-2), `${ids.first}.md`);
    mkdirSync(dirname(place), { recursive: true });
    renameSync(await fileOf(one, ids.second), place);
    await one.adopt('record');
    await tag(one, ids.first, 'x');
    await machines.sync(one, two);
    for (const memory of [one, two]) expect(await notesOf(memory)).toEqual([{ ...first, tags: ['x'] }, second]);
  });

  it('loses no text when a person’s merge brought the swap', async () => {
    const { machines, one, two, ...ids } = await twoNotes();
    const { folder } = one.journals.portable;
    await one.finish();
    personsGit(folder, 'checkout', '-q', '-b', 'side');
    await swap(one, ids.first, ids.second);
    personsGit(folder, 'commit', '-qam', 'swap');
    personsGit(folder, 'checkout', '-q', 'main');
    await writeNote(one, { title: 'Third', body: 'text of the third\n' });
    await one.finish();
    personsGit(folder, 'merge', '-q', '--no-edit', 'side');
    await tag(two, ids.first, 'x');
    await machines.sync(two, one, two);
    for (const memory of [one, two])
      expect(await notesOf(memory)).toEqual([
        { ...first, tags: ['x'] },
        second,
        { title: 'Third', tags: [], body: 'text of the third\n' },
      ]);
  });
});
