import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { Note } from '../../src/events/note/note.js';
import { priorOf, type Worth } from '../../src/projections/search/rank-hits.js';
import { searchNotes } from '../../src/projections/search/search.js';
import { indexNotes, type NotesIndex } from '../support/indexed-notes.js';

const usual: Worth = { importance: null, confidence: 1, updated_at: 0 };
const year = 365 * 86_400;

describe('the prior of a note', () => {
  it('is greater for an important, a certain or a recent note', () => {
    expect(priorOf({ ...usual, importance: 0.9 }, 0)).toBeGreaterThan(priorOf(usual, 0));
    expect(priorOf({ ...usual, importance: 0.1 }, 0)).toBeLessThan(priorOf(usual, 0));
    expect(priorOf({ ...usual, confidence: 0.5 }, 0)).toBeLessThan(priorOf(usual, 0));
    expect(priorOf(usual, year)).toBeLessThan(priorOf(usual, 0));
  });

  it('lies between 1 and 1.25, whatever a file claims', () => {
    const any = fc.record({
      importance: fc.option(fc.double({ noNaN: true })),
      confidence: fc.double({ noNaN: true }),
      updated_at: fc.integer(),
    });
    fc.assert(
      fc.property(any, fc.integer(), (worth, newest) => {
        const prior = priorOf(worth, newest);
        return prior >= 1 && prior <= 1.25 + 1e-9;
      }),
    );
  });
});

describe('searching', () => {
  let index: NotesIndex | undefined;
  afterEach(() => index?.close());
  const titlesFound = (text: string, ...notes: readonly Partial<Note>[]): readonly string[] => {
    index = indexNotes(notes);
    const { hits } = searchNotes(index.database, { text, filter: {}, k: 8, nowSeconds: 0 });
    return hits.map(({ note }) => note.title);
  };
  const about = (title: string, more: Partial<Note> = {}): Partial<Note> => ({
    title,
    body: 'The deploy hangs behind the proxy.',
    createdAt: '2026-01-01T00:00:00+00:00',
    updatedAt: '2026-01-01T00:00:00+00:00',
    ...more,
  });

  it('ranks the more important of two notes with the same words first, even if the other one is newer', () => {
    const newer = about('Newer', { updatedAt: '2026-02-01T00:00:00+00:00' });
    expect(titlesFound('deploy hangs', about('Important', { importance: 1 }), newer)).toEqual(['Important', 'Newer']);
  });

  it('ranks the more certain note first', () => {
    expect(titlesFound('deploy hangs', about('Certain'), about('Guess', { confidence: 0.3 }))).toEqual([
      'Certain',
      'Guess',
    ]);
  });

  it('ranks a note with more of the words before one with a higher prior', () => {
    const worthy = about('Worthy', { body: 'The deploy went well.', importance: 1 });
    expect(titlesFound('deploy hangs proxy', worthy, about('Fitting', { importance: 0 }))).toEqual([
      'Fitting',
      'Worthy',
    ]);
  });

  it('reports the prior of each hit', () => {
    index = indexNotes([about('One', { importance: 1 }), about('Two')]);
    const { hits } = searchNotes(index.database, { text: 'deploy', filter: {}, k: 8, nowSeconds: 0 });
    for (const { score, parts } of hits) {
      expect(score).toBeCloseTo(((parts?.bm25 ?? 0) + (parts?.nearness ?? 0)) * (parts?.prior ?? 0), 6);
    }
    expect(hits.map(({ parts }) => parts?.prior.toFixed(2))).toEqual(['1.25', '1.20']);
  });

  it('shows each hit on one page only, although only the first fifty are weighted', () => {
    const notes = Array.from({ length: 70 }, (_, at) => about(`Note ${at}`, { importance: (at % 11) / 10 }));
    index = indexNotes(notes);
    const { database } = index;
    const pageAt = (offset: number): readonly string[] =>
      searchNotes(database, { text: 'deploy', filter: {}, k: 10, offset, nowSeconds: 0 }).hits.map(
        ({ note }) => note.id,
      );
    const shown = [0, 10, 20, 30, 40, 50, 60].flatMap(pageAt);
    expect(new Set(shown).size).toBe(70);
  });
});
