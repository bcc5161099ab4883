/**
 * Proves from the difference of two histories which of the texts named in purge records are gone. A fingerprint tells how
 * long a text is, but that number comes from the author of the record: only a text that stood whole in the known history
 * explains what was cut from it elsewhere.
 */
import { isUtf8 } from 'node:buffer';
import { groupBy } from '../events/group-by.js';
import type { NoteId } from '../events/note/note.js';
import { type CutFinder, cutFinder, cutTester, type Span } from './rule/cuts.js';
import { type Fingerprint, findPrints, fingerprintMatcher, type Looks, openLooks } from './rule/fingerprint.js';
import { formsOf, joinSpans, purgedMark, purgeText, type TextMatcher, withCuts } from './rule/matcher.js';
import type { PurgeRecord } from './rule/record.js';
import { judgeFile } from './rule/rule.js';

export type Proof = {
  readonly claimedNotes: ReadonlySet<NoteId>;
  /** Of each record. */
  readonly claimedTexts: readonly { readonly salt: string; readonly prints: readonly Fingerprint[] }[];
  /** For all of it: when they are used up nothing is proven. */
  readonly looks: Looks;
  /** Gone from the history that came. */
  readonly notes: Set<NoteId>;
  /** The same, as they stood in the known history. */
  readonly texts: Map<Fingerprint, string>;
  /** The beginnings of those that are looked for before a `…`, for as many texts as it was made of. */
  cuts: { readonly of: number; readonly find: CutFinder; readonly isOne: (cut: string) => boolean } | undefined;
};

/** A shorter text is guessed from its sums, and stands where it means something else. */
const leastFollowed = 8;

export const openProof = (records: readonly PurgeRecord[], looks = openLooks()): Proof => ({
  claimedNotes: new Set(records.flatMap(({ notes }) => notes)),
  claimedTexts: records.map(({ purge, texts }) => ({
    salt: purge,
    prints: texts.filter(({ bytes }) => bytes >= leastFollowed),
  })),
  looks,
  notes: new Set(),
  texts: new Map(),
  cuts: undefined,
});

/** Proves the texts that stand whole in `old`, and less often in what it became. */
export const gatherTexts = ({ claimedTexts, looks, texts }: Proof, old: string, now: string): void => {
  const [before, after] = [Buffer.from(old), Buffer.from(now)];
  for (const { salt, prints } of claimedTexts) {
    const unproven = prints.filter((print) => !texts.has(print));
    const stood = groupBy(findPrints(before, salt, unproven, looks), ({ print }) => print);
    if (stood.size === 0) continue;
    const stands = groupBy(findPrints(after, salt, [...stood.keys()], looks), ({ print }) => print);
    for (const [print, [first, ...others]] of stood) {
      if (first === undefined || (stands.get(print)?.length ?? 0) > others.length) continue;
      texts.set(print, before.toString('utf8', first.start, first.end));
    }
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
  const { claimedTexts, looks } = proof;
  const bytes = Buffer.from(text);
  const found = claimedTexts.flatMap(({ salt, prints }) => {
    const here = new Set(findPrints(bytes, salt, prints, looks).map(({ print }) => print));
    return here.size === 0 ? [] : [fingerprintMatcher(salt, [...here], looks)];
  });
  const whole: TextMatcher = {
    spans: (other) => joinSpans(found.flatMap((matcher) => matcher.spans(other))),
    spansInBytes: (other) => joinSpans(found.flatMap((matcher) => matcher.spansInBytes(other))),
    texts: [],
  };
  return text.includes('…') ? withCuts(whole, cutsOf(proof).find) : whole;
};

/** The beginning of a proven text before a `…`: our titles, subjects and captured prompts are cut so. */
const isProvenCut = (proof: Proof, text: string, start: number, end: number): boolean =>
  text[end] === '…' && cutsOf(proof).isOne(text.slice(start, end));

/** Nothing of ours cuts a text behind so many characters, and a purge looks for the cuts of so many texts. */
const maxCutUnits = 4096;
const maxCutTexts = 100;

const cutsOf = (proof: Proof): NonNullable<Proof['cuts']> => {
  if (proof.cuts?.of === proof.texts.size) return proof.cuts;
  const forms = [...proof.texts.values()].slice(0, maxCutTexts).flatMap((text) => formsOf(text.slice(0, maxCutUnits)));
  const cuts = { of: proof.texts.size, find: cutFinder(forms), isOne: cutTester(forms) };
  proof.cuts = cuts;
  return cuts;
};

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
