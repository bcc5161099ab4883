/** A person puts the file of one note in the place of another's, or changes its id: the file is left until it is renamed. */
import { appendFileSync, copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adoptEdits } from '../../../src/app/adopting.js';
import { readStatus } from '../../../src/app/status.js';
import { openStore, personsGit, type TestStore, writeNote } from '../../support/store.js';

let store: TestStore;
beforeEach(() => {
  store = openStore();
});
afterEach(() => store.close());

const write = async (title: string) => {
  const { id, path = '' } = await writeNote(store.memory, { title, body: `The text of ${title}.\n` });
  return { id, file: path, relative: `semantic/${id.slice(-2)}/${id}.md` };
};
const titles = async (): Promise<readonly string[]> =>
  (await store.memory.list({}, 100)).notes.map(({ title }) => title).toSorted();
const swap = (one: string, other: string): void => {
  renameSync(one, `${one}.aside`);
  renameSync(other, one);
  renameSync(`${one}.aside`, other);
};
const tag = (id: string) => store.memory.perform({ kind: 'tag', id, add: ['x'], remove: [] });
const newId = '01JC0000000000000000000001';

describe('a note file that says it is another note', () => {
  it.each<[string, (a: string, b: string) => void]>([
    ['a copy of another one', (a, b) => copyFileSync(a, b)],
    ['another one, moved over it', (a, b) => renameSync(a, b)],
    ['another one, swapped with it', swap],
    [
      'its own, with another id',
      (_, b) => writeFileSync(b, readFileSync(b, 'utf8').replace(/^id: .*$/m, `id: ${newId}`)),
    ],
  ])('%s, is left and named, and removes neither note', async (_, change) => {
    const [a, b] = [await write('A'), await write('B')];
    change(a.file, b.file);
    appendFileSync(b.file, 'typed\n');
    const adopted = await adoptEdits(store.memory, 'hold');
    expect(adopted).toMatchObject({ event_ids: [], held_deletions: [] });
    expect(adopted.left.find(({ path }) => path === b.relative)?.reason).toMatch(
      /id: it says it is note \w{26}, but it is not named \w{26}\.md: rename it, or move it away$/,
    );
    expect((await readStatus(store.memory)).left).toEqual(adopted.left);
    expect(await tag(b.id)).toMatchObject({ status: 'refused', refusal: { code: 'file-blocked' } });
    expect(readFileSync(b.file, 'utf8')).toContain('typed');
    expect(await titles()).toEqual(['A', 'B']);
  });

  it('is settled by removing it and putting its note back', async () => {
    const [a, b] = [await write('A'), await write('B')];
    renameSync(a.file, b.file);
    rmSync(b.file);
    await adoptEdits(store.memory, 'put-back');
    expect(readFileSync(a.file, 'utf8')).toContain('The text of A.');
    expect(await tag(b.id)).toMatchObject({ status: 'recorded' });
  });

  it('is unreadable if a person committed it, until it is named after its note', async () => {
    const [a, b] = [await write('A'), await write('B')];
    const { folder } = store.memory.journals.portable;
    swap(a.file, b.file);
    personsGit(folder, 'add', '-A');
    personsGit(folder, 'commit', '-qm', 'swap');
    expect(await titles()).toEqual([]);
    expect((await readStatus(store.memory)).skipped.map(({ code }) => code)).toEqual(['misnamed', 'misnamed']);
    expect(await tag(a.id)).toMatchObject({ status: 'refused', refusal: { code: 'file-blocked' } });
    swap(a.file, b.file);
    await adoptEdits(store.memory, 'hold');
    expect(await titles()).toEqual(['A', 'B']);
  });
});
