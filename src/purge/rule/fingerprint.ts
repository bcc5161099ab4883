/**
 * Fingerprint of a purged text that doesn't reveal it: its length and two sums of it. Whoever holds the text can
 * find it again; whoever does not can only guess. Pure.
 */
import { createHash } from '../../events/hash.js';
import { joinSpans, type Span, type TextMatcher } from './matcher.js';

export type Fingerprint = {
  /** Of the text in UTF-8. */
  readonly bytes: number;
  /** Quick to slide over a text: tells where to look closer. */
  readonly sum: number;
  /** SHA-256 of the salt, a NUL and the text. */
  readonly sha256: string;
};

export const fingerprintOf = (salt: string, text: string): Fingerprint => {
  const bytes = Buffer.from(text);
  let sum = 0;
  for (const byte of bytes) sum = next(sum, byte);
  return { bytes: bytes.length, sum, sha256: hashOf(salt, bytes) };
};

/** `sha256:<hex> bytes:<n> sum:<hex>`, as a trailer has it. */
export const formatFingerprint = ({ bytes, sum, sha256 }: Fingerprint): string =>
  `sha256:${sha256} bytes:${bytes} sum:${sum.toString(16).padStart(8, '0')}`;

export const parseFingerprint = (text: string): Fingerprint | undefined => {
  const [, sha256 = '', bytes = '', sum = ''] =
    /^sha256:([0-9a-f]{64}) bytes:(\d{1,6}) sum:([0-9a-f]{8})$/.exec(text) ?? [];
  return sha256 === '' || Number(bytes) === 0
    ? undefined
    : { sha256, bytes: Number(bytes), sum: Number.parseInt(sum, 16) };
};

/** Finds the texts by their fingerprints, as they were; another spelling has a fingerprint of its own. */
export const fingerprintMatcher = (salt: string, fingerprints: readonly Fingerprint[]): TextMatcher => ({
  spans: (text) => {
    const bytes = Buffer.from(text);
    const found = findIn(bytes, salt, fingerprints);
    return bytes.length === text.length ? found : found.map(({ start, end }) => toUnits(bytes, start, end));
  },
  spansInBytes: (bytes) => findIn(Buffer.from(bytes, 'latin1'), salt, fingerprints),
  texts: [],
});

const findIn = (bytes: Buffer, salt: string, fingerprints: readonly Fingerprint[]): readonly Span[] => {
  const spans: Span[] = [];
  for (const [length, wanted] of byLength(fingerprints)) {
    if (bytes.length < length) continue;
    const away = power(length);
    let sum = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      sum = next(sum, bytes[at] ?? 0);
      if (at >= length) sum = (sum - Math.imul(bytes[at - length] ?? 0, away)) >>> 0;
      const start = at - length + 1;
      if (start < 0 || !wanted.has(sum)) continue;
      if (wanted.get(sum)?.has(hashOf(salt, bytes.subarray(start, at + 1))) === true)
        spans.push({ start, end: at + 1 });
    }
  }
  return joinSpans(spans);
};

const byLength = (all: readonly Fingerprint[]): ReadonlyMap<number, ReadonlyMap<number, ReadonlySet<string>>> => {
  const lengths = new Map<number, Map<number, Set<string>>>();
  for (const { bytes, sum, sha256 } of all) {
    const sums = lengths.get(bytes) ?? new Map<number, Set<string>>();
    lengths.set(bytes, sums.set(sum, (sums.get(sum) ?? new Set()).add(sha256)));
  }
  return lengths;
};

/** Polynomial modulo 2^32: one step to the right costs two multiplications. */
const factor = 0x01000193;
const next = (sum: number, byte: number): number => (Math.imul(sum, factor) + byte) >>> 0;
const power = (exponent: number): number => {
  let value = 1;
  for (let n = 0; n < exponent; n += 1) value = Math.imul(value, factor) >>> 0;
  return value;
};

const hashOf = (salt: string, bytes: Buffer): string =>
  createHash('sha256').update(`${salt}\0`).update(bytes).digest('hex');

const toUnits = (bytes: Buffer, start: number, end: number): Span => {
  const before = bytes.toString('utf8', 0, start).length;
  return { start: before, end: before + bytes.toString('utf8', start, end).length };
};
