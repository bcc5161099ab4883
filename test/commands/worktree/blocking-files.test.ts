/** The advice "correct that file or move it away, then repeat the command" works: the repeated command succeeds. */
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adoptEdits } from '../../../src/app/adopting.js';
import { openStore, type TestStore, writeNote } from '../../support/store.js';

let store: TestStore;
beforeEach(() => {
  store = openStore();
});
afterEach(async () => {
  await store.close();
});

const write = async (title: string, scope: 'portable' | 'machine-local' = 'portable') => {
  const { id, path = '' } = await writeNote(store.memory, { title, body: `The text of ${title}.\n`, scope });
  return { id, file: path };
};
const tag = (id: string) => store.memory.perform({ kind: 'tag', id, add: ['x'], remove: [] });
const titles = async (): Promise<readonly string[]> =>
  (await store.memory.list({}, 100)).notes.map(({ title }) => title).toSorted();
const kinds = async (): Promise<readonly string[]> => (await store.memory.events({}, 100)).map(({ kind }) => kind);
const breakFile = (file: string): void =>
  writeFileSync(file, `${readFileSync(file, 'utf8').replace(/^title:.*$/m, 'title: [half')}TYPED\n`);

const advice = 'move it away, then repeat the command';
const elsewhere = (): string => join(store.home, 'elsewhere.md');

describe('a repeated command on a note whose file blocked it', () => {
  it.each(['portable', 'machine-local'] as const)(
    'puts the recorded %s text back once the file is moved away',
    async (scope) => {
      const apple = await write('Apple', scope);
      await write('Banana');
      breakFile(apple.file);
      expect(await tag(apple.id)).toMatchObject({
        status: 'refused',
        refusal: { next: expect.stringContaining(advice) },
      });
      renameSync(apple.file, elsewhere());
      expect(await tag(apple.id)).toMatchObject({ status: 'recorded', event: { kind: 'note.tagged' } });
      expect(readFileSync(apple.file, 'utf8')).toContain('The text of Apple.');
      expect(readFileSync(elsewhere(), 'utf8')).toContain('TYPED');
      expect(await kinds()).not.toContain('hand.adopted');
    },
  );

  it('is recorded if the file was a copy of a machine-local note', async () => {
    const [apple, secret] = [await write('Apple'), await write('Priv', 'machine-local')];
    copyFileSync(secret.file, apple.file);
    writeFileSync(apple.file, `${readFileSync(apple.file, 'utf8')}TYPED\n`);
    expect(await tag(apple.id)).toMatchObject({
      status: 'refused',
      refusal: { next: expect.stringContaining(advice) },
    });
    renameSync(apple.file, elsewhere());
    expect(await tag(apple.id)).toMatchObject({ status: 'recorded' });
    expect(await titles()).toEqual(['Apple', 'Priv']);
  });

  it('is recorded even after another command in between', async () => {
    const [apple, banana] = [await write('Apple'), await write('Banana')];
    breakFile(apple.file);
    await tag(apple.id);
    renameSync(apple.file, elsewhere());
    expect(await tag(banana.id)).toMatchObject({ status: 'recorded' });
    expect(await tag(apple.id)).toMatchObject({ status: 'recorded' });
    expect(existsSync(apple.file)).toBe(true);
  });
});

describe('a removed file that a reader noticed', () => {
  it('is put back by a command on its note', async () => {
    const apple = await write('Apple');
    rmSync(apple.file);
    await store.memory.show(apple.id);
    expect(await tag(apple.id)).toMatchObject({ status: 'recorded' });
    expect(await kinds()).not.toContain('hand.adopted');
  });

  it('is still recorded as removed by adopt', async () => {
    const apple = await write('Apple');
    await write('Banana');
    rmSync(apple.file);
    await store.memory.show(apple.id);
    await write('Cherry');
    const { changes } = await adoptEdits(store.memory, 'hold');
    expect(changes).toMatchObject([{ id: apple.id, change: 'forgotten' }]);
    expect(await titles()).toEqual(['Banana', 'Cherry']);
  });
});
