/**
 * A score to add to BM25's, which ignores whether words of a query are near each other in a note, and whether they have
 * the very form that was asked for. Read from the notes' prints, for the first hits only. Pure.
 *
 * The weights gained .012 nDCG@10 and .006 hit@8 over seven public sets; greater ones gain nDCG@10 and lose hit@8 on
 * texts that overlap (docs/recall.md).
 */
import { gap, type PrintWord, passes, printWordOf, sieveOf, stemOf } from '../prints/print.js';
import type { CountedWord } from './expression.js';

/** For two words within `near` words of each other. */
const nearWeight = 0.1;
/** For the rarest stretch of `stretch` words, and for words in the form asked for. */
const stretchWeight = 0.3;
const formWeight = 0.3;

const near = 8;
const stretch = 16;
/** BM25's usual constants, as in FTS5; a word counts at most k1 + 1 times its idf. */
const k1 = 1.2;
const b = 0.75;
/** Scales a pair to the score of a rare word that a note contains twice or more. */
const pairScale = 3.3;
/** Positions of one word that are compared: a word that is everywhere is near everything. */
const maxPlaces = 64;

/**
 * The number of notes that contain the commonest of a word and its forms: a rarer form tells no more about a note.
 * Adding up all of them was .0003 nDCG@10 and .002 hit@8 worse on seven public sets.
 */
export const notesOfCommonest = ({ notes, forms = [] }: CountedWord): number =>
  forms.reduce((most, form) => Math.max(most, form.notes), notes);

/** Scores to add to each print's BM25 score (with its sign flipped), in order. `total` is the number of notes. */
export const nearnessOf = (
  words: readonly CountedWord[],
  total: number,
  prints: readonly (Uint32Array | undefined)[],
): readonly number[] => {
  const asked = askedWords(words, total);
  if (asked.length === 0) return prints.map(() => 0);
  const look = lookFor(asked);
  const read = prints.map((print) => (print === undefined ? undefined : findWords(look, print)));
  const lengths = read.flatMap((found) => (found === undefined ? [] : [found.length]));
  const average = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length));
  return read.map((found) => {
    if (found === undefined) return 0;
    return (
      pairScore(asked, found) +
      stretchWeight * bestStretch(asked, found) +
      formWeight * formScore(asked, found, average)
    );
  });
};

/**
 * BM25's idf of a word in `notes` of `total` notes: at least 0, and next to nothing for a word in half of the notes.
 */
export const idfOf = (notes: number, total: number): number => {
  const held = Math.max(0, Math.min(notes, total / 2 - 1));
  return Math.max(0, Math.log((total - held + 0.5) / (held + 0.5)));
};

type Asked = {
  readonly word: PrintWord;
  readonly stem: number;
  /** Stems of its other forms. */
  readonly forms: readonly number[];
  readonly idf: number;
};

/** One word for each stem, in the order of the query; words in no note can't be near any. */
const askedWords = (words: readonly CountedWord[], total: number): readonly Asked[] => {
  const asked = new Map<number, Asked>();
  for (const counted of words) {
    const { word, notes } = counted;
    if (notes === 0) continue;
    const printed = printWordOf(word);
    const idf = idfOf(notesOfCommonest(counted), total);
    const forms = (counted.forms ?? []).map((form) => stemOf(printWordOf(form.word)));
    if (!asked.has(stemOf(printed))) asked.set(stemOf(printed), { word: printed, stem: stemOf(printed), forms, idf });
  }
  return [...asked.values()];
};

type Place = { readonly at: number; readonly asked: number };

type Found = {
  /** In the order of the note. */
  readonly places: readonly Place[];
  /** For each asked word, its positions, and how often it has the very form asked for. */
  readonly placesOf: readonly (readonly number[])[];
  readonly sameForm: readonly number[];
  readonly length: number;
};

type Look = {
  readonly asked: readonly Asked[];
  /** Maps the stem of each form to the position of its asked word. */
  readonly byStem: ReadonlyMap<number, number>;
  readonly sieve: Uint8Array;
};

const lookFor = (asked: readonly Asked[]): Look => {
  const byStem = new Map(
    asked
      .flatMap(({ stem, forms }, at) => [stem, ...forms].map((one) => [one, at] as const))
      // If two words share a form, the first one gets it.
      .reverse(),
  );
  return { asked, byStem, sieve: sieveOf(byStem.keys()) };
};

const findWords = ({ asked, byStem, sieve }: Look, print: Uint32Array): Found => {
  const places: Place[] = [];
  const placesOf: number[][] = asked.map(() => []);
  const sameForm = asked.map(() => 0);
  let shift = 0;
  for (let at = 0; at < print.length; at += 1) {
    const word = print[at] ?? gap;
    if (word === gap) {
      shift += stretch;
      continue;
    }
    const found = passes(sieve, word) ? byStem.get(stemOf(word)) : undefined;
    if (found === undefined) continue;
    if (word === asked[found]?.word) sameForm[found] = (sameForm[found] ?? 0) + 1;
    const own = placesOf[found];
    if (own === undefined || own.length === maxPlaces) continue;
    own.push(at + shift);
    places.push({ at: at + shift, asked: found });
  }
  return { places, placesOf, sameForm, length: print.length };
};

/** Scores words that are neighbours in the query, or have one word between them. */
const pairScore = (asked: readonly Asked[], { placesOf }: Found): number => {
  let score = 0;
  asked.forEach((first, at) => {
    for (const apart of [1, 2]) {
      const second = asked[at + apart];
      if (second === undefined || !areNear(placesOf[at] ?? [], placesOf[at + apart] ?? [])) continue;
      score += nearWeight * pairScale * Math.min(first.idf, second.idf);
    }
  });
  return score;
};

/** Both lists are sorted. */
const areNear = (first: readonly number[], second: readonly number[]): boolean => {
  let from = 0;
  for (const at of first) {
    while ((second[from] ?? Number.POSITIVE_INFINITY) < at - near) from += 1;
    if ((second[from] ?? Number.POSITIVE_INFINITY) <= at + near) return true;
  }
  return false;
};

/** The greatest sum of the idf of distinct words within one stretch. */
const bestStretch = (asked: readonly Asked[], { places }: Found): number => {
  const inside = asked.map(() => 0);
  let best = 0;
  let sum = 0;
  let first = 0;
  for (const place of places) {
    const count = (inside[place.asked] ?? 0) + 1;
    inside[place.asked] = count;
    if (count === 1) sum += asked[place.asked]?.idf ?? 0;
    for (let left = places[first]; left !== undefined && left.at < place.at - stretch; left = places[first]) {
      const rest = (inside[left.asked] ?? 1) - 1;
      inside[left.asked] = rest;
      if (rest === 0) sum -= asked[left.asked]?.idf ?? 0;
      first += 1;
    }
    best = Math.max(best, sum);
  }
  return best;
};

/** BM25 over unstemmed words. */
const formScore = (asked: readonly Asked[], { sameForm, length }: Found, average: number): number =>
  asked.reduce((sum, { idf }, at) => sum + idf * saturate(sameForm[at] ?? 0, length / average), 0);

/**
 * BM25 of a word without its idf: each further occurrence adds less. `length` is the note's, relative to the average.
 */
export const saturate = (count: number, length: number): number =>
  (count * (k1 + 1)) / (count + k1 * (1 - b + b * length));
