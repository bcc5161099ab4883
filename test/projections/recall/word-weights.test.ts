import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isEveryday,
  type PromptWord,
  weighWords,
  wordsOfPrompt,
} from '../../../src/projections/recall/prompt-words.js';
import { anyText } from '../../support/arbitraries.js';
import { processorMs } from '../../support/processor-time.js';

const topical = (word: string, notes = 2): PromptWord => ({ kind: 'topical', word, notes });
const everyday = (word: string): PromptWord => ({ kind: 'everyday', word, notes: 2 });

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
    ['日本語メモ deploy', ['日本', '本語', '語メ', 'メモ', 'deploy']],
    ['__proto__ constructor', ['proto', 'constructor']],
  ])('returns the words of %j', (prompt, words) => {
    expect(wordsOfPrompt(prompt)).toEqual(words);
  });

  it('returns the words at the beginning and the end of a prompt with many words', () => {
    const words = wordsOfPrompt(Array.from({ length: 400 }, (_, at) => `w${at}`).join(' '));
    expect(words).toHaveLength(48);
    expect(words.slice(0, 2)).toEqual(['w0', 'w1']);
    expect(words.slice(-2)).toEqual(['w398', 'w399']);
  });

  it('reads only the first and the last 4,000 characters', () => {
    expect(wordsOfPrompt(`lease ${' '.repeat(8000)} pasted ${' '.repeat(8000)} heartbeat`)).toEqual([
      'lease',
      'heartbeat',
    ]);
  });

  it('reads a prompt of a megabyte in less than a second', () => {
    const prompt = `why is the lease lost?\n${'2026-11-21 ERROR [http] 𝒜 reset\n'.repeat(40_000)}tell me about the heartbeat`;
    const start = processorMs();
    const words = wordsOfPrompt(prompt);
    expect(processorMs() - start).toBeLessThan(1000);
    expect(words).toContain('lease');
    expect(words).toContain('heartbeat');
  });

  it('returns distinct words for any text', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 6 }), (texts) => {
        const words = wordsOfPrompt(texts.join(' '));
        expect(new Set(words).size).toBe(words.length);
        expect(words.length).toBeLessThanOrEqual(48);
      }),
    );
  });
});

describe('isEveryday', () => {
  it.each(['fix', 'commit', 'pleas', 'test', 'bitt', 'merci', '2', '42', 'c'])('recognises %s', (stem) => {
    expect(isEveryday(stem)).toBe(true);
  });

  it.each(['pgbounc', 'deploi', 'cach', '404', '2026', '日', '', '__proto__', 'constructor', 'toString'])(
    'counts %j as a topic',
    (stem) => {
      expect(isEveryday(stem)).toBe(false);
    },
  );
});

describe('weighWords', () => {
  it('weighs a word that no note has at 1, and one less the more notes have it, down to nearly 0', () => {
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

  it('counts no word as common in a store of five notes', () => {
    expect(weighWords([topical('lease', 2)], 5)[0]?.weight).toBeGreaterThan(0.7);
  });

  it('returns weights between 0 and 1', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1e6 }), fc.nat({ max: 1e6 }), (notes, total) => {
        const [word] = weighWords([topical('w', Math.min(notes, total))], total);
        expect(word?.weight).toBeGreaterThanOrEqual(0);
        expect(word?.weight).toBeLessThanOrEqual(1);
      }),
    );
  });
});
