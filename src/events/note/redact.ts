/** Masks secrets before a text is written to a journal, where it would stay in the history forever. */
import { findInCommands } from './redact/commands.js';
import { findInDocuments } from './redact/documents.js';
import { findInHeaders } from './redact/headers.js';
import { findNamed } from './redact/pairs.js';
import { findPrivateKeys } from './redact/private-keys.js';
import { readableText } from './redact/readable.js';
import { type Detector, markerStart, type SecretKind, type Span, secretKinds } from './redact/span.js';
import { findTokens } from './redact/tokens.js';
import { findInUrls } from './redact/urls.js';

export type MaskCount = { readonly kind: SecretKind; readonly count: number };
export type Redaction = { readonly text: string; readonly masked: readonly MaskCount[] };

/**
 * Each secret becomes `[REDACTED:kind]`; nothing else changes, and redacting again changes nothing. `masked` is sorted
 * by kind. Linear. A value beside a name such as `password` is masked unless it looks like a word, code, path or
 * placeholder.
 */
export const redact = (text: string): Redaction => {
  const countByKind = new Map<SecretKind, number>();
  let current = text;
  // A mask can end a value earlier, and show that what is beside it is a secret too; a second round is rare.
  for (let round = 1; round <= maxRounds; round += 1) {
    const spans = findSecrets(current);
    if (spans.length === 0) break;
    for (const { kind } of spans) countByKind.set(kind, (countByKind.get(kind) ?? 0) + 1);
    current = mask(current, spans);
  }
  const masked = [...countByKind].map(([kind, count]) => ({ kind, count }));
  return { text: current, masked: masked.toSorted((a, b) => (a.kind < b.kind ? -1 : 1)) };
};

const maxRounds = 5;

const mask = (text: string, spans: readonly Span[]): string => {
  const pieces = spans.map(
    ({ kind, start }, i) => `${text.slice(i === 0 ? 0 : spans[i - 1]?.end, start)}${markerStart}${kind}]`,
  );
  return pieces.join('') + text.slice(spans.at(-1)?.end);
};

const detectors: readonly Detector[] = [
  findPrivateKeys,
  findTokens,
  findInUrls,
  findInHeaders,
  findInDocuments,
  findNamed,
  findInCommands,
];

const rankByKind = new Map(secretKinds.map((kind, rank) => [kind, rank]));
const rankOf = (kind: SecretKind): number => rankByKind.get(kind) ?? secretKinds.length;

/** Returns sorted, disjoint spans; overlapping ones are merged into one secret. */
const findSecrets = (text: string): readonly Span[] => {
  const reading = readableText(text);
  const found = detect(text).concat(reading === undefined ? [] : detect(reading.text).map(reading.original));
  const apart: Span[] = [];
  for (const span of withoutMarks(text, found).toSorted((a, b) => a.start - b.start)) {
    const last = apart.at(-1);
    if (last === undefined || span.start >= last.end) {
      apart.push(span);
    } else {
      const kind = rankOf(span.kind) < rankOf(last.kind) ? span.kind : last.kind;
      apart[apart.length - 1] = { kind, start: last.start, end: Math.max(last.end, span.end) };
    }
  }
  return apart;
};

const detect = (text: string): Span[] => detectors.flatMap((findIn) => findIn(text));

/** A mask is neither a secret nor part of one: without this, masking might never end. */
const withoutMarks = (text: string, spans: readonly Span[]): readonly Span[] =>
  text.includes(markerStart) ? spans.filter(({ start, end }) => !touchesMark(text, start, end)) : spans;

const longestMark = Math.max(...secretKinds.map(({ length }) => length)) + markerStart.length + 1;
const touchesMark = (text: string, start: number, end: number): boolean => {
  const from = Math.max(0, start - longestMark + 1);
  for (const { index, 0: mark } of text.slice(from, end + longestMark).matchAll(/\[REDACTED:[a-z-]{1,40}\]/g))
    if (from + index < end && from + index + mark.length > start) return true;
  return false;
};
