import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { cutFinder, cutTester, leastLiteral } from '../../../src/purge/rule/cuts.js';

/** The spans found by trying every length at every `…`. */
const byTrying = (text: string, lines: readonly string[]): readonly (readonly [number, number])[] =>
  [...text.matchAll(/…/g)].flatMap(({ index: end }) => {
    const lengths = lines.flatMap((line) => {
      const least = Math.max(leastLiteral, Math.min(6, line.length - 1));
      return Array.from(line, (_, at) => at).filter(
        (length) => length >= least && text.slice(0, end).endsWith(line.slice(0, length)),
      );
    });
    return lengths.length === 0 ? [] : [[end - Math.max(...lengths), end] as const];
  });

describe('the beginning of a text before a …', () => {
  it('is found in its full length, whatever repeats in it', () => {
    const few = (least: number, most: number) =>
      fc.string({ unit: fc.constantFrom('a', 'b', '…'), minLength: least, maxLength: most });
    fc.assert(
      fc.property(few(0, 60), fc.array(few(5, 14), { maxLength: 3 }), (text, lines) => {
        const found = cutFinder(lines)(text).map(({ start, end }) => [start, end] as const);
        expect(found.toSorted((a, b) => a[1] - b[1])).toEqual(byTrying(text, lines));
      }),
      { numRuns: 2000 },
    );
  });
  it('is told apart from the whole text and from too little of it', () => {
    const isCut = cutTester(['a secret\n text']);
    expect(['a sec', 'a secr', 'a secret tex', 'a secret text'].map(isCut)).toEqual([false, true, true, false]);
  });
  it('is not searched for from scratch at each …', () => {
    const find = cutFinder(Array.from({ length: 10 }, (_, at) => `${'A'.repeat(4000)}${at}`));
    const spies = (['startsWith', 'endsWith', 'slice', 'includes', 'indexOf'] as const).map((name) =>
      vi.spyOn(String.prototype, name),
    );
    let calls = 0;
    try {
      expect(find('AAAAAAAA…'.repeat(20_000))).toHaveLength(20_000);
      calls = spies.reduce((total, { mock }) => total + mock.calls.length, 0);
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
    expect(calls).toBeLessThan(100);
  });
});
