/**
 * A query's or prompt's words in a note, read from its print: where, in which form, how much each says, which are near
 * each other. For what a search adds to BM25, and for whether a note fits a prompt (recall/prompt-fit.ts). Pure.
 */
import { firstPartOf, gap, type PrintWord, passes, printWordOf, sieveOf, stemOf } from '../prints/print.js';
import type { CountedForm, CountedWord } from './expression.js';

export type AskedWord = {
  readonly print: PrintWord;
  readonly stem: number;
  readonly formStems: readonly number[];
  readonly idf: number;
};

export const askWord = (word: string, forms: readonly CountedForm[], idf: number): AskedWord => {
  const print = printWordOf(word);
  return { print, stem: stemOf(print), formStems: forms.map((form) => stemOf(printWordOf(form.word))), idf };
};

/** BM25's idf of a word in `notes` of `total`: at least 0, and next to nothing for a word in half of them. */
export const idfOf = (notes: number, total: number): number => {
  const held = Math.max(0, Math.min(notes, total / 2 - 1));
  return Math.max(0, Math.log((total - held + 0.5) / (held + 0.5)));
};

/** A rarer form tells no more about a note; adding up all was .0003 nDCG@10 and .002 hit@8 worse on public sets. */
export const notesOfCommonest = ({ notes, forms = [] }: CountedWord): number =>
  forms.reduce((most, form) => Math.max(most, form.notes), notes);

export type HeldWords = {
  /** Asked words in the order of the note; `part` is 0 for the title, 1 for the body, 2 for tags and keywords. */
  readonly places: readonly { readonly at: number; readonly word: number; readonly part: number }[];
  /** For each asked word, its first positions, how often it occurs, and how often in the very form asked for. */
  readonly placesOf: readonly (readonly number[])[];
  readonly counts: readonly number[];
  readonly sameForm: readonly number[];
  readonly length: number;
};

/** Reads the asked words in a print; positions in two parts of a note are never near each other. */
export const openHeldWords = (asked: readonly AskedWord[]): ((print: Uint32Array) => HeldWords) => {
  const byStem = new Map([
    // If two words share a form, the first one gets it, but a word that is asked for itself is never another's form.
    ...asked.flatMap(({ formStems }, at) => formStems.map((stem) => [stem, at] as const)).reverse(),
    ...asked.map(({ stem }, at) => [stem, at] as const).reverse(),
  ]);
  const sieve = sieveOf(byStem.keys());
  return (print) => {
    const places: { at: number; word: number; part: number }[] = [];
    const placesOf: number[][] = asked.map(() => []);
    const counts = asked.map(() => 0);
    const sameForm = asked.map(() => 0);
    let part = firstPartOf(print);
    for (let index = 0; index < print.length; index += 1) {
      const printed = print[index] ?? gap;
      if (printed === gap) {
        part += 1;
        continue;
      }
      const word = passes(sieve, printed) ? byStem.get(stemOf(printed)) : undefined;
      if (word === undefined) continue;
      const at = index + part * apart;
      places.push({ at, word, part });
      counts[word] = (counts[word] ?? 0) + 1;
      if (printed === asked[word]?.print) sameForm[word] = (sameForm[word] ?? 0) + 1;
      const own = placesOf[word];
      if (own !== undefined && own.length < maxPlaces) own.push(at);
    }
    return { places, placesOf, counts, sameForm, length: print.length };
  };
};

/** Positions of one word that are compared with those of another: a word that is everywhere is near everything. */
const maxPlaces = 64;
/** More than the size of any window. */
const apart = 100;

/** At least 1. */
export const averageLength = (held: readonly { readonly length: number }[]): number =>
  Math.max(1, held.reduce((sum, { length }) => sum + length, 0) / Math.max(1, held.length));

/** BM25's usual constants, as in FTS5; a word counts at most k1 + 1 times its idf. */
const k1 = 1.2;
const b = 0.75;

/** BM25 of a word without its idf: each further one adds less. `length`: the note's, relative to the average. */
export const saturate = (count: number, length: number): number =>
  (count * (k1 + 1)) / (count + k1 * (1 - b + b * length));

/** Scales a pair of words to the score of a rare word that a note contains twice or more. */
export const pairScore = (first: AskedWord | undefined, second: AskedWord | undefined): number =>
  3.3 * Math.min(first?.idf ?? 0, second?.idf ?? 0);

/** Whether a position in `second` is at most `before` before and `after` after one in `first`; both are sorted. */
export const areWithin = (
  first: readonly number[] | undefined,
  second: readonly number[] | undefined,
  before: number,
  after: number,
): boolean => {
  let from = 0;
  for (const at of first ?? []) {
    while ((second?.[from] ?? Number.POSITIVE_INFINITY) < at - before) from += 1;
    if ((second?.[from] ?? Number.POSITIVE_INFINITY) <= at + after) return true;
  }
  return false;
};

/** The greatest sum of the values of distinct words within `size` words, added to what the note has anyway. */
export const mostInWindow = (
  places: HeldWords['places'],
  size: number,
  values: readonly number[],
  anyway = 0,
): number => {
  const inside = values.map(() => 0);
  let sum = anyway;
  let best = anyway;
  let first = 0;
  for (const { at, word } of places) {
    const count = (inside[word] ?? 0) + 1;
    inside[word] = count;
    if (count === 1) sum += values[word] ?? 0;
    for (let left = places[first]; left !== undefined && left.at <= at - size; left = places[first]) {
      const rest = (inside[left.word] ?? 1) - 1;
      inside[left.word] = rest;
      if (rest === 0) sum -= values[left.word] ?? 0;
      first += 1;
    }
    best = Math.max(best, sum);
  }
  return best;
};
/** For two words within `near` words of each other. */
const nearWeight = 0.1;
/** For the rarest stretch of `stretch` words, and for words in the form asked for. */
const stretchWeight = 0.3;
const formWeight = 0.3;
const near = 8;
const stretch = 17;

/**
 * To add to each print's BM25 score (sign flipped) for words near each other or in the form asked for. The weights gain
 * .012 nDCG@10 and .006 hit@8 on seven public sets; greater ones lose hit@8 on texts that overlap
 * (docs/dev/experiments.md).
 */
export const nearnessOf = (
  words: readonly CountedWord[],
  total: number,
  prints: readonly (Uint32Array | undefined)[],
): readonly number[] => {
  const asked = askedWords(words, total);
  if (asked.length === 0) return prints.map(() => 0);
  const read = openHeldWords(asked);
  const held = prints.map((print) => (print === undefined ? undefined : read(print)));
  const average = averageLength(held.flatMap((one) => one ?? []));
  const values = asked.map(({ idf }) => idf);
  return held.map((one) =>
    one === undefined
      ? 0
      : nearWeight * pairsOf(asked, one) +
        stretchWeight * mostInWindow(one.places, stretch, values) +
        formWeight * formsOf(asked, one, average),
  );
};

/** One word for each stem, in the order of the query; words in no note can't be near any. */
const askedWords = (words: readonly CountedWord[], total: number): readonly AskedWord[] => {
  const asked = new Map<number, AskedWord>();
  for (const counted of words) {
    if (counted.notes === 0) continue;
    const word = askWord(counted.word, counted.forms ?? [], idfOf(notesOfCommonest(counted), total));
    if (!asked.has(word.stem)) asked.set(word.stem, word);
  }
  return [...asked.values()];
};

/** Scores words that are neighbours in the query, or have one word between them. */
const pairsOf = (asked: readonly AskedWord[], { placesOf }: HeldWords): number =>
  asked.reduce(
    (sum, first, at) =>
      [at + 1, at + 2].reduce(
        (score, second) =>
          areWithin(placesOf[at], placesOf[second], near, near) ? score + pairScore(first, asked[second]) : score,
        sum,
      ),
    0,
  );

/** BM25 over unstemmed words. */
const formsOf = (asked: readonly AskedWord[], { sameForm, length }: HeldWords, average: number): number =>
  asked.reduce((sum, { idf }, at) => sum + idf * saturate(sameForm[at] ?? 0, length / average), 0);
/** Weights of title, body, and tags with keywords, as in bm25(). */
const partWeights = [2, 1, 1.5];
/** Here and in FTS5's score, which this corrects. On the public sets, .5 and .8 are within .0003 of .6. */
const otherFormWeight = 0.6;
const otherFormWeightBefore = 0.5;

/** A word and its forms together, to add as above: FTS5 scores each alone, so that a note with two counts twice. */
export const formScores = (
  words: readonly CountedWord[],
  total: number,
  prints: readonly (Uint32Array | undefined)[],
): readonly number[] => {
  const asked = words.flatMap((word) => (word.forms === undefined ? [] : [askedForm(word, total)]));
  if (asked.length === 0) return prints.map(() => 0);
  const average = averageLength(prints.flatMap((print) => print ?? []));
  const stems = new Set(asked.flatMap(({ stem, forms }) => [stem, ...forms.map((form) => form.stem)]));
  const sieve = sieveOf(stems);
  return prints.map((print) => {
    if (print === undefined) return 0;
    const counts = countStems(stems, sieve, print);
    const length = print.length / average;
    return asked.reduce((sum, { stem, idf, idfTogether, forms }) => {
      const own = counts.get(stem) ?? 0;
      const inForms = forms.map((form) => counts.get(form.stem) ?? 0);
      const alone = idf * saturate(own, length);
      const together =
        idfTogether * saturate(own + otherFormWeight * inForms.reduce((all, count) => all + count, 0), length);
      const before = forms.reduce(
        (given, form, at) => given + otherFormWeightBefore * form.idf * saturate(inForms[at] ?? 0, length),
        alone,
      );
      // "knowledge" may be rare where "know" is common: the word as typed never counts less than it would alone.
      return sum + Math.max(alone, together) - before;
    }, 0);
  });
};

type WordForms = {
  readonly stem: number;
  readonly idf: number;
  readonly idfTogether: number;
  readonly forms: readonly { readonly stem: number; readonly idf: number }[];
};

const askedForm = (counted: CountedWord, total: number): WordForms => ({
  stem: stemOf(printWordOf(counted.word)),
  idf: idfInFts(counted.notes, total),
  idfTogether: idfInFts(notesOfCommonest(counted), total),
  forms: (counted.forms ?? []).map(({ word, notes }) => ({
    stem: stemOf(printWordOf(word)),
    idf: idfInFts(notes, total),
  })),
});

/** FTS5's own idf, in which a word in more than half of the notes counts next to nothing. */
const idfInFts = (notes: number, total: number): number =>
  Math.max(1e-6, Math.log((total - notes + 0.5) / (notes + 0.5)));

const countStems = (stems: ReadonlySet<number>, sieve: Uint8Array, print: Uint32Array): ReadonlyMap<number, number> => {
  const counts = new Map<number, number>();
  let part = firstPartOf(print);
  for (const word of print) {
    if (word === gap) {
      part += 1;
      continue;
    }
    if (!passes(sieve, word)) continue;
    const stem = stemOf(word);
    if (stems.has(stem)) counts.set(stem, (counts.get(stem) ?? 0) + (partWeights[part] ?? 1));
  }
  return counts;
};
