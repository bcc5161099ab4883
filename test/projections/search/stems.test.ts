import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readStems } from '../../../src/projections/search/query-words.js';
import { indexNotes, type NotesIndex } from '../../support/indexed-notes.js';

let index: NotesIndex;
beforeAll(() => {
  index = indexNotes([]);
});
afterAll(() => index.close());

const read = (...words: readonly string[]) => readStems(index.database, words);

describe('the stems of words', () => {
  it('are each listed once, with the place of the first word that has it', () => {
    expect(read('deploys', 'queue', 'deployed')).toEqual([
      { stem: 'deploi', at: 0 },
      { stem: 'queue', at: 1 },
    ]);
  });

  it('are one for each part of a word, and none for a word without letters', () => {
    expect(read('--', 'retry-limits')).toEqual([
      { stem: 'retri', at: 1 },
      { stem: 'limit', at: 1 },
    ]);
  });

  it('are the same when they are read again, whatever was read in between', () => {
    const words = ['moved', 'notes', 'moving'];
    const before = read(...words);
    for (let at = 0; at < 50; at += 1) read('moved', `${'x'.repeat(9000)}${at}`);
    expect(read(...words)).toEqual(before);
    expect(read('notes', 'moved')).toEqual([
      { stem: 'note', at: 0 },
      { stem: 'move', at: 1 },
    ]);
  });
});
