import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSuperseded, type SupersedingNote } from '../../../src/projections/index/refresh.js';
import { buildExpression, plainExpression } from '../../../src/projections/search/expression.js';
import { showWords } from '../../../src/projections/search/snippet.js';
import { contentWords, splitWords } from '../../../src/projections/search/words.js';
import { anyText } from '../../support/arbitraries.js';
import { processorMs } from '../../support/processor-time.js';

describe('splitWords', () => {
  it.each<[text: string, words: readonly string[]]>([
    ['Why is the Pool small?', ['why', 'is', 'the', 'pool', 'small']],
    ['foo-bar C++ don\'t "quoted" (a OR b)', ['foo', 'bar', 'c', 'don', 't', 'quoted', 'a', 'or', 'b']],
    ['snake_case camelCase src/events/note.ts', ['snake', 'case', 'camelcase', 'src', 'events', 'note', 'ts']],
    ['v1.2.3 2026-06-24', ['v1', '2', '3', '2026', '06', '24']],
    ['Grüße naïve CAFÉ', ['grüße', 'naïve', 'café']],
    ['日本語のメモ 메모', ['日本語のメモ', '메모']],
    ['हिन्दी', ['हिन्दी']],
    ['twice Twice TWICE', ['twice']],
    ['cafe\u0301', ['café']],
    ['🚀 !!! ---', []],
    ['', []],
  ])('splits %j', (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });

  it('returns the first 64 words of a long text, or as many as asked for', () => {
    const text = Array.from({ length: 100 }, (_, n) => `w${n}`).join(' ');
    expect(splitWords(text)).toHaveLength(64);
    expect(splitWords(text, 3)).toEqual(['w0', 'w1', 'w2']);
  });

  it('cuts a word after 100 units, but never inside a character', () => {
    expect(splitWords('x'.repeat(500))).toEqual(['x'.repeat(100)]);
    expect(splitWords(`x${'𝒜'.repeat(100)}`)[0]).not.toMatch(/\p{Cs}/u);
  });

  it('returns distinct words that split into themselves', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 4 }), (texts) => {
        const words = splitWords(texts.join(' '));
        expect(new Set(words).size).toBe(words.length);
        for (const word of words) expect(splitWords(word)).toEqual([word]);
      }),
    );
  });
});

describe('contentWords', () => {
  it('leaves out stop words', () => {
    expect(contentWords(splitWords("How don't we roll back the deploy?"))).toEqual(['roll', 'back', 'deploy']);
  });

  it('keeps them when nothing else is left', () => {
    expect(contentWords(['what', 'is', 'it'])).toEqual(['what', 'is', 'it']);
    expect(contentWords([])).toEqual([]);
  });
});

describe('buildExpression', () => {
  const counted = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).map(([word, notes]) => ({ word, notes }));
  const choosing = (counts: Readonly<Record<string, number>>) => buildExpression(counted(counts))?.choosing;

  it('asks for any of the words when few notes have them', () => {
    expect(buildExpression(counted({ wal: 3, pool: 1 }))).toEqual({
      chosen: { text: '"pool" OR "wal"', times: 1 },
      all: { text: '"pool" OR "wal"', times: 1 },
      choosing: ['pool', 'wal'],
    });
  });

  it('lets rare words choose and all words score, each twice', () => {
    expect(buildExpression(counted({ common: 5000, rare: 2, scarce: 10 }))).toEqual({
      chosen: { text: '("rare" OR "scarce") AND ("rare" OR "scarce" OR "common" OR "common")', times: 2 },
      all: { text: '"rare" OR "scarce" OR "common"', times: 1 },
      choosing: ['rare', 'scarce'],
    });
  });

  it('weights other forms half as much as their words, and lets forms of choosing words choose', () => {
    const go = { word: 'go', notes: 3, forms: [{ word: 'went', notes: 2 }] };
    expect(buildExpression([go])?.chosen).toEqual({ text: '"go" OR "go" OR "went"', times: 2 });
    const build = { word: 'build', notes: 9000, forms: [{ word: 'built', notes: 10 }] };
    expect(buildExpression([go, { word: 'shop', notes: 1 }, build])).toMatchObject({
      chosen: {
        text: '("shop" OR "go" OR "went") AND ("shop" OR "go" OR "build" OR "build" OR "built")',
        times: 2,
      },
      choosing: ['shop', 'go', 'went'],
    });
  });

  it('asks for the most common form in place of a word that no note has', () => {
    const forms = [
      { word: 'go', notes: 5 },
      { word: 'gone', notes: 2 },
    ];
    expect(buildExpression([{ word: 'went', notes: 0, forms }])?.all.text).toBe('"go" OR "go" OR "gone"');
  });

  it('weights other wordings half as much, and finds notes that have only them', () => {
    const words = [
      { word: 'a', notes: 3000 },
      { word: 'b', notes: 4000 },
      { word: 'c', notes: 5000 },
      { word: 'd', notes: 1, isOther: true },
    ];
    expect(buildExpression(words)?.chosen).toEqual({
      text: '("a" OR "b" OR "d") AND ("a" OR "a" OR "a" OR "b" OR "b" OR "b" OR "d" OR "c" OR "c" OR "c" OR "c")',
      times: 4,
    });
  });

  it('lets the words of the query itself choose, however many rarer ones its other wordings have', () => {
    const own = { sort: 900, list: 1200, python: 6000 };
    const others = 'abcdefghij'.split('').map((word) => ({ word, notes: 1, isOther: true }));
    expect(buildExpression([...counted(own), ...others])?.choosing).toEqual(['sort', 'list', ...'abcdef']);
    expect(buildExpression(others)?.choosing).toEqual([...'abcdef']);
  });

  it('leaves out words that no note has', () => {
    expect(choosing({ none: 0, wal: 3 })).toEqual(['wal']);
    expect(buildExpression(counted({ none: 0 }))).toBeUndefined();
    expect(buildExpression([])).toBeUndefined();
  });

  it('lets two words choose however common they are, and never more than six', () => {
    expect(choosing({ a: 50_000, b: 60_000, c: 70_000 })).toEqual(['a', 'b']);
    expect(choosing({ a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, j: 1 })).toHaveLength(6);
  });

  it('stops choosing when there would be too many candidates', () => {
    expect(choosing({ a: 300, b: 400, c: 500, d: 1900 })).toEqual(['a', 'b', 'c']);
    expect(choosing({ a: 2000, b: 2000, c: 1 })).toEqual(['c', 'a']);
  });

  it('quotes every word', () => {
    expect(plainExpression(['a"b', 'NEAR', 'c*'])).toBe('"a""b" OR "NEAR" OR "c*"');
    expect(buildExpression([{ word: 'x" OR "y', notes: 1 }])?.chosen.text).toBe('"x"" OR ""y"');
  });

  it('never chooses a word more common than one that it leaves to score', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.record({ word: fc.stringMatching(/^[a-z]{1,4}$/), notes: fc.nat({ max: 4000 }) }), {
          selector: ({ word }) => word,
        }),
        (words) => {
          const expression = buildExpression(words);
          const found = words.filter(({ notes }) => notes > 0);
          expect(expression === undefined).toBe(found.length === 0);
          const chosen = new Set(expression?.choosing);
          const most = Math.max(0, ...found.filter(({ word }) => chosen.has(word)).map(({ notes }) => notes));
          for (const { word, notes } of found) {
            expect(expression?.chosen.text).toContain(`"${word}"`);
            if (!chosen.has(word)) expect(notes).toBeGreaterThanOrEqual(most);
          }
        },
      ),
    );
  });
});

const makeSnippet = (body: string, words: readonly string[]): string =>
  showWords({ title: '', body, lists: [] }, words).snippet;

describe('a snippet', () => {
  const filler = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor '.repeat(10);

  it('is the whole body, unchanged, if that is short', () => {
    const body = '\n \n  - run it:\n\n```sh\nif true; then\n    make   all\nfi\n```\n\n';
    expect(makeSnippet(body, ['make'])).toBe('  - run it:\n\n```sh\nif true; then\n    make   all\nfi\n```');
    expect(makeSnippet(`${'x'.repeat(299)}\n`, [])).toHaveLength(299);
  });

  it('is the whole body on one line if only white space makes it long', () => {
    expect(makeSnippet(`Readers go on${'\n'.repeat(300)}while one writes.`, [])).toBe(
      'Readers go on while one writes.',
    );
  });

  it('shows the place where most of the words are close together', () => {
    const snippet = makeSnippet(`pool ${filler} the pool is small because of SQLite ${filler}`, [
      'pool',
      'small',
      'sqlite',
    ]);
    expect(snippet).toContain('pool is small because of SQLite');
    expect(snippet).toMatch(/^….*…$/);
  });

  it('starts at the beginning when the body has none of the words', () => {
    expect(makeSnippet(filler, ['absent'])).toMatch(/^lorem ipsum .*…$/);
    expect(makeSnippet('', ['absent'])).toBe('');
  });

  it.each([
    ['a text without spaces', '漢'.repeat(600)],
    ['one word per line', 'word\n'.repeat(200)],
    ['a long URL', `https://example.com/${'a/'.repeat(400)}`],
    ['letters that grow in lower case', 'İ'.repeat(600)],
    ['emoji', '🚀'.repeat(300)],
    ['long lines', filler],
  ])('shows the word that was found, in %s', (_, text) => {
    for (const gap of ['\n', ' ', '。']) {
      expect(makeSnippet(`${text}${gap}needle${gap}${text}${gap}end of it`, ['needle'])).toContain('needle');
    }
  });

  it('shows a word of the query if the body has one, with a bounded length, and on one line if it is cut', () => {
    const piece = fc.oneof(
      anyText,
      fc.constantFrom('needle', filler, '漢'.repeat(300), 'word\n'.repeat(60), 'İ'.repeat(50)),
    );
    const gap = fc.constantFrom(' ', '\n', '. ', '\t');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), gap, (pieces, between) => {
        const body = pieces.join(between);
        const snippet = makeSnippet(body, ['needle']);
        expect(snippet.length).toBeLessThanOrEqual(302);
        expect(snippet).not.toMatch(/\p{Cs}/u);
        if (!body.includes(snippet)) expect(snippet).not.toMatch(/[\n\r]/);
        if (pieces.includes('needle')) expect(snippet).toContain('needle');
      }),
    );
  });

  it('takes time proportional to the body', () => {
    const body = 'needle pool wal '.repeat(100_000);
    const start = processorMs();
    makeSnippet(body, ['needle', 'pool', 'wal', 'absent']);
    expect(processorMs() - start).toBeLessThan(3000);
  });
});

const wordsInText = (body: string, words: readonly string[]) => showWords({ title: '', body, lists: [] }, words).found;

describe('the words that a hit is shown with', () => {
  it('may be in the title, body, tags or keywords, and those in the body determine the snippet', () => {
    const body = `${'lorem ipsum '.repeat(40)}the pool is small ${'lorem ipsum '.repeat(40)}`;
    const shown = showWords({ title: 'WAL mode', body, lists: ['sqlite'] }, ['sqlite', 'pool', 'wal', 'absent']);
    expect(shown.found).toEqual(['sqlite', 'pool', 'wal']);
    expect(shown.snippet).toBe(makeSnippet(body, ['pool']));
    expect(shown.snippet).toContain('the pool is small');
  });

  it('are those of the query that the text has, in the order of the query', () => {
    expect(wordsInText('The pool is small.', ['small', 'large', 'pool'])).toEqual(['small', 'pool']);
  });

  it('include a word in another form', () => {
    expect(wordsInText('Queries are cached', ['query', 'caching'])).toEqual(['query', 'caching']);
  });

  it('do not match inside another word', () => {
    expect(wordsInText('carpool', ['pool'])).toEqual([]);
  });

  it('include a word even if it begins with a shorter one of the query', () => {
    expect(wordsInText('google it', ['go', 'google'])).toContain('google');
  });

  it('are the same in a text that grows in lower case', () => {
    const word = fc.constantFrom('pool', 'Pools', 'carpool', 'Größe', 'cafe\u0301', 'café', 'é', '𐐀𐐨', 'ꭰ', 'x1');
    const text = fc
      .array(fc.tuple(word, fc.constantFrom(' ', '_', '-', '', '😀', '\u0301')))
      .map((parts) => parts.flat().join(''));
    fc.assert(
      fc.property(text, fc.array(word, { minLength: 1 }), (text, asked) => {
        const words = splitWords(asked.join(' '));
        expect(wordsInText(text, words)).toEqual(wordsInText(`${text} İ`, words));
      }),
    );
  });
});

describe('findSuperseded', () => {
  const note = (id: string, updatedAt: number, ...supersedes: readonly string[]): SupersedingNote => ({
    id,
    updatedAt,
    supersedes,
  });
  const replaced = (...notes: readonly SupersedingNote[]) => Object.fromEntries(findSuperseded(notes));

  it('finds nothing among notes that replace no other', () => {
    expect(replaced(note('a', 1), note('b', 2))).toEqual({});
  });

  it('names the direct successor of each note in a chain', () => {
    expect(replaced(note('a', 1), note('b', 2, 'a'), note('c', 3, 'b'))).toEqual({ a: 'b', b: 'c' });
  });

  it('names the newest of several successors, by time and then by id', () => {
    expect(replaced(note('a', 1), note('b', 3, 'a'), note('c', 2, 'a'))).toEqual({ a: 'b' });
    expect(replaced(note('a', 1), note('b', 2, 'a'), note('c', 2, 'a'))).toEqual({ a: 'c' });
  });

  it('lets an older note replace a newer one: what notes declare counts, not the clock', () => {
    expect(replaced(note('a', 9), note('b', 1, 'a'))).toEqual({ a: 'b' });
  });

  it('shows a note again once its successor is forgotten', () => {
    expect(replaced(note('a', 1), note('c', 3, 'b'))).toEqual({});
  });

  it('ignores a note that names itself, and unknown ids', () => {
    expect(replaced(note('a', 1, 'a', 'nowhere'))).toEqual({});
  });

  it('leaves only the newest of a cycle of two live', () => {
    expect(replaced(note('a', 1, 'b'), note('b', 2, 'a'))).toEqual({ a: 'b' });
    expect(replaced(note('a', 2, 'b'), note('b', 2, 'a'))).toEqual({ a: 'b' });
  });

  it('leaves only the newest of a cycle of three live', () => {
    expect(Object.keys(replaced(note('a', 1, 'b'), note('b', 3, 'c'), note('c', 2, 'a'))).sort()).toEqual(['a', 'c']);
  });

  it('leaves none of a cycle live that another note replaces', () => {
    expect(Object.keys(replaced(note('a', 1, 'b'), note('b', 2, 'a'), note('c', 3, 'b'))).sort()).toEqual(['a', 'b']);
  });

  it('keeps superseded what a cycle replaces', () => {
    expect(Object.keys(replaced(note('old', 0), note('a', 1, 'b', 'old'), note('b', 2, 'a'))).sort()).toEqual([
      'a',
      'old',
    ]);
  });

  const anyNotes = fc
    .array(fc.record({ updatedAt: fc.nat({ max: 3 }), supersedes: fc.array(fc.nat({ max: 7 }), { maxLength: 2 }) }), {
      minLength: 1,
      maxLength: 7,
    })
    .map((list) =>
      list.map(({ updatedAt, supersedes }, at) => note(`n${at}`, updatedAt, ...supersedes.map((older) => `n${older}`))),
    );

  it('always leaves a note live, and names only successors that declare it', () => {
    fc.assert(
      fc.property(anyNotes, (notes) => {
        const superseded = findSuperseded(notes);
        expect(superseded.size).toBeLessThan(notes.length);
        for (const [older, newer] of superseded)
          expect(notes.find(({ id }) => id === newer)?.supersedes).toContain(older);
      }),
    );
  });

  it('leaves each note or one of its successors live, whatever the order of the notes', () => {
    fc.assert(
      fc.property(anyNotes, (notes) => {
        const superseded = findSuperseded(notes);
        expect(new Map([...findSuperseded(notes.toReversed())].sort())).toEqual(new Map([...superseded].sort()));
        const newerOf = (id: string) =>
          notes.filter((one) => one.id !== id && one.supersedes.includes(id)).map((one) => one.id);
        for (const { id } of notes) {
          const reached = new Set([id]);
          for (const one of reached) for (const newer of newerOf(one)) reached.add(newer);
          expect(
            [...reached].some((one) => !superseded.has(one)),
            id,
          ).toBe(true);
        }
      }),
    );
  });

  it('takes bounded time for a long chain and for a hostile cycle', () => {
    const chain = Array.from({ length: 2000 }, (_, n) => note(`n${n}`, n, `n${n - 1}`));
    const ring = Array.from({ length: 300 }, (_, n) => note(`r${n}`, n, `r${(n + 1) % 300}`));
    const start = processorMs();
    expect(findSuperseded(chain).size).toBe(1999);
    expect(findSuperseded(ring).size).toBe(299);
    expect(processorMs() - start).toBeLessThan(2000);
  });
});
