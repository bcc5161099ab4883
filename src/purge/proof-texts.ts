/**
 * Proves from the difference of two histories which of the texts named in purge records are gone. A fingerprint tells how
 * long a text is, but that number comes from the author of the record: only a text that stood whole in the known history
 * explains what was cut from it elsewhere.
 */
import { isUtf8 } from 'node:buffer';
import type { NoteId } from '../events/note/note.js';
import { type Fingerprint, fingerprintMatcher } from './rule/fingerprint.js';
import {
  formsOf,
  isCutFrom,
  joinSpans,
  knowing,
  purgedMark,
  purgeText,
  type Span,
  type TextMatcher,
} from './rule/matcher.js';
import type { PurgeRecord } from './rule/record.js';
import { judgeFile } from './rule/rule.js';

export type Proof = {
  readonly claimedNotes: ReadonlySet<NoteId>;
  readonly claimedTexts: readonly { readonly text: Fingerprint; readonly matcher: TextMatcher }[];
  /** Gone from the history that came. */
  readonly notes: Set<NoteId>;
  /** The same, as they stood in the known history. */
  readonly texts: Map<Fingerprint, string>;
};

/** A shorter text is guessed from its sums, and stands where it means something else. */
const leastFollowed = 8;

export const openProof = (records: readonly PurgeRecord[]): Proof => ({
  claimedNotes: new Set(records.flatMap(({ notes }) => notes)),
  claimedTexts: records.flatMap(({ purge, texts }) =>
    texts
      .filter(({ bytes }) => bytes >= leastFollowed)
      .map((text) => ({ text, matcher: fingerprintMatcher(purge, [text]) })),
  ),
  notes: new Set(),
  texts: new Map(),
});

/** Proves the texts that stand whole in `old`, and less often in what it became. */
export const gatherTexts = (proof: Proof, old: string, now: string): void => {
  for (const { text, matcher } of proof.claimedTexts) {
    if (proof.texts.has(text)) continue;
    const spans = matcher.spans(old);
    const [first] = spans;
    if (first === undefined || matcher.spans(now).length >= spans.length) continue;
    proof.texts.set(text, Buffer.from(old.slice(first.start)).toString('utf8', 0, text.bytes));
  }
};

/** Only what the records name is replaced, wherever it stands in the file; the rest is as it was. */
export const explainFile = (proof: Proof, old: Buffer, now: Buffer): boolean => {
  const text = old.toString('utf8');
  const verdict = judgeFile(old, { notes: new Set(), text: matcherFor(proof, text) });
  if (verdict.kind === 'replace' && verdict.bytes.equals(now)) return true;
  return isUtf8(old) && isUtf8(now) && explainWords(proof, text, now.toString('utf8'));
};

/** The same of words that are no file. */
export const explainWords = (proof: Proof, old: string, now: string): boolean => {
  const matcher = matcherFor(proof, old);
  if (purgeText(old, matcher).text === now) return true;
  const gaps = gapsOf(old, now);
  if (gaps === undefined) return false;
  const named = matcher.spans(old);
  return gaps.every(
    ({ start, end }) =>
      named.some((span) => span.start <= start && end <= span.end) || isProvenCut(proof, old, start, end),
  );
};

/** Of the texts that the records name those that stand here, and what was cut from a proven one. */
export const matcherFor = (proof: Proof, text: string): TextMatcher => {
  const found = proof.claimedTexts.map(({ matcher }) => matcher).filter((matcher) => matcher.spans(text).length > 0);
  const whole: TextMatcher = {
    spans: (other) => joinSpans(found.flatMap((matcher) => matcher.spans(other))),
    spansInBytes: (other) => joinSpans(found.flatMap((matcher) => matcher.spansInBytes(other))),
    texts: [],
  };
  return text.includes('…') ? knowing(whole, cutsOf(proof)) : whole;
};

/** The beginning of a proven text before a `…`: our titles, subjects and captured prompts are cut so. */
const isProvenCut = (proof: Proof, text: string, start: number, end: number): boolean =>
  text[end] === '…' && cutsOf(proof).some((form) => isCutFrom(text.slice(start, end), form));

/** Nothing of ours cuts a text behind so many characters, and a purge looks for the cuts of so many texts. */
const maxCutUnits = 4096;
const maxCutTexts = 100;

const cutsOf = ({ texts }: Proof): readonly string[] =>
  [...texts.values()].slice(0, maxCutTexts).flatMap((text) => formsOf(text.slice(0, maxCutUnits)));

/** The parts of `text` that the mark stands for in `now`; undefined where more than that differs. */
const gapsOf = (text: string, now: string): readonly Span[] | undefined => {
  const parts = now.split(purgedMark);
  const [first = '', ...others] = parts;
  if (parts.length < 2 || !text.startsWith(first)) return undefined;
  const gaps: Span[] = [];
  let at = first.length;
  for (const [index, part] of others.entries()) {
    const found = index === others.length - 1 ? text.length - part.length : text.indexOf(part, at + 1);
    if (found <= at || !text.startsWith(part, found)) return undefined;
    gaps.push({ start: at, end: found });
    at = found + part.length;
  }
  return gaps;
};
