/**
 * The words of a query or a prompt in a note, read from its print: where they are, in which form, how much each says,
 * and which are near each other. What a search adds to BM25 (nearness.ts) and whether a note fits a prompt
 * (recall/prompt-fit.ts) are both computed from this. Pure.
 */
import { firstPartOf, gap, type PrintWord, passes, printWordOf, sieveOf, stemOf } from '../prints/print.js';
import type { CountedForm, CountedWord } from './expression.js';

export type AskedWord = {
  readonly print: PrintWord;
  readonly stem: number;
  /** Stems of its other forms. */
  readonly formStems: readonly number[];
  readonly idf: number;
};

export const askWord = (word: string, forms: readonly CountedForm[], idf: number): AskedWord => {
  const print = printWordOf(word);
  return { print, stem: stemOf(print), formStems: forms.map((form) => stemOf(printWordOf(form.word))), idf };
};

/**
 * BM25's idf of a word in `notes` of `total` notes: at least 0, and next to nothing for a word in half of the notes.
 */
export const idfOf = (notes: number, total: number): number => {
  const held = Math.max(0, Math.min(notes, total / 2 - 1));
  return Math.max(0, Math.log((total - held + 0.5) / (held + 0.5)));
};

/**
 * The number of notes that contain the commonest of a word and its forms: a rarer form tells no more about a note.
 * Adding up all of them was .0003 nDCG@10 and .002 hit@8 worse on seven public sets.
 */
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

/**
 * BM25 of a word without its idf: each further occurrence adds less. `length` is the note's, relative to the average.
 */
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
