/** Every character there is, as fast-check's unit `binary` makes them, without what that one costs. */
import fc from 'fast-check';

const firstSurrogate = 0xd800;
const surrogates = 0x800;

const characterOf = (number: number): string =>
  String.fromCodePoint(number < firstSurrogate ? number : number + surrogates);

/** Throws where `value` is not one character, as fast-check wants it. */
const numberOf = (value: unknown): number => {
  const point = typeof value === 'string' ? (value.codePointAt(0) ?? 0) : 0;
  const number = point < firstSurrogate ? point : point - surrogates;
  if (characterOf(number) !== value) throw new Error('not one character');
  return number;
};

/**
 * Any code point but half a surrogate pair. For the same seed it gives the values that fast-check's `binary` gives, which
 * looks up a value's number in a table of 1.1 million characters: 0.8 s in each process that makes it, and 110 MB that stay.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat({ max: 0x10ffff - surrogates }).map(characterOf, numberOf);
