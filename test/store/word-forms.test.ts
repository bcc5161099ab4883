import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatExplanation } from '../../src/cli/note-view.js';
import { explainRanking } from '../../src/projections/search/explain.js';
import { searchIndex } from '../../src/store/searching.js';
import { indexNotes, type NotesIndex } from '../support/indexed-notes.js';

const notes = [
  { title: 'Release', body: 'We went live on Monday.' },
  { title: 'Tickets', body: 'They go to the board.' },
  { title: 'The decision about queues', body: 'One broker, no more.' },
  { title: 'Colours of the theme', body: 'Grey and green.' },
  { title: 'Configuration', body: 'Lives in one file.' },
  { title: 'Wend your way', body: 'A walk in the park.' },
] as const;

let index: NotesIndex;
beforeAll(() => {
  index = indexNotes(notes);
});
afterAll(() => index.close());

const search = (text: string, explain = false) =>
  searchIndex(index.database, text, {}, 1_750_000_000, undefined, explain ? explainRanking : undefined);
const found = (text: string): readonly string[] => search(text).ranking.hits.map(({ note }) => note.title);

describe('a search', () => {
  it.each<[query: string, first: string]>([
    ['go live', 'Release'],
    ['when did we go live', 'Release'],
    ['who decided about queues', 'The decision about queues'],
    ['gray theme color', 'Colours of the theme'],
    ['config', 'Configuration'],
  ])('for %j finds another form of its words: %s', (query, first) => {
    expect(found(query)[0]).toBe(first);
  });

  it('ranks the form that was asked for before another one', () => {
    expect(found('go')).toEqual(['Tickets', 'Release']);
    expect(found('went')).toEqual(['Release', 'Tickets']);
  });

  it('does not correct a word if a note has another form of it', () => {
    const { about } = search('gone');
    expect(about.corrected).toBeUndefined();
    expect(found('gone')).toEqual(expect.arrayContaining(['Release', 'Tickets']));
  });

  it('uses no other forms in a phrase or an exclusion', () => {
    expect(found('"they go"')).toEqual(['Tickets']);
    expect(search('"they went"').about.relaxed).toContain('no note');
    expect(found('broker -decide')).toEqual(['The decision about queues']);
  });

  it('uses no other forms in a query that is not in the language of the notes', () => {
    const { about } = search('wie haben wir die lange decision', true);
    expect(about.explain?.words.filter(({ forms }) => forms !== undefined)).toEqual([]);
  });

  it('uses no other forms beside a phrase, and scores none', () => {
    const { about, ranking } = search('"they go" live', true);
    expect(about.explain?.words.filter(({ forms }) => forms !== undefined)).toEqual([]);
    expect(ranking.hits.map(({ note }) => note.title)).toEqual(['Tickets']);
  });

  it('does not count another wording twice if it is a form of a word of the query', () => {
    const { hits } = searchIndex(index.database, 'go', { also: ['went'] }, 1_750_000_000).ranking;
    expect(hits.map(({ note }) => note.title)).toEqual(['Tickets', 'Release']);
    expect(hits.map(({ score }) => score)).toEqual(search('go').ranking.hits.map(({ score }) => score));
  });

  it('reports which other forms it used', () => {
    const { about } = search('go live', true);
    expect(about.explain?.words).toEqual([
      { word: 'go', notes: 1, forms: ['went'] },
      { word: 'live', notes: 2 },
    ]);
    if (about.explain === undefined) throw new Error('no explanation');
    expect(formatExplanation(about.explain)).toContain('go (in 1 note; also went), live (in 2 notes)');
  });
});
