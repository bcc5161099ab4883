/** A file of one journal at the path of a note of the other: neither note is lost, and nothing private is published. */
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
] as const)('a file with %s at the path of a note of the other journal', (_, from, to) => {
  let [copied, replaced]: Written[] = [];
  const [source, target] = [() => copied as Written, () => replaced as Written];
  beforeEach(async () => {
    const apple = await write('Apple', 'portable');
    const priv = await write('Priv', 'machine-local');
    [copied, replaced] = from === 'portable' ? [apple, priv] : [priv, apple];
    copyFileSync(source().file, target().file);
  });

  it.each(['hold', 'record'] as const)('is left by adopt (%s) for a reason naming both notes', async (deletions) => {
    const reason = `it took the place of note ${target().id}: it says it is note ${source().id}, which is ${from}; anamnesis adopt --put-back restores ${target().id}`;
    expect((await readStatus(store.memory)).left).toMatchObject([{ path: target().relative, reason }]);
    expect(await adopt(deletions)).toMatchObject({ events: [], left: [{ path: target().relative, reason }] });
    expect(await notes()).toEqual(both);
    expect(published()).not.toContain('The text of Priv');
  });

  it('is replaced when the note of its path is put back', async () => {
    expect(await adopt('put-back')).toMatchObject({ events: [], left: [], put_back: [{ path: target().relative }] });
    expect([holds(target()), holds(source())]).toEqual([true, true]);
    expect((await readStatus(store.memory)).left).toEqual([]);
  });

  it('is replaced by a command on the note of its path, which stays in its journal', async () => {
    await store.memory.show(target().id);
    expect(await tag(target().id)).toMatchObject({ status: 'recorded', note: { scope: to } });
    expect(holds(target())).toBe(true);
    expect(await notes()).toEqual(both);
    expect(published()).not.toContain('The text of Priv');
  });

  it('stays if its text is nowhere else, with a reason that says where it belongs', async () => {
    appendFileSync(target().file, 'TYPED\n');
    const folder = from === 'portable' ? 'memory' : 'local';
    const reason = `it took the place of note ${target().id}: it says it is note ${source().id}, which is ${from} and belongs in ${folder}/${source().relative}; its text is nowhere else: move it away, then anamnesis adopt --put-back restores ${target().id}`;
    expect(await adopt('put-back')).toMatchObject({ events: [], left: [{ reason }], put_back: [] });
    expect(await tag(target().id)).toMatchObject({
      status: 'refused',
      refusal: { message: expect.stringContaining(reason) },
    });
    expect(readFileSync(target().file, 'utf8')).toContain('TYPED');
    expect(await notes()).toEqual(both);
    renameSync(target().file, join(store.home, 'elsewhere.md'));
    expect(await tag(target().id)).toMatchObject({ status: 'recorded' });
    expect(holds(target())).toBe(true);
  });
});

describe('two files that were swapped between the journals', () => {
  let [apple, priv]: Written[] = [];
  const [a, p] = [() => apple as Written, () => priv as Written];
  beforeEach(async () => {
    apple = await write('Apple', 'portable');
    priv = await write('Priv', 'machine-local');
    renameSync(a().file, `${a().file}.tmp`);
    renameSync(p().file, a().file);
    renameSync(`${a().file}.tmp`, p().file);
  });

  it.each(['hold', 'record'] as const)('are left by adopt (%s), which still finds both notes', async (deletions) => {
    const { events, left } = await adopt(deletions);
    expect(events).toEqual([]);
    expect(left.map(({ path }) => path)).toEqual([a().relative, p().relative]);
    expect(await notes()).toEqual(both);
    expect(published()).not.toContain('The text of Priv');
  });

  it('go back with adopt --put-back', async () => {
    await adopt();
    expect((await adopt('put-back')).put_back).toHaveLength(2);
    expect([holds(a()), holds(p())]).toEqual([true, true]);
    expect((await adopt()).left).toEqual([]);
  });

  it('do not stop commands on either note, which use its recorded text', async () => {
    await adopt();
    expect(await tag(p().id)).toMatchObject({ status: 'recorded', note: { scope: 'machine-local' } });
    expect(await tag(a().id)).toMatchObject({ status: 'recorded', note: { scope: 'portable' } });
    expect([holds(a()), holds(p())]).toEqual([true, true]);
    expect(published()).not.toContain('The text of Priv');
  });
});

it('a text marked machine-local at the path of another, portable note is not offered for a move', async () => {
  const [apple, priv] = [await write('Apple', 'portable'), await write('Priv', 'machine-local')];
  copyFileSync(priv.file, apple.file);
  await store.memory.perform({ kind: 'move', id: priv.id, scope: 'portable' });
  const [left] = (await adopt()).left;
  expect(left?.reason).toContain(`in the place of note ${apple.id}: move it away, then anamnesis adopt --put-back`);
  expect(left?.reason).not.toContain('anamnesis move');
});

it('a copy of the machine-local text of a note that is also portable publishes nothing', async () => {
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
