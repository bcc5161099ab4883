import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPrompt } from '../../../../src/projections/recall/prompt-words.js';
import { searchTyped } from '../../../../src/projections/search/query/parse-query.js';
import { formsInNotes } from '../../../../src/projections/search/query-words.js';
import { searchNotes } from '../../../../src/projections/search/search.js';
import { indexNotes, type NotesIndex } from '../../../support/indexed-notes.js';

const titles = [
  'Deploys need the VPN',
  'Credentials rotate weekly',
  'Where the creds are',
  'Sendung an GLS melden',
  'Verlorene Sendungen',
  'Zollpapiere mit Handelsrechnung',
  'Alte Rechnungen archivieren',
  'Rechnungsnummern ohne Lücken',
];
let index: NotesIndex;
beforeAll(() => {
  index = indexNotes(titles.map((title) => ({ title })));
});
afterAll(() => index.close());

const search = (text: string) => {
  const { ranking } = searchTyped(text, 0, (typed) =>
    searchNotes(index.database, { ...typed, filter: {}, k: 8, nowSeconds: 0, isFuzzy: true }),
  );
  const { hits, corrections } = ranking;
  return { found: hits.map(({ note }) => note.title), instead: corrections.map(({ instead }) => instead) };
};

describe('forms that occur in notes', () => {
  it('are one for each stem', () => {
    expect(formsInNotes(index.database, ['sendung', 'week', 'vpn'])).toEqual([['sendungen'], ['weekly'], []]);
  });
});

describe('a search', () => {
  it.each<[query: string, found: readonly string[]]>([
    ['deployment', ['Deploys need the VPN']],
    ['redeployments', ['Deploys need the VPN']],
    ['week', ['Credentials rotate weekly']],
    ['creds', ['Where the creds are', 'Credentials rotate weekly']],
    ['Sendung', ['Sendung an GLS melden', 'Verlorene Sendungen']],
    ['verlorene Sendung', ['Verlorene Sendungen', 'Sendung an GLS melden']],
    ['Lücke', ['Rechnungsnummern ohne Lücken']],
    ['welche Sendungen', ['Verlorene Sendungen', 'Sendung an GLS melden']],
  ])('for %s finds %j, without corrections', (query, found) => {
    expect(search(query)).toEqual({ found, instead: [] });
  });

  it('for a word that no note has finds its forms first, then words that begin or end with it', () => {
    const { found, instead } = search('Rechnung');
    expect(found[0]).toBe('Alte Rechnungen archivieren');
    expect(found.toSorted()).toEqual([
      'Alte Rechnungen archivieren',
      'Rechnungsnummern ohne Lücken',
      'Zollpapiere mit Handelsrechnung',
    ]);
    expect(instead).toEqual(['rechnungen', 'rechnungsnummern', 'handelsrechnung']);
    expect(search('Nummern').found).toEqual(['Rechnungsnummern ohne Lücken']);
  });
});

it('other forms count in a prompt, too', () => {
  const { words } = readPrompt(index.database, { text: 'our deployment never finishes', project: 'global' });
  expect(words.find(({ word }) => word === 'deployment')).toMatchObject({ notes: 1 });
});
