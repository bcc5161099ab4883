/**
 * Fingerprint of a purged text that doesn't reveal it: its length, a rolling sum and a SHA-256. Whoever has the text
 * can find it again; others can only guess. Pure.
 */
import { groupBy } from '../../events/group-by.js';
import { createHash } from '../../events/hash.js';
import type { Span } from './cuts.js';
import { joinSpans, type TextMatcher } from './matcher.js';

export type Fingerprint = {
  /** Length of the text in UTF-8. */
  readonly bytes: number;
  /** Rolling sum: quick to slide over a text, it tells where to compute the SHA-256. */
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

/** Returns `sha256:<hex> bytes:<n> sum:<hex>`, as in a trailer. */
export const formatFingerprint = ({ bytes, sum, sha256 }: Fingerprint): string =>
  `sha256:${sha256} bytes:${bytes} sum:${sum.toString(16).padStart(8, '0')}`;

export const parseFingerprint = (text: string): Fingerprint | undefined => {
  const [, sha256 = '', bytes = '', sum = ''] =
    /^sha256:([0-9a-f]{64}) bytes:(\d{1,6}) sum:([0-9a-f]{8})$/.exec(text) ?? [];
  return sha256 === '' || Number(bytes) === 0
    ? undefined
    : { sha256, bytes: Number(bytes), sum: Number.parseInt(sum, 16) };
};

/**
 * How much more may be searched. A record's author chooses its lengths and sums, and could choose them so that the
 * search takes forever. Once either budget is used up, nothing more is found.
 */
export type SearchBudget = {
  /** Bytes slid over, once for each length. */
  slid: number;
  /** Bytes hashed, plus a fixed cost each time, of text that has a wanted sum but another SHA-256. */
  inVain: number;
};

/** Some fifteen seconds of sliding, and a tenth of a second of vain hashing, which honest sums don't cause. */
export const openBudget = (slid = 4e9, inVain = 64 * 1024 * 1024): SearchBudget => ({ slid, inVain });
export const isSpent = ({ slid, inVain }: SearchBudget): boolean => slid < 0 || inVain < 0;
const hashCost = 1024;

/** The span is in bytes. */
export type Sighting = Span & { readonly print: Fingerprint };

/** Finds each text wherever it occurs. Of overlapping ones of one length it finds the first, which a purge replaces. */
export const findPrints = (
  bytes: Buffer,
  salt: string,
  prints: readonly Fingerprint[],
  looks: SearchBudget,
): readonly Sighting[] => {
  const found: Sighting[] = [];
  for (const [length, ofLength] of groupBy(prints, (print) => print.bytes)) {
    if (bytes.length < length || isSpent(looks)) continue;
    looks.slid -= bytes.length;
    const wanted = groupBy(ofLength, ({ sum }) => sum | 0);
    // The last bits rule out most sums without a map lookup.
    const ends = new Uint8Array(4096);
    for (const sum of wanted.keys()) ends[sum & 4095] = 1;
    const away = power(length) | 0;
    let sum = 0;
    let least = length - 1;
    for (let at = 0; at < bytes.length; at += 1) {
      sum = (Math.imul(sum, factor) + (bytes[at] ?? 0)) | 0;
      if (at >= length) sum = (sum - Math.imul(bytes[at - length] ?? 0, away)) | 0;
      if (ends[sum & 4095] === 0 || at < least) continue;
      const candidates = wanted.get(sum);
      if (candidates === undefined) continue;
      const start = at - length + 1;
      const sha256 = hashOf(salt, bytes.subarray(start, at + 1));
      const print = candidates.find((one) => one.sha256 === sha256);
      if (print === undefined) {
        looks.inVain -= length + hashCost;
        if (isSpent(looks)) break;
      } else {
        found.push({ print, start, end: at + 1 });
        least = at + length;
      }
    }
  }
  return found;
};

/** Finds texts by their fingerprints, exactly as written; another spelling has another fingerprint. */
export const fingerprintMatcher = (
  salt: string,
  prints: readonly Fingerprint[],
  looks: SearchBudget = openBudget(Number.POSITIVE_INFINITY),
): TextMatcher => ({
  spans: (text) => {
    const bytes = Buffer.from(text);
    const found = joinSpans(findPrints(bytes, salt, prints, looks));
    return bytes.length === text.length ? found : inUnits(bytes, found);
  },
  spansInBytes: (bytes) => joinSpans(findPrints(Buffer.from(bytes, 'latin1'), salt, prints, looks)),
  texts: [],
});

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

/** Converts spans in bytes, sorted and disjoint, to UTF-16 units. */
const inUnits = (bytes: Buffer, spans: readonly Span[]): readonly Span[] => {
  let at = 0;
  let units = 0;
  const unitsTo = (end: number): number => {
    units += bytes.toString('utf8', at, end).length;
    at = end;
    return units;
  };
  return spans.map(({ start, end }) => ({ start: unitsTo(start), end: unitsTo(end) }));
};
