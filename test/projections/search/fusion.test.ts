import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuse } from '../../../src/projections/search/hybrid.js';
import type { RankedNote } from '../../../src/projections/search/search.js';

const note: RankedNote['note'] = JSON.parse('{}');
const hitsOf = (scores: readonly number[]): readonly RankedNote[] =>
  scores.map((score, at) => ({ note: { ...note, id: String(at) }, rank: at + 1, score }));
const idsOf = (hits: readonly RankedNote[]): string => hits.map(({ note: { id } }) => id).join('');
const far = { cover: 0, nearness: 0 };

describe('fuse', () => {
  it('ranks a note that means what was asked before one with a few more of its words', () => {
    const fused = fuse(hitsOf([10, 9, 8]), [far, { cover: 0.9, nearness: 0.5 }, far]);
    expect(idsOf(fused)).toBe('102');
    expect(fused[0]).toMatchObject({ rank: 1, legs: { keywordRank: 2, cover: 0.9 } });
  });

  it('keeps the order by words where meanings make no difference', () => {
    expect(idsOf(fuse(hitsOf([10, 9, 8]), [far, far, far]))).toBe('012');
    expect(idsOf(fuse(hitsOf([3, 3, 3]), [far, far, far]))).toBe('012');
  });

  it('leaves hits without a score as they are', () => {
    expect(fuse([], [])).toEqual([]);
    expect(idsOf(fuse(hitsOf([0, -1]), [far, { cover: 1, nearness: 1 }]))).toBe('01');
  });

  it('keeps each hit once, with falling scores and those not compared last, whatever a model returns', () => {
    const value = fc.double({ min: -2, max: 2 });
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 50, noNaN: true }), { maxLength: 20 }),
        fc.array(fc.record({ cover: value, nearness: value }), { maxLength: 20 }),
        (scores, close) => {
          const hits = hitsOf(scores.toSorted((a, b) => b - a));
          const compared = close.slice(0, hits.length);
          const fused = fuse(hits, compared);
          expect([...idsOf(fused)].sort()).toEqual([...idsOf(hits)].sort());
          expect(idsOf(fused.slice(compared.length))).toBe(idsOf(hits.slice(compared.length)));
          expect(fused.every(({ score }, at) => at === 0 || score <= (fused[at - 1]?.score ?? 0) + 1e-9)).toBe(true);
        },
      ),
    );
  });
});
