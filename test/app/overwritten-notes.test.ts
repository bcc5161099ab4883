/** A person copies, moves or renames one note's file over another's, then undoes it. */
import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { restoreAt, undoEvent } from '../../src/app/undoing.js';
import { openStore, type TestStore, writeNote } from '../support/store.js';

let store: TestStore;
let hand: { id: string; path: string };
let other: { id: string; path: string };
beforeEach(async () => {
  store = openStore();
  const write = async (title: string, body: string) => {
    const { id, path = '' } = await writeNote(store.memory, { title, body });
    return { id, path };
  };
  hand = await write('Hand', 'by hand\n');
  other = await write('Other', 'another\n');
});
afterEach(() => store.close());

const bodies = async (): Promise<Readonly<Record<string, string>>> => {
  const { notes } = await store.memory.list({}, 10);
  const shown = await Promise.all(notes.map(({ id }) => store.memory.show(id)));
  return Object.fromEntries(shown.map((one) => (one.ok ? [one.answer.title, one.answer.body?.trim() ?? ''] : [])));
};
const both = { Hand: 'by hand', Other: 'another' };
const adopt = (): Promise<unknown> => store.memory.adopt('hold');
const undo = (): Promise<unknown> => undoEvent(store.memory, undefined);
const freshId = '01JZZZZZZZZZZZZZZZZZZZZZZZ';
const giveAnotherId = (body: string): void =>
  writeFileSync(
    hand.path,
    readFileSync(hand.path, 'utf8')
      .replace(/^id: .*$/m, `id: ${freshId}`)
      .replace('by hand', body),
  );

describe('undoing a change by hand', () => {
  const overwrite = (): void => copyFileSync(hand.path, other.path);
  const move = (): void => renameSync(hand.path, other.path);
  const swap = (): void => {
    const [first, second] = [readFileSync(hand.path), readFileSync(other.path)];
    writeFileSync(hand.path, second);
    writeFileSync(other.path, first);
  };

  it.each([
    ['a copy of one note over another', overwrite],
    ['a move of one note over another', move],
    ['a swap of the files of two notes', swap],
    ['a change of the id in a file', () => giveAnotherId('by hand')],
  ])('brings both notes back after %s', async (_, change) => {
    change();
    await adopt();
    await undo();
    expect(await bodies()).toEqual(both);
  });

  it('can itself be undone', async () => {
    move();
    await adopt();
    await undo();
    await undo();
    expect(await bodies()).toEqual({ Hand: 'by hand' });
  });

  it('leaves a note alone when its only file was changed since', async () => {
    move();
    await adopt();
    writeFileSync(other.path, readFileSync(other.path, 'utf8').replace('by hand', 'typed since'));
    await adopt();
    const [, moved] = await store.memory.events({}, 2);
    await undoEvent(store.memory, moved?.id);
    expect(Object.values(await bodies())).toContain('typed since');
  });
});

describe('a note whose file another note overwrote', () => {
  beforeEach(async () => {
    copyFileSync(hand.path, other.path);
    await adopt();
  });

  it('has that adoption in its history', async () => {
    const [event] = await store.memory.events({ note: other.id }, 1);
    expect(event?.kind).toBe('hand.adopted');
  });

  it('can be restored', async () => {
    await store.memory.perform({ kind: 'restore', id: other.id });
    expect(await bodies()).toEqual(both);
  });
});

describe('restoring a note to a point when another note has its file', () => {
  it('is refused and changes neither note', async () => {
    const [written] = await store.memory.events({ note: hand.id }, 1);
    giveAnotherId('new text');
    await adopt();
    const restored = await restoreAt(store.memory, hand.id, written?.id ?? '');
    expect(restored).toMatchObject({ status: 'refused', refusal: { code: 'place-taken' } });
    expect(await bodies()).toEqual({ Hand: 'new text', Other: 'another' });
  });
});
