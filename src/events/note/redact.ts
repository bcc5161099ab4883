/** Masks secrets before a text is written to a journal, where it would stay in the history forever. */
import { findAroundMarks } from './redact/around-marks.js';
import { findInCommands } from './redact/commands.js';
import { readingsOf } from './redact/displayed/readings.js';
import { findInDocuments } from './redact/documents.js';
import { findInHeaders } from './redact/headers.js';
import { findMarks, touchesMark } from './redact/marks.js';
import { findNamed } from './redact/named.js';
import { findPrivateKeys } from './redact/private-keys.js';
import { findInProse } from './redact/prose.js';
import { type Detector, markerStart, type SecretKind, type Span, secretKinds } from './redact/span.js';
import { findInStatements } from './redact/statements.js';
import { findInTables } from './redact/tables.js';
import { findTokens } from './redact/tokens.js';
import { findInUrls } from './redact/urls.js';
import { scanWords } from './redact/word-scan.js';

export type Masked = { readonly kind: SecretKind; readonly count: number };
export type Redacted = { readonly text: string; readonly masked: readonly Masked[] };

/**
 * Each secret becomes `[REDACTED:kind]`; nothing else changes. `masked` is sorted by kind. Linear in the text: 256 KiB
 * of prose, code, logs or Base64 take 2 to 12 ms; with terminal codes, unusual blanks or escaped characters 10 to 60
 * ms; one sensitive name repeated throughout up to about 100 ms. Redacting again changes nothing.
 *
 * A value beside a key such as `password` is masked only when it does not look like a word, code, path or placeholder:
 * missing a weak password is better than spoiling a note that explains code.
 */
export const redact = (text: string): Redacted => {
  const countByKind = new Map<SecretKind, number>();
  let current = text;
  // A mask can uncover a secret, as in `u:pass@{ghp_...}@host`; the second round usually finds nothing.
  for (let round = 1; round <= maxRounds; round += 1) {
    const found = findSecrets(current);
    if (found.length === 0) break;
    const spans = round <= exactRounds ? found : inWholeWords(current, found);
    for (const { kind } of spans) countByKind.set(kind, (countByKind.get(kind) ?? 0) + 1);
    current = mask(current, spans);
  }
  const masked = [...countByKind].map(([kind, count]) => ({ kind, count }));
  return { text: current, masked: masked.toSorted((a, b) => (a.kind < b.kind ? -1 : 1)) };
};

/** A text that needs more exposes a little more of a secret with each mask: then whole words are masked, so it ends. */
const exactRounds = 4;
const maxRounds = 8;

/** Extends each span to the nearest blank or quote, on the left only up to a mark. Returns them sorted and disjoint. */
const inWholeWords = (text: string, spans: readonly Span[]): readonly Span[] => {
  const words: Span[] = [];
  let done = 0;
  for (const { kind, start, end } of spans) {
    if (end <= done) continue;
    const before = text.slice(done, start);
    const from = start - (/[^\s"'`\]]*$/.exec(before)?.[0].length ?? 0);
    endOfWord.lastIndex = end;
    done = endOfWord.exec(text)?.index ?? text.length;
    words.push({ kind, start: from, end: done });
  }
  return words;
};
const endOfWord = /[\s"'`]/g;

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
  findInTables,
  findNamed,
  findInCommands,
  findInStatements,
  findInProse,
];

const rankByKind = new Map(secretKinds.map((kind, rank) => [kind, rank]));
const rankOf = (kind: SecretKind): number => rankByKind.get(kind) ?? secretKinds.length;

/** Returns sorted, disjoint spans; overlapping ones are merged into one secret. */
const findSecrets = (text: string): readonly Span[] => {
  const found = findAllSpans(text);
  const apart: Span[] = [];
  for (const span of found.toSorted((a, b) => a.start - b.start)) {
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

/** Searches the text as written and as displayed: hidden marks split what a reader sees as one, or join it to more. */
const findAllSpans = (text: string): readonly Span[] =>
  readingsOf(text).flatMap((reading) => detect(reading.text, reading.joints).map(reading.original));

const detect = (text: string, joints: readonly number[]): readonly Span[] => {
  const found = detectPlain(text, joints);
  const marks = findMarks(text);
  if (marks.length === 0) return found;
  const starts = marks.map(({ start }) => start);
  const around = findAroundMarks(text, marks, (bare) => detectPlain(bare, []));
  return [...found.filter((span) => !touchesMark(marks, starts, span)), ...around];
};

const detectPlain = (text: string, joints: readonly number[]): readonly Span[] => {
  const seen = scanWords(text, joints);
  return detectors.flatMap((findIn) => findIn(text, seen));
};
