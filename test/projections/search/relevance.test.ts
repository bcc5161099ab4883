import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isEveryday,
  type Place,
  type PromptWord,
  relevanceFloor,
  relevanceOf,
  weighWords,
  wordsOfPrompt,
} from '../../../src/projections/search/relevance.js';
import { anyText } from '../../support/arbitraries.js';
import { processorMs } from '../../support/processor-time.js';

const topical = (word: string, notes = 2): PromptWord => ({ kind: 'topical', word, notes });
const everyday = (word: string): PromptWord => ({ kind: 'everyday', word });

const relevance = (words: readonly (readonly [PromptWord, Place])[], { total = 1000, units = 500 } = {}): number =>
  relevanceOf(
    weighWords(
      words.map(([word]) => word),
      total,
    ),
    words.map(([, place]) => place),
    units,
  );

describe('wordsOfPrompt', () => {
  it.each<[prompt: string, words: readonly string[]]>([
    ['Why does the pgbouncer pool time out?', ['pgbouncer', 'pool', 'time']],
    ['what is it, and why?', []],
    ['prompt', ['prompt']],
    ['Prompt the user', ['prompt', 'user']],
    ['  \n\t', []],
    ['', []],
    ['🚀 !!!', []],
    ['"a" AND b* NOT (c:d) ^e', ['b', 'c', 'd', 'e']],
    ['日本語のメモを探す', ['日本語のメモを探す']],
    ['__proto__ constructor', ['proto', 'constructor']],
  ])('takes the words of %j', (prompt, words) => {
    expect(wordsOfPrompt(prompt)).toEqual(words);
  });

  it('takes the beginning and the end of a prompt with many words', () => {
    const words = wordsOfPrompt(Array.from({ length: 400 }, (_, at) => `w${at}`).join(' '));
    expect(words).toHaveLength(48);
    expect(words.slice(0, 2)).toEqual(['w0', 'w1']);
    expect(words.slice(-2)).toEqual(['w398', 'w399']);
  });

  it('looks only at the first and the last 4,000 characters', () => {
    expect(wordsOfPrompt(`lease ${' '.repeat(8000)} pasted ${' '.repeat(8000)} heartbeat`)).toEqual([
      'lease',
      'heartbeat',
    ]);
  });

  it('reads a prompt of a megabyte in a moment', () => {
    const prompt = `why is the lease lost?\n${'2026-11-21 ERROR [http] 𝒜 reset\n'.repeat(40_000)}tell me about the heartbeat`;
    const start = processorMs();
    const words = wordsOfPrompt(prompt);
    expect(processorMs() - start).toBeLessThan(1000);
    expect(words).toContain('lease');
    expect(words).toContain('heartbeat');
  });

  it('gives distinct words, of any text', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 6 }), (texts) => {
        const words = wordsOfPrompt(texts.join(' '));
        expect(new Set(words).size).toBe(words.length);
        expect(words.length).toBeLessThanOrEqual(48);
      }),
      { numRuns: 300 },
    );
  });
});

describe('isEveryday', () => {
  it.each(['fix', 'commit', 'pleas', 'test', 'bitt', 'merci', '2', '42', 'c'])('knows %s', (stem) => {
    expect(isEveryday(stem)).toBe(true);
  });

  it.each(['pgbounc', 'deploi', 'cach', '404', '2026', '日', '', '__proto__', 'constructor', 'toString'])(
    'takes %j for a subject',
    (stem) => {
      expect(isEveryday(stem)).toBe(false);
    },
  );
});

describe('weighWords', () => {
  it('gives 1 to a word of no note, less to one of more notes, and little to one of all', () => {
    const weights = weighWords(
      [0, 1, 10, 500, 1000].map((notes) => topical(`w${notes}`, notes)),
      1000,
    ).map(({ weight }) => weight);
    expect(weights[0]).toBe(1);
    expect(weights).toEqual(weights.toSorted((a, b) => b - a));
    expect(weights.at(-1)).toBeLessThan(0.01);
  });

  it('weighs an everyday word the same in any store, and less than a rare one', () => {
    const [small, large] = [10, 100_000].map((total) => weighWords([everyday('fix')], total)[0]?.weight);
    expect(small).toBe(large);
    expect(small).toBeLessThan(weighWords([topical('lease', 50)], 1000)[0]?.weight ?? 0);
  });

  it('takes no word of a store of five notes for common', () => {
    expect(weighWords([topical('lease', 2)], 5)[0]?.weight).toBeGreaterThan(0.7);
  });

  it('gives weights between 0 and 1, even if more notes hold a word than there are', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1e6 }), fc.nat({ max: 1e6 }), (notes, total) => {
        const [word] = weighWords([topical('w', Math.min(notes, total))], total);
        expect(word?.weight).toBeGreaterThanOrEqual(0);
        expect(word?.weight).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('relevanceOf', () => {
  it('passes a note that holds what the prompt is about', () => {
    expect(
      relevance([
        [topical('pgbouncer'), 'head'],
        [topical('timeout', 20), 'body'],
        [everyday('fix'), 'nowhere'],
      ]),
    ).toBeGreaterThan(relevanceFloor);
  });

  it('does not pass a note that holds one word in passing', () => {
    expect(relevance([[topical('pgbouncer'), 'body']])).toBe(0);
  });

  it('passes a note that has the one rare word of a prompt in its title', () => {
    expect(relevance([[topical('pgbouncer'), 'head']])).toBeGreaterThan(relevanceFloor);
  });

  it('does not pass a note for a common word in its title', () => {
    expect(relevance([[topical('server', 300), 'head']])).toBe(0);
  });

  it('does not pass a note for everyday words, wherever they stand', () => {
    expect(relevance(['run', 'the', 'test', 'again'].map((word) => [everyday(word), 'head'] as const))).toBe(0);
  });

  it('takes two everyday words for one beside a word of the subject', () => {
    const words = [
      [topical('lease'), 'body'],
      [everyday('fix'), 'body'],
    ] as const;
    expect(relevance(words)).toBe(0);
    expect(relevance([...words, [everyday('test'), 'body']])).toBeGreaterThan(0);
  });

  it('does not pass a note that holds two words of a prompt about something else', () => {
    const others = ['mortgage', 'fargo', 'approved', 'amount', 'wells'].map(
      (word) => [topical(word, 0), 'nowhere'] as const,
    );
    expect(relevance([[topical('got', 40), 'body'], [topical('amount', 60), 'body'], ...others])).toBeLessThan(
      relevanceFloor,
    );
  });

  it('counts a word in the head more than one in the body, and one in a long body less', () => {
    const at = (place: Place, units: number) =>
      relevance(
        [
          [topical('lease'), place],
          [topical('heartbeat'), place],
        ],
        { units },
      );
    expect(at('head', 500)).toBeGreaterThan(at('body', 500));
    expect(at('body', 500)).toBeGreaterThan(at('body', 20_000));
    expect(at('head', 500)).toBe(at('head', 20_000));
  });

  it('finds what is asked among pasted lines', () => {
    const log = Array.from({ length: 30 }, (_, at) => [topical(`x${at}`, 0), 'nowhere'] as const);
    const asked = [
      [topical('lease'), 'body'],
      [topical('heartbeat'), 'head'],
      [topical('worker', 30), 'body'],
      [topical('lost', 12), 'body'],
    ] as const;
    for (const words of [
      [...asked, ...log],
      [...log, ...asked],
      [...log.slice(15), ...asked, ...log.slice(0, 15)],
    ]) {
      expect(relevance(words)).toBeCloseTo(relevance([...asked, ...log.slice(0, 8)]), 12);
      expect(relevance(words)).toBeGreaterThan(0.15);
    }
  });

  it('does not pass words that are scattered over a long prompt', () => {
    const words = Array.from({ length: 48 }, (_, at) =>
      at % 16 === 0 ? ([topical(`held${at}`), 'body'] as const) : ([topical(`x${at}`, 0), 'nowhere'] as const),
    );
    expect(relevance(words)).toBe(0);
  });

  it('is 0 without a word, and takes places that are missing for nowhere', () => {
    expect(relevance([])).toBe(0);
    expect(relevanceOf(weighWords([topical('lease'), topical('heartbeat')], 10), [], 0)).toBe(0);
  });

  const anyWord = fc.oneof(
    fc.record({ kind: fc.constant('topical' as const), word: fc.string(), notes: fc.nat({ max: 2000 }) }),
    fc.record({ kind: fc.constant('everyday' as const), word: fc.string() }),
  );
  const anyPlace = fc.constantFrom<Place>('head', 'body', 'nowhere');

  it('is at least 0, below 1, and never falls when a word stands in a better place', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(anyWord, anyPlace), { maxLength: 48 }),
        fc.nat({ max: 1e6 }),
        fc.nat(),
        (words, units, at) => {
          const found = relevance(words, { units, total: 2000 });
          expect(found).toBeGreaterThanOrEqual(0);
          expect(found).toBeLessThan(1);
          const better = words.map(([word, place], index) =>
            index === at % words.length
              ? ([word, place === 'nowhere' ? 'body' : 'head'] as const)
              : ([word, place] as const),
          );
          expect(relevance(better, { units, total: 2000 })).toBeGreaterThanOrEqual(found);
        },
      ),
      { numRuns: 500 },
    );
  });
});
