/**
 * Searches for the check after a purge: byte by byte, in another way than the purge itself, so that the check does not
 * repeat an error of the purge. Pure.
 */
import { formsOf } from './matcher.js';

export type Needle = {
  /** Whether the bytes contain what was purged. */
  readonly isIn: (bytes: Buffer) => boolean;
  /** Length in bytes of the longest possible occurrence, for reading a file in pieces. */
  readonly length: number;
};

/** Finds any of the texts, also as escaped in JSON. */
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

/** Finds matches of the pattern, in UTF-8 and in bytes that are not. */
export const patternNeedle = (pattern: RegExp): Needle => ({
  isIn: (haystack) =>
    new RegExp(pattern.source, pattern.flags.replace('g', '')).test(haystack.toString('latin1')) ||
    new RegExp(pattern.source, pattern.flags.replace('g', '')).test(haystack.toString('utf8')),
  length: patternOverlap,
});

/** A match may have any length; a longer one is missed if it spans two pieces of a file of more than 4 MiB. */
const patternOverlap = 64 * 1024;

export const anyNeedle = (needles: readonly Needle[]): Needle => ({
  isIn: (haystack) => needles.some((needle) => needle.isIn(haystack)),
  length: Math.max(0, ...needles.map(({ length }) => length)),
});
