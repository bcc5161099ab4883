import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withTypo } from '../../src/eval/typos.js';
import { editDistance } from '../../src/projections/search/fuzzy/edit-distance.js';

describe('withTypo', () => {
  const query = 'How does the connection pool wait for a checkpoint?';

  it('makes one typo in one word that is not a stop word', () => {
    for (let at = 0; at < 300; at += 1) {
      const slipped = withTypo(query, 7, at);
      expect(editDistance(query.toLowerCase(), slipped.toLowerCase(), 3)).toBe(1);
      expect(slipped).toMatch(/^How does the .* for a .*\?$/);
    }
  });

  it('makes the same typos for the same seed, and others for another', () => {
    const of = (seed: number) => Array.from({ length: 20 }, (_, at) => withTypo(query, seed, at));
    expect(of(1)).toEqual(of(1));
    expect(of(1)).not.toEqual(of(2));
    expect(new Set(of(1)).size).toBeGreaterThan(10);
  });

  it('leaves a query without such a word unchanged', () => {
    fc.assert(
      fc.property(fc.constantFrom('how is it', '数据库 42', '', 'what were they', 'größe'), fc.nat(), (text, seed) => {
        expect(withTypo(text, seed, 3)).toBe(text);
      }),
    );
  });
});
