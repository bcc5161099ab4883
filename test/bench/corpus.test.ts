import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type CorpusNote, corpus, corpusQueries } from '../../bench/corpus.js';
import { parseTime } from '../../src/events/time.js';
import { mean, median } from '../../src/projections/eval/metrics.js';

const tenThousand = [...corpus(10_000)];

const countBy = <T>(items: Iterable<T>): Map<T, number> => {
  const counts = new Map<T, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
};

/** Splits into words as FTS5's unicode61 does: runs of letters and digits. */
const wordsOf = (note: CorpusNote): string[] =>
  `${note.title}\n${note.body}`.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

const digestOf = (notes: Iterable<CorpusNote>): string => {
  const hash = createHash('sha256');
  for (const note of notes) hash.update(JSON.stringify(note));
  return hash.digest('hex');
};

describe('corpus', () => {
  it('gives the same bytes for the same seed, and others for another', () => {
    expect(digestOf(corpus(500, 7))).toBe(digestOf(corpus(500, 7)));
    expect(digestOf(corpus(500, 7))).not.toBe(digestOf(corpus(500, 8)));
    expect(digestOf(corpus(500))).toBe(digestOf(corpus(500, 1)));
  });

  it('begins with the same notes at every count', () => {
    expect(digestOf(corpus(1000))).toBe(digestOf(tenThousand.slice(0, 1000)));
  });

  it.each([0, 1, 17])('gives %i notes when asked for that many', (count) => {
    expect([...corpus(count)]).toHaveLength(count);
  });

  it('numbers the notes from note-000001', () => {
    expect(tenThousand.map(({ id }) => id).slice(0, 2)).toEqual(['note-000001', 'note-000002']);
    expect(tenThousand.at(-1)?.id).toBe('note-010000');
    expect(new Set(tenThousand.map(({ id }) => id)).size).toBe(10_000);
  });

  it('keeps bodies within 120 and 4,000 characters, about 700 on average, most of them shorter', () => {
    const lengths = tenThousand.map(({ body }) => body.length);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(120);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(4000);
    expect(mean(lengths)).toBeGreaterThan(650);
    expect(mean(lengths)).toBeLessThan(750);
    expect(median(lengths)).toBeLessThan(mean(lengths) * 0.9);
  });

  it('uses words as often as people do', () => {
    const counts = countBy(tenThousand.flatMap(wordsOf));
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const [top, second] = [...counts].toSorted(([, a], [, b]) => b - a);
    expect(counts.size).toBeGreaterThan(12_000);
    expect(top?.[0]).toBe('the');
    expect(top![1] / total).toBeGreaterThan(0.03);
    expect(top![1] / total).toBeLessThan(0.08);
    expect(second![1] / total).toBeLessThan(top![1] / total / 1.5);
    // About half of the words of a natural text occur once.
    const once = [...counts.values()].filter((count) => count === 1).length;
    expect(once / counts.size).toBeGreaterThan(0.4);
    expect(once / counts.size).toBeLessThan(0.7);
  });

  it('keeps finding new words as it grows', () => {
    const vocabularyOf = (notes: readonly CorpusNote[]): number => new Set(notes.flatMap(wordsOf)).size;
    expect(vocabularyOf(tenThousand)).toBeGreaterThan(vocabularyOf(tenThousand.slice(0, 5000)) * 1.2);
  });

  it('spreads the notes over 30 projects, the largest of them with a fifth', () => {
    const counts = [...countBy(tenThousand.map(({ project }) => project)).values()].toSorted((a, b) => b - a);
    expect(counts).toHaveLength(30);
    expect(counts[0]! / 10_000).toBeGreaterThan(0.15);
    expect(counts[29]! / 10_000).toBeLessThan(0.02);
  });

  it('has notes of each type with a title of one line, tags and a time', () => {
    expect([...new Set(tenThousand.map(({ type }) => type))].toSorted()).toEqual([
      'episodic',
      'procedural',
      'semantic',
    ]);
    for (const { title, tags, created_at } of tenThousand) {
      expect(title).toMatch(/^\S.{5,150}\S$/);
      expect(new Set(tags).size).toBe(tags.length);
      expect(tags.every((tag) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(tag))).toBe(true);
      expect(parseTime(created_at)).toBeDefined();
    }
  });

  it('leaves no slot unfilled and closes every code block', () => {
    for (const { title, body } of tenThousand) {
      expect(`${title}${body}`).not.toMatch(/undefined|NaN|\{(a |the )?(noun|other|thing|adj|verb|own\w+)\}/);
      expect(body.split('```').length % 2).toBe(1);
    }
    expect(tenThousand.filter(({ body }) => body.includes('```')).length).toBeGreaterThan(500);
    expect(tenThousand.filter(({ body }) => /^(-|1\.) /m.test(body)).length).toBeGreaterThan(3000);
  });
});

describe('corpusQueries', () => {
  const queries = corpusQueries(200, 10_000);

  it('gives the same questions for the same seed', () => {
    expect(corpusQueries(200, 10_000)).toEqual(queries);
    expect(corpusQueries(200, 10_000, 2)).not.toEqual(queries);
    expect(corpusQueries(50, 10_000)).toEqual(queries.slice(0, 50));
  });

  it('asks in 12 words', () => {
    expect(queries).toHaveLength(200);
    for (const query of queries) expect(query.split(' ')).toHaveLength(12);
    expect(new Set(queries).size).toBeGreaterThan(190);
  });

  it('asks with stop words about words of the corpus', () => {
    const stopWords = new Set('the a is in of to do we i what why how when where who and for it on with'.split(' '));
    const vocabulary = new Set(tenThousand.flatMap(wordsOf));
    for (const query of queries) {
      const asked = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
      expect(asked.filter((word) => stopWords.has(word)).length).toBeGreaterThanOrEqual(2);
      expect(asked.filter((word) => vocabulary.has(word)).length / asked.length).toBeGreaterThan(0.8);
    }
  });
});
