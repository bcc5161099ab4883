import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { literalOf } from '../../../../src/projections/search/query/literal.js';
import { processorMs } from '../../../support/processor-time.js';

const placesByHand = (sought: string, text: string): readonly number[] => {
  const places: number[] = [];
  for (let at = text.indexOf(sought); sought !== '' && at !== -1; at = text.indexOf(sought, at + sought.length))
    places.push(at);
  return places;
};

describe('a literal text', () => {
  it('is found where it occurs, without overlap', () => {
    const ab = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 30 });
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 4 }), ab, (sought, text) => {
        expect(literalOf(sought, false).placesIn(text)).toEqual(placesByHand(sought, text));
      }),
    );
  });

  it('is found in either case if asked for, also beyond ASCII', () => {
    expect(literalOf('größe', true).placesIn('GRÖSSE Größe GRÖßE')).toEqual([7, 13]);
    expect(literalOf('DNS', true).placesIn('dns Dns DNS')).toEqual([0, 4, 8]);
    expect(literalOf('DNS', false).placesIn('dns Dns DNS')).toEqual([8]);
  });

  it('may have any length, and characters that are special in a regular expression', () => {
    const long = 'b'.repeat(40_000);
    expect(literalOf(long, true).placesIn(`x${long}x`)).toEqual([1]);
    expect(literalOf(long, true).asciiPart.length).toBeLessThanOrEqual(500);
    expect(literalOf('a.*(b', false).placesIn('xa.*(b')).toEqual([1]);
  });

  it('takes time proportional to the text, even if its beginning repeats again and again', () => {
    const sought = `${'a'.repeat(1990)}\n${'a'.repeat(1995)}`;
    const start = processorMs();
    for (const ignoreCase of [true, false])
      expect(literalOf(sought, ignoreCase).placesIn('a'.repeat(1_000_000))).toEqual([]);
    expect(processorMs() - start).toBeLessThan(1500);
  });
});
