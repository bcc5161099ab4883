import type Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packNumbers, unpackNumbers } from '../../../src/projections/prints/note-prints.js';
import { isCorrectable } from '../../../src/projections/prints/read-words.js';
import { beginFold } from '../../../src/projections/registry.js';
import { indexNotes, type NotesIndex, projected } from '../../support/indexed-notes.js';

const wordsOf = (database: Database.Database): Readonly<Record<string, number>> =>
  Object.fromEntries(
    database
      .prepare<[], { word: string; notes: number }>('SELECT word, notes FROM vocabulary ORDER BY word')
      .all()
      .map(({ word, notes }) => [word, notes]),
  );

describe('the vocabulary', () => {
  let index: NotesIndex;
  const first = { title: 'Pool pool', body: 'The pools of Größe, sha256 and a b.', tags: ['Deploy'] };
  const second = { title: 'Pool', body: 'deploy' };
  beforeAll(() => {
    index = indexNotes([first, second]);
  });
  afterAll(() => index.close());

  it('counts, for each word as it is spelt, the notes that contain it', () => {
    expect(wordsOf(index.database)).toEqual({ and: 1, deploy: 2, große: 1, pool: 2, pools: 1, the: 1 });
  });

  it('drops a word with the last note that contains it, and restores it when the note is inserted again', () => {
    const before = wordsOf(index.database);
    const change = (act: (fold: ReturnType<typeof beginFold>) => void): void => {
      const fold = beginFold(index.database, 'catch-up');
      act(fold);
      fold.finish();
    };
    const row = projected(first, 0);
    if (!('note' in row)) throw new Error('the note is readable');
    change((fold) => fold.remove('portable', row.note.path));
    expect(wordsOf(index.database)).toEqual({ deploy: 1, pool: 1 });
    change((fold) => fold.remove('portable', row.note.path));
    change((fold) => fold.insert(row));
    expect(wordsOf(index.database)).toEqual(before);
  });

  it('packs and unpacks any numbers', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 2 ** 40 })), (numbers) => {
        expect(unpackNumbers(packNumbers(numbers))).toEqual(numbers);
      }),
    );
    expect(packNumbers([1, 127, 128])).toHaveLength(4);
  });

  it.each<[string, boolean]>([
    ['pool', true],
    ['große', true],
    ['очередь', true],
    ['ab', false],
    ['sha256', false],
    ['数据库迁移', false],
    ['สวัสดี', false],
    ['x'.repeat(33), false],
  ])('accepts %s: %s', (word, accepted) => {
    expect(isCorrectable(word)).toBe(accepted);
  });
});
