/**
 * How well a note fits a prompt, judged from its print and its title; this decides whether the note is shown unasked.
 * Pure. The weights were fitted on the public sets, each judged with weights from the others (docs/experiments.md).
 */
import { firstPartOf, gap, type PrintWord, passes, printWordOf, sieveOf, stemOf } from '../prints/print.js';
import { dropStopWords, splitWords } from '../search/words.js';
import { splitSpaceless } from '../spaceless.js';
import { stretch, type WeighedWord } from './word-weights.js';

/** A note that may be shown; `print` is undefined if the projection has none for it. */
export type FitNote = { readonly title: string; readonly print: Uint32Array | undefined };

export type Fit = {
  /** From 0 to below 1; 0 if the note contains too little of the prompt to be judged. */
  readonly relevance: number;
  /** Positions in the prompt of the words that the note contains. */
  readonly held: readonly number[];
  /** The signs it was judged by; undefined if it contains too little. */
  readonly signs?: Signs;
};

/** Numbers from 0 to about 1. */
export type Signs = {
  readonly match: number;
  readonly tight: number;
  readonly title: number;
  readonly enough: number;
  /** Position in the prompt at which the best-fitting stretch begins. */
  readonly first: number;
};

/** Returns a fit for each note, in order. `total` is the number of notes in the index. */
export const fitNotes = (words: readonly WeighedWord[], total: number, notes: readonly FitNote[]): readonly Fit[] => {
  const asked = askedWords(words, total);
  const look = lookFor(asked);
  const found = notes.map(({ print }) => findWords(look, print ?? empty));
  const average = Math.max(1, found.reduce((sum, { length }) => sum + length, 0) / Math.max(1, found.length));
  const mostOfOne = Math.log((Math.max(1, total) + 0.5) / 0.5);
  return notes.map(({ title }, at) => {
    const here = found[at] ?? findWords(look, empty);
    const held = asked.flatMap((_, word) => ((here.places[word]?.length ?? 0) > 0 ? [word] : []));
    if (held.length === 0) return { relevance: 0, held };
    const parts: Parts = {
      asked,
      here,
      held,
      scores: bm25Of(asked, here, average),
      pairs: pairsOf(asked, here),
      titled: titledShare(asked, title),
      mostOfOne,
    };
    const last = Math.max(0, asked.length - stretch);
    let best: Fit = { relevance: 0, held };
    for (let first = 0; first <= last; first += 1) {
      const signs = signsOfStretch(parts, first);
      const relevance = signs === undefined ? 0 : relevanceOf(signs);
      if (signs !== undefined && relevance > best.relevance) best = { relevance, held, signs };
    }
    return best;
  });
};

const empty = new Uint32Array();

type Asked = WeighedWord & {
  readonly print: PrintWord;
  readonly stem: number;
  /** Stems of the word's other forms. */
  readonly others: readonly number[];
  readonly idf: number;
};

const askedWords = (words: readonly WeighedWord[], total: number): readonly Asked[] =>
  words.map((word) => {
    const print = printWordOf(word.word);
    const others = (word.forms ?? []).map((form) => stemOf(printWordOf(form.word)));
    return { ...word, print, stem: stemOf(print), others, idf: idfAmong(word.notes, total) };
  });

/** BM25's idf of a word that is in `notes` of `total` notes. */
export const idfAmong = (notes: number, total: number): number => {
  const held = Math.max(0, Math.min(notes, total / 2 - 1));
  return Math.max(0, Math.log((total - held + 0.5) / (held + 0.5)));
};

type Found = {
  /** For each asked word, its positions in the print; words of two parts are never near each other. */
  readonly places: readonly (readonly number[])[];
  readonly counts: readonly number[];
  /** Whether each asked word is in the title, tags or keywords. */
  readonly inHead: readonly boolean[];
  /** Asked words in the body, in order, with their positions. */
  readonly body: readonly { readonly at: number; readonly word: number }[];
  readonly length: number;
};

/** Positions of one word that are compared with those of another. */
const maxPlaces = 64;

type Look = {
  readonly asked: readonly Asked[];
  /** Maps the stem of each form to the position of its asked word. */
  readonly byStem: ReadonlyMap<number, number>;
  readonly sieve: Uint8Array;
};

const lookFor = (asked: readonly Asked[]): Look => {
  const byStem = new Map([
    ...asked.flatMap(({ others }, at) => others.map((stem) => [stem, at] as const)),
    ...asked.map(({ stem }, at) => [stem, at] as const),
  ]);
  return { asked, byStem, sieve: sieveOf(byStem.keys()) };
};

const findWords = ({ asked, byStem, sieve }: Look, print: Uint32Array): Found => {
  const places: number[][] = asked.map(() => []);
  const counts = asked.map(() => 0);
  const inHead = asked.map(() => false);
  const body: { at: number; word: number }[] = [];
  let part = firstPartOf(print);
  for (let at = 0; at < print.length; at += 1) {
    const printed = print[at] ?? gap;
    if (printed === gap) {
      part += 1;
      continue;
    }
    const word = passes(sieve, printed) ? byStem.get(stemOf(printed)) : undefined;
    if (word === undefined) continue;
    counts[word] = (counts[word] ?? 0) + 1;
    if (part === 1) body.push({ at, word });
    else inHead[word] = true;
    const own = places[word];
    if (own !== undefined && own.length < maxPlaces) own.push(at + part * apart);
  }
  return { places, counts, inHead, body, length: print.length };
};

/** More than the distance of any two words that count as near. */
const apart = 100;

/** BM25's usual constants. */
const k1 = 1.2;
const b = 0.75;

const bm25Of = (asked: readonly Asked[], { counts, length }: Found, average: number): readonly number[] => {
  const norm = k1 * (1 - b + (b * length) / average);
  return asked.map(({ idf }, at) => {
    const count = counts[at] ?? 0;
    return count === 0 ? 0 : (idf * count * (k1 + 1)) / (count + norm);
  });
};

type Pair = { readonly first: number; readonly second: number; readonly score: number };

/**
 * Pairs of words that notes contain and that follow each other in the prompt, with or without other words between them.
 */
const pairsOf = (asked: readonly Asked[], { places }: Found): readonly Pair[] => {
  const known = asked.flatMap(({ notes }, at) => (notes > 0 ? [at] : []));
  return known.slice(1).flatMap((second, at): readonly Pair[] => {
    const first = known[at] ?? 0;
    const weight = pairScale * Math.min(asked[first]?.idf ?? 0, asked[second]?.idf ?? 0);
    const [isNear, isNext] = nearnessOf(places[first] ?? [], places[second] ?? []);
    const score = weight * ((isNear ? nearWeight : 0) + (isNext ? nextWeight : 0));
    return score === 0 ? [] : [{ first, second, score }];
  });
};

const pairScale = 3.3;
const nearWeight = 0.15;
const nextWeight = 0.1;
const near = 4;

const nearnessOf = (first: readonly number[], second: readonly number[]): readonly [boolean, boolean] => {
  let isNear = false;
  for (const one of first)
    for (const other of second) {
      if (other === one + 1) return [true, true];
      isNear ||= Math.abs(other - one) <= near;
    }
  return [isNear, false];
};

/** Title words that are in the prompt, over the number of all title words plus a half. */
const titledShare = (asked: readonly Asked[], title: string): number => {
  const stems = new Set(
    dropStopWords(splitWords(title))
      .flatMap(splitSpaceless)
      .map((word) => stemOf(printWordOf(word))),
  );
  const held = asked.filter(({ stem, others }) => [stem, ...others].some((one) => stems.has(one))).length;
  return held / (stems.size + 0.5);
};

type Parts = {
  readonly asked: readonly Asked[];
  readonly here: Found;
  readonly held: readonly number[];
  readonly scores: readonly number[];
  readonly pairs: readonly Pair[];
  readonly titled: number;
  readonly mostOfOne: number;
};

/** The signs for the prompt's words from `first`, as many as a question has. */
const signsOfStretch = (
  { asked, here, held, scores, pairs, titled, mostOfOne }: Parts,
  first: number,
): Signs | undefined => {
  const end = Math.min(asked.length, first + stretch);
  const isIn = (word: number): boolean => word >= first && word < end;
  const heldHere = held.filter(isIn);
  const everyday = heldHere.filter((at) => asked[at]?.kind === 'everyday').length;
  if (!heldHere.some((at) => asked[at]?.kind === 'topical' && asked[at].isCorrected !== true)) return undefined;
  let all = 0;
  let most = 0;
  let score = 0;
  for (let at = first; at < end; at += 1) {
    all += asked[at]?.weight ?? 0;
    most += asked[at]?.idf ?? 0;
    score += scores[at] ?? 0;
  }
  for (const pair of pairs) if (isIn(pair.first) && isIn(pair.second)) score += pair.score;
  const matched = score / (most + ofScale * mostOfOne);
  const covered = mostInWindow(asked, here, isIn, passage, weightOf);
  const inSentence = mostInWindow(asked, here, isIn, sentence, weightOf);
  const together = mostInWindow(asked, here, isIn, statement, topicalOf);
  const isTitled = heldHere.some((at) => {
    const word = asked[at];
    return here.inHead[at] === true && word?.kind === 'topical' && word.weight >= rareWeight;
  });
  const isEnough = together >= 2 || (together === 1 && everyday >= 2) || isTitled;
  return {
    match: Math.sqrt((matched * covered) / (all + 1)),
    tight: inSentence / (covered + 0.01),
    title: titled,
    enough: isEnough ? 1 : 0,
    first,
  };
};

const relevanceOf = ({ match, tight, title, enough }: Signs): number => {
  const sum =
    weights.match * match + weights.tight * tight + weights.title * title + weights.enough * enough + weights.bias;
  return 1 / (1 + Math.exp(-sum));
};

/** Sizes of the windows in a body, in words. */
const passage = 64;
const statement = 32;
const sentence = 16;
/** The weight of a word in four of 1,000 notes. */
const rareWeight = 0.7;
/** As if the prompt had this many more rare words that the note lacks, so that a word or two are not enough. */
const ofScale = 2.6;
const weights = { match: 11.74, title: 2.75, enough: 1.71, tight: 1.65, bias: -8.05 };

const weightOf = ({ weight }: Asked): number => weight;
const topicalOf = ({ kind }: Asked): number => (kind === 'topical' ? 1 : 0);

/** The greatest sum of `measure` over distinct words of the head and of one window of the body. */
const mostInWindow = (
  asked: readonly Asked[],
  { inHead, body }: Found,
  isIn: (word: number) => boolean,
  size: number,
  measure: (word: Asked) => number,
): number => {
  const values = asked.map((word, at) => (isIn(at) ? measure(word) : 0));
  let sum = values.reduce((held, value, at) => held + (inHead[at] === true ? value : 0), 0);
  let best = sum;
  const inside = asked.map(() => 0);
  let first = 0;
  for (const { at, word } of body) {
    const count = (inside[word] ?? 0) + 1;
    inside[word] = count;
    if (count === 1 && inHead[word] !== true) sum += values[word] ?? 0;
    for (let left = body[first]; left !== undefined && left.at <= at - size; left = body[first]) {
      const rest = (inside[left.word] ?? 1) - 1;
      inside[left.word] = rest;
      if (rest === 0 && inHead[left.word] !== true) sum -= values[left.word] ?? 0;
      first += 1;
    }
    best = Math.max(best, sum);
  }
  return best;
};
