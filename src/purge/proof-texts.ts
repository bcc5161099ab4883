/**
 * Proves from the difference of two histories which of the texts named in purge records are gone. A fingerprint states
 * the text's length, but that number comes from the record's author: only a text found whole in the known history
 * explains the removal of a truncated one elsewhere.
 */
import { isUtf8 } from 'node:buffer';
import { groupBy } from '../events/group-by.js';
import type { NoteId } from '../events/note/note.js';
import { type CutFinder, cutFinder, cutTester, type Span } from './rule/cuts.js';
import { type Fingerprint, findPrints, fingerprintMatcher, openBudget, type SearchBudget } from './rule/fingerprint.js';
import { formsOf, joinSpans, purgedMark, purgeText, type TextMatcher, withCuts } from './rule/matcher.js';
import type { PurgeRecord } from './rule/record.js';
import { judgeFile } from './rule/rule.js';

export type Proof = {
  readonly claimedNotes: ReadonlySet<NoteId>;
  /** One entry per record. */
  readonly claimedTexts: readonly { readonly salt: string; readonly prints: readonly Fingerprint[] }[];
  /** Shared by the whole proof; once they are used up, nothing is proven. */
  readonly looks: SearchBudget;
  /** Proven to be gone from the incoming history. */
  readonly notes: Set<NoteId>;
  /** Proven texts, as they stood in the known history. */
  readonly texts: Map<Fingerprint, string>;
  /** Finds beginnings of proven texts before a `…`; built from the first `of` texts. */
  cuts: { readonly of: number; readonly find: CutFinder; readonly isOne: (cut: string) => boolean } | undefined;
};

/** A shorter text can be guessed from its fingerprint, and also occurs where it means something else. */
const minFollowedBytes = 8;

export const openProof = (records: readonly PurgeRecord[], looks = openBudget()): Proof => ({
  claimedNotes: new Set(records.flatMap(({ notes }) => notes)),
  claimedTexts: records.map(({ purge, texts }) => ({
    salt: purge,
    prints: texts.filter(({ bytes }) => bytes >= minFollowedBytes),
  })),
  looks,
  notes: new Set(),
  texts: new Map(),
  cuts: undefined,
});

/** Proves the texts that occur whole in `old`, and fewer times in `now`. */
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

/** Returns whether `now` is `old` with nothing but texts named by the records replaced. */
export const explainFile = (proof: Proof, old: Buffer, now: Buffer): boolean => {
  const text = old.toString('utf8');
  const verdict = judgeFile(old, { notes: new Set(), text: matcherFor(proof, text) });
  if (verdict.kind === 'replace' && verdict.bytes.equals(now)) return true;
  return isUtf8(old) && isUtf8(now) && explainWords(proof, text, now.toString('utf8'));
};

/** Like `explainFile`, for words of a commit message. */
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

/** Matches those recorded texts that occur in `text`, and truncated forms of proven ones. */
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

/** Whether this is the beginning of a proven text before a `…`, as in our titles, subjects and captured prompts. */
const isProvenCut = (proof: Proof, text: string, start: number, end: number): boolean =>
  text[end] === '…' && cutsOf(proof).isOne(text.slice(start, end));

/** We never truncate a text after more UTF-16 units, and a purge finds truncations of at most this many texts. */
const maxCutUnits = 4096;
const maxCutTexts = 100;

const cutsOf = (proof: Proof): NonNullable<Proof['cuts']> => {
  if (proof.cuts?.of === proof.texts.size) return proof.cuts;
  const forms = [...proof.texts.values()].slice(0, maxCutTexts).flatMap((text) => formsOf(text.slice(0, maxCutUnits)));
  const cuts = { of: proof.texts.size, find: cutFinder(forms), isOne: cutTester(forms) };
  proof.cuts = cuts;
  return cuts;
};

/** Returns the spans of `text` that the mark replaces in `now`, or undefined if anything else differs. */
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
