/** A file of one journal that a person put in the place of another journal's note: neither note is lost, none is published. */
import { appendFileSync, copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readStatus } from '../../../src/app/status.js';
import type { Scope } from '../../../src/events/note/note.js';
import { newMachines } from '../../support/machines.js';
import { appOver, noteOf, openStore, personsGit, type TestStore, writeNote } from '../../support/store.js';

let store: TestStore;
beforeEach(() => {
  store = openStore();
});
afterEach(async () => {
  await store.close();
});

const write = async (title: string, scope: Scope) => {
  const { id, path = '' } = await writeNote(store.memory, { title, body: `The text of ${title}.\n`, scope });
  return { id, title, file: path, relative: `semantic/${id.slice(-2)}/${id}.md` };
};
type Written = Awaited<ReturnType<typeof write>>;
const adopt = (deletions: 'hold' | 'record' | 'put-back' = 'hold') => appOver(store.memory).intake.adopt(deletions);
const tag = (id: string) => store.memory.perform({ kind: 'tag', id, add: ['x'], remove: [] });
const holds = ({ file, title }: Written): boolean => readFileSync(file, 'utf8').includes(`The text of ${title}.`);
const notes = async (): Promise<readonly string[]> =>
  (await store.memory.list({}, 100)).notes.map(({ title, scope }) => `${scope} ${title}`).toSorted();
const published = (): string => personsGit(join(store.home, 'memory'), 'log', '-p', '--all');
const both = ['machine-local Priv', 'portable Apple'];

describe.each([
  ['a machine-local note', 'machine-local', 'portable'],
  ['a portable note', 'portable', 'machine-local'],
] as const)('a file that holds %s in the place of one of the other journal', (_, from, to) => {
  let [copied, replaced]: Written[] = [];
  const [by, id] = [() => copied as Written, () => replaced as Written];
  beforeEach(async () => {
    const apple = await write('Apple', 'portable');
    const priv = await write('Priv', 'machine-local');
    [copied, replaced] = from === 'portable' ? [apple, priv] : [priv, apple];
    copyFileSync(by().file, id().file);
  });

  it.each(['hold', 'record'] as const)('is left by adopt (%s), and names both notes', async (deletions) => {
    const reason = `it took the place of note ${id().id}: it says it is note ${by().id}, which is ${from}; anamnesis adopt --put-back restores ${id().id}`;
    expect((await readStatus(store.memory)).left).toMatchObject([{ path: id().relative, reason }]);
    expect(await adopt(deletions)).toMatchObject({ events: [], left: [{ path: id().relative, reason }] });
    expect(await notes()).toEqual(both);
    expect(published()).not.toContain('The text of Priv');
  });

  it('makes way for its note where that is put back', async () => {
    expect(await adopt('put-back')).toMatchObject({ events: [], left: [], put_back: [{ path: id().relative }] });
    expect([holds(id()), holds(by())]).toEqual([true, true]);
    expect((await readStatus(store.memory)).left).toEqual([]);
  });

  it('makes way for a command on its note, which stays where it is', async () => {
    await store.memory.show(id().id);
    expect(await tag(id().id)).toMatchObject({ status: 'recorded', note: { scope: to } });
    expect(holds(id())).toBe(true);
    expect(await notes()).toEqual(both);
    expect(published()).not.toContain('The text of Priv');
  });

  it('stays where its text is nowhere else, and is named with where it belongs', async () => {
    appendFileSync(id().file, 'TYPED\n');
    const folder = from === 'portable' ? 'memory' : 'local';
    const reason = `it took the place of note ${id().id}: it says it is note ${by().id}, which is ${from} and belongs in ${folder}/${by().relative}; its text is nowhere else: move it away, then anamnesis adopt --put-back restores ${id().id}`;
    expect(await adopt('put-back')).toMatchObject({ events: [], left: [{ reason }], put_back: [] });
    expect(await tag(id().id)).toMatchObject({
      status: 'refused',
      refusal: { message: expect.stringContaining(reason) },
    });
    expect(readFileSync(id().file, 'utf8')).toContain('TYPED');
    expect(await notes()).toEqual(both);
    renameSync(id().file, join(store.home, 'elsewhere.md'));
    expect(await tag(id().id)).toMatchObject({ status: 'recorded' });
    expect(holds(id())).toBe(true);
  });
});

describe('two files that changed places between the journals', () => {
  let [apple, priv]: Written[] = [];
  const [a, p] = [() => apple as Written, () => priv as Written];
  beforeEach(async () => {
    apple = await write('Apple', 'portable');
    priv = await write('Priv', 'machine-local');
    renameSync(a().file, `${a().file}.tmp`);
    renameSync(p().file, a().file);
    renameSync(`${a().file}.tmp`, p().file);
  });

  it.each(['hold', 'record'] as const)('are left by adopt (%s), and both notes are found', async (deletions) => {
    const { events, left } = await adopt(deletions);
    expect(events).toEqual([]);
    expect(left.map(({ path }) => path)).toEqual([a().relative, p().relative]);
    expect(await notes()).toEqual(both);
    expect(published()).not.toContain('The text of Priv');
  });

  it('go back by adopt --put-back', async () => {
    await adopt();
    expect((await adopt('put-back')).put_back).toHaveLength(2);
    expect([holds(a()), holds(p())]).toEqual([true, true]);
    expect((await adopt()).left).toEqual([]);
  });

  it('let commands on either note read what was recorded of it', async () => {
    await adopt();
    expect(await tag(p().id)).toMatchObject({ status: 'recorded', note: { scope: 'machine-local' } });
    expect(await tag(a().id)).toMatchObject({ status: 'recorded', note: { scope: 'portable' } });
    expect([holds(a()), holds(p())]).toEqual([true, true]);
    expect(published()).not.toContain('The text of Priv');
  });
});

it('a text that says machine-local, in the place of another portable note, is not offered to be kept as that', async () => {
  const [apple, priv] = [await write('Apple', 'portable'), await write('Priv', 'machine-local')];
  copyFileSync(priv.file, apple.file);
  await store.memory.perform({ kind: 'move', id: priv.id, scope: 'portable' });
  const [left] = (await adopt()).left;
  expect(left?.reason).toContain(`in the place of note ${apple.id}: move it away, then anamnesis adopt --put-back`);
  expect(left?.reason).not.toContain('anamnesis move');
});

it('a copy of the machine-local text of a note that is portable as well publishes nothing', async () => {
  const machines = newMachines();
  const [one, two] = [await machines.open('one'), await machines.open('two')];
  const apple = await writeNote(one, { title: 'Apple' });
  const { id } = await writeNote(one, { title: 'Other', body: 'Old.\n' });
  await machines.sync(one, two);
  const moved = noteOf(await one.perform({ kind: 'move', id, scope: 'machine-local' }));
  await two.perform({ kind: 'edit', id, set: { body: 'New.\n' } });
  await machines.sync(two, one);
  await one.perform({ kind: 'edit', id, set: { body: 'Private since.\n' } });
  const text = readFileSync(moved.path ?? '', 'utf8').replace(/^scope: .*\n/m, '');
  writeFileSync(apple.path ?? '', `${text}TYPED\n`);
  const { left } = (await one.adopt('hold')).portable;
  expect(left).toMatchObject([{ reason: expect.stringContaining(`took the place of note ${apple.id}`) }]);
  await one.finish();
  const { folder } = one.journals.portable;
  expect(personsGit(folder, 'log', '-p', '--all')).not.toContain('Private since.');
});
