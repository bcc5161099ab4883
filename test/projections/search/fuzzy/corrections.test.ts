import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { correctWord, isGuess } from '../../../../src/projections/search/fuzzy/corrections.js';
import { searchNotes } from '../../../../src/projections/search/search.js';
import { idOf } from '../../../support/arbitraries.js';
import { indexNotes, type NotesIndex } from '../../../support/indexed-notes.js';
import { processorMs } from '../../../support/processor-time.js';

let index: NotesIndex;
beforeAll(() => {
  index = indexNotes([
    { title: 'The pool', body: 'Every connection waits for the pooler, the connections of the pool too.' },
    { title: 'Kubernetes', body: 'The cluster runs docker images with sha256 digests and a größere queue.' },
    { title: 'Other', body: 'Connection again, the locket, and concurrency.', project: 'vault', workspaceId: 'secret' },
  ]);
});
afterAll(() => index.close());

const correct = (typed: string, filter = {}): string | undefined =>
  correctWord(index.database, typed, { filter })?.join(' ');
const search = (text: string, isFuzzy?: boolean, filter = {}) => {
  const asked = { text, filter, k: 8, nowSeconds: 0, isFuzzy };
  const { hits, corrections } = searchNotes(index.database, asked);
  return { ids: hits.map(({ note }) => note.id), corrections };
};

describe('a corrected word', () => {
  it.each([
    ['look', 'lock'],
    ['testeur', 'tester'],
    ['kuberentis', 'kubernetes'],
  ])('is a guess: %s for %s', (typed, instead) => {
    expect(isGuess(typed, [instead])).toBe(true);
  });

  it.each([
    ['conection', 'connection'],
    ['tranlsations', 'translations'],
    ['kubern', 'kubernetes'],
  ])('is no guess where it is long and has one slip, or is a part of the other: %s for %s', (typed, instead) => {
    expect(isGuess(typed, [instead])).toBe(false);
  });
});

describe('correctWord', () => {
  it.each([
    ['conection', 'connection'],
    ['dokcer', 'docker'],
    ['ocker', 'docker'],
    ['dockerr', 'docker'],
    ['kubernates', 'kubernetes'],
    ['kuberentis', 'kubernetes'],
    ['dockerimages', 'docker images'],
    ['kubern', 'kubernetes'],
    ['poool', 'pool'],
  ])('corrects %s', (typed, expected) => {
    expect(correct(typed)).toBe(expected);
  });

  it('corrects a swap in a short word at the usual threshold', () => {
    expect(correct('rusn')).toBe('runs');
  });

  it.each([
    'polo',
    'form',
    'cue',
    'exit',
    'doctor',
    'rocker',
    'dockers',
    'connector',
    'imagine',
    'lockets',
    'currency',
  ])('leaves a common word as it is: %s', (typed) => {
    expect(correct(typed)).toBeUndefined();
  });

  it('corrects a word of three letters only where letters were swapped or a double letter was typed once', () => {
    expect(correct('teh')).toBe('the');
    expect(correct('pol')).toBe('pool');
    for (const typed of ['tho', 'dox', 'npm', 'wth']) expect(correct(typed)).toBeUndefined();
  });

  it('matches letters beyond ASCII without their marks', () => {
    expect(correct('größre')).toBe('großere');
  });

  it('prefers the word that more notes have among equally similar ones', () => {
    expect(correct('connectionz')).toBe('connection');
  });

  it('accepts two slips in a long word', () => {
    expect(['kuberentis', 'kubrnets'].map((typed) => correct(typed))).toEqual(['kubernetes', 'kubernetes']);
  });

  it('leaves words with digits, short ones two slips away and those similar to none', () => {
    for (const typed of ['sha265', 'pxxl', 'xylophone', 'x', '迁移', 'docker2']) expect(correct(typed)).toBeUndefined();
  });

  it('prefers words of the notes that may be seen, and uses no others where access is restricted', () => {
    expect(correct('lockt')).toBe('locket');
    expect(correct('lockt', { workspace: 'secret' })).toBe('locket');
    expect(correct('lockt', { workspace: 'personal' })).toBeUndefined();
  });
});

describe('a search with a slip', () => {
  it('finds what the right word finds, and reports the correction', () => {
    expect(search('conection pool', true).ids).toEqual(search('connection pool').ids);
    expect(search('conection pool', true).corrections).toEqual([{ typed: 'conection', instead: 'connection' }]);
  });

  it('changes nothing where every word is known, or no correction was asked for', () => {
    expect(search('connections pool', true).corrections).toEqual([]);
    expect(search('connection connections connecting', true).corrections).toEqual([]);
    expect(search('conection')).toEqual({ ids: [], corrections: [] });
  });

  it('does not correct common English or developer words to words of the notes', () => {
    for (const text of ['have a look at the locker', 'how do I exit vim', 'imagine the rocker', 'npm polo'])
      expect(search(text, true)).toEqual({ ids: [], corrections: [] });
  });

  it('drops a mistyped stop word', () => {
    expect(search('teh docker', true)).toEqual({ ids: [idOf(1)], corrections: [{ typed: 'teh', instead: 'the' }] });
  });

  it('corrects a name to a stop word only where its letters were swapped', () => {
    expect(search('fro docker', true).corrections).toEqual([{ typed: 'fro', instead: 'for' }]);
    expect(search('foo docker', true).corrections).toEqual([]);
  });

  it('does not correct a name before a colon to a stop word', () => {
    expect(search('teh:docker', true)).toEqual({ ids: [idOf(1)], corrections: [] });
  });

  it('leaves the plain query as it is', () => {
    const asked = { text: 'conection', filter: {}, k: 8, nowSeconds: 0, isFuzzy: true, plain: true };
    expect(searchNotes(index.database, asked)).toMatchObject({ hits: [], corrections: [] });
  });

  it('corrects at most eight words, in bounded time', () => {
    const text = Array.from(
      { length: 64 },
      (_, at) => `${'conection'.slice(0, 5 + (at % 4))}${'q'.repeat(1 + (at >> 2))}`,
    );
    const start = processorMs();
    expect(search(text.join(' '), true).corrections.length).toBeLessThanOrEqual(8);
    expect(processorMs() - start).toBeLessThan(1000);
  });
});

describe('a word that the notes write in two, or two that they write as one', () => {
  let index: NotesIndex;
  beforeAll(() => {
    index = indexNotes([
      { title: 'Time zone rules', body: 'Store UTC, show the zone of the customer.' },
      { title: 'Webhooks', body: 'A webhook comes up to three times to the workspace.' },
      { title: 'Web fonts', body: 'They load late.' },
      { title: 'Web workers', body: 'They share no memory.' },
    ]);
  });
  afterAll(() => index.close());
  const found = (text: string, filter = {}) => {
    const asked = { text, filter, k: 1, nowSeconds: 0, isFuzzy: true };
    const { hits, corrections } = searchNotes(index.database, asked);
    return [hits[0]?.note.title, corrections.map(({ typed, instead }) => `${typed}: ${instead}`)];
  };

  it.each([
    ['timezone', 'Time zone rules', ['timezone: time zone']],
    ['web hook', 'Webhooks', ['hook: webhook']],
    ['which work space', 'Webhooks', ['work: workspace', 'space: workspace']],
  ])('is found: %s', (typed, title, corrections) => {
    expect(found(typed)).toEqual([title, corrections]);
  });

  it('is left alone where notes have both words, or access is restricted to others', () => {
    expect(found('web times')[1]).toEqual([]);
    expect(found('web hook', { workspace: 'other' })).toEqual([undefined, []]);
  });
});

describe('a search in a language other than that of the notes', () => {
  it('corrects none of its words', () => {
    expect(search('wie mache ich den pol für docker', true)).toMatchObject({ corrections: [] });
    expect(search('pol docker', true).corrections).toEqual([{ typed: 'pol', instead: 'pool' }]);
  });

  it('corrects slips where the notes are in that language', () => {
    const german = indexNotes([
      { title: 'Die Verbindung', body: 'Wie der Pool die Verbindung hält und für wen ich ihn mache.' },
    ]);
    try {
      const asked = { text: 'wie hält der pool die verbindng', filter: {}, k: 8, nowSeconds: 0, isFuzzy: true };
      expect(searchNotes(german.database, asked).corrections).toEqual([{ typed: 'verbindng', instead: 'verbindung' }]);
    } finally {
      german.close();
    }
  });
});

describe('letters that keep their marks', () => {
  let marked: NotesIndex;
  beforeAll(() => {
    marked = indexNotes([
      { title: 'Резервной копии', body: 'Счётчик у ёлки показывает, сколько копий осталось.' },
      { title: 'Όνομα', body: 'Η σύνδεση έχει όνομα και αριθμός.' },
      { title: 'ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ', body: 'In capitals, as it is usually written.' },
    ]);
  });
  afterAll(() => marked.close());
  const find = (text: string) => {
    const asked = { text, filter: {}, k: 8, nowSeconds: 0, isFuzzy: true };
    const { hits, corrections } = searchNotes(marked.database, asked);
    return { ids: hits.map(({ note }) => note.id), instead: corrections.map(({ instead }) => instead) };
  };

  it.each([
    ['резрвной', 'резервной', 0],
    ['счетчик', 'счётчик', 0],
    ['елки', 'ёлки', 0],
    ['συνδεση', 'σύνδεση', 1],
    ['ονομα', 'όνομα', 1],
    ['αριθμος', 'αριθμόσ', 1],
  ])('are looked up as the index stores them: %s', (typed, instead, at) => {
    expect(find(typed)).toEqual({ ids: [idOf(at)], instead: [instead] });
  });

  it('are found as they are, without a correction', () => {
    expect(find('резервной')).toEqual({ ids: [idOf(0)], instead: [] });
    expect(find('αριθμός')).toEqual({ ids: [idOf(1)], instead: [] });
    expect(find('ᎦᏬᏂᎯᏍᏗ')).toEqual({ ids: [idOf(2)], instead: [] });
  });
});
