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
  it('is found where it stands, without overlap', () => {
    const ab = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 30 });
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 4 }), ab, (sought, text) => {
        expect(literalOf(sought, false).placesIn(text)).toEqual(placesByHand(sought, text));
      }),
    );
  });

  it('is found in either case where that is asked for, beyond ASCII too', () => {
    expect(literalOf('größe', true).placesIn('GRÖSSE Größe GRÖßE')).toEqual([7, 13]);
    expect(literalOf('DNS', true).placesIn('dns Dns DNS')).toEqual([0, 4, 8]);
    expect(literalOf('DNS', false).placesIn('dns Dns DNS')).toEqual([8]);
  });

  it('may be of any length, and of signs that mean something to an expression', () => {
    const long = 'b'.repeat(40_000);
    expect(literalOf(long, true).placesIn(`x${long}x`)).toEqual([1]);
    expect(literalOf(long, true).asciiPart.length).toBeLessThanOrEqual(500);
    expect(literalOf('a.*(b', false).placesIn('xa.*(b')).toEqual([1]);
  });

  it('takes time in proportion to the text, where its beginning comes again and again', () => {
    const sought = `${'a'.repeat(1990)}\n${'a'.repeat(1995)}`;
    const start = processorMs();
    for (const ignoreCase of [true, false])
      expect(literalOf(sought, ignoreCase).placesIn('a'.repeat(1_000_000))).toEqual([]);
    expect(processorMs() - start).toBeLessThan(1500);
  });
});
