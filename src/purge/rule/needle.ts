/**
 * How the check after a purge looks: byte by byte, by another way than the purge itself, so that an error of one is not
 * repeated by the other. Pure.
 */
import { formsOf } from './matcher.js';

export type Needle = {
  /** True when the bytes hold what is gone. */
  readonly isIn: (bytes: Buffer) => boolean;
  /** The most bytes that one occurrence can have, for reading a file in pieces. */
  readonly length: number;
};

/** Finds any of the texts, also as JSON writes them. */
export const textNeedle = (texts: readonly string[]): Needle => {
  const forms = new Set(texts.flatMap(formsOf).filter((text) => text !== ''));
  const bytes = [...new Set([...forms, ...[...forms].map((text) => JSON.stringify(text).slice(1, -1))])].map((text) =>
    Buffer.from(text),
  );
  return {
    isIn: (haystack) => bytes.some((one) => haystack.includes(one)),
    length: Math.max(0, ...bytes.map((one) => one.length)),
  };
};

/** As the pattern itself finds it, in text and in bytes that are none. */
export const patternNeedle = (pattern: RegExp): Needle => ({
  isIn: (haystack) =>
    new RegExp(pattern.source, pattern.flags.replace('g', '')).test(haystack.toString('latin1')) ||
    new RegExp(pattern.source, pattern.flags.replace('g', '')).test(haystack.toString('utf8')),
  length: patternOverlap,
});

/** A match may have any length; what is longer and lies across two pieces of a file of more than a mebibyte is missed. */
const patternOverlap = 64 * 1024;

export const anyNeedle = (needles: readonly Needle[]): Needle => ({
  isIn: (haystack) => needles.some((needle) => needle.isIn(haystack)),
  length: Math.max(0, ...needles.map(({ length }) => length)),
});
