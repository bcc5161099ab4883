/** How well a note fits a prompt. Pure. The weights were fitted on public sets (docs/dev/experiments.md). */
import { printWordOf, stemOf } from '../prints/print.js';
import {
  type AskedWord,
  areWithin,
  askWord,
  averageLength,
  type HeldWords,
  idfOf,
  mostInWindow,
  openHeldWords,
  pairScore,
  saturate,
} from '../search/word-scores.js';
import { dropStopWords, splitWords } from '../search/words.js';
import { splitSpaceless } from '../word-parts.js';
import { stretch, type WeighedWord } from './prompt-words.js';

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

type AskedPromptWord = WeighedWord & AskedWord;

/** Returns a fit for each note, in order. `total` is the number of notes in the index. */
export const fitNotes = (words: readonly WeighedWord[], total: number, notes: readonly FitNote[]): readonly Fit[] => {
  const asked = words.map((word) => ({ ...word, ...askWord(word.word, word.forms ?? [], idfOf(word.notes, total)) }));
  const read = openHeldWords(asked);
  const found = notes.map(({ print = empty }) => read(print));
  const average = averageLength(found);
  const mostOfOne = Math.log((Math.max(1, total) + 0.5) / 0.5);
  return notes.map(({ title }, at) => {
    const here = found[at] ?? read(empty);
    const held = asked.flatMap((_, word) => ((here.counts[word] ?? 0) > 0 ? [word] : []));
    if (held.length === 0) return { relevance: 0, held };
    const parts: Parts = {
      asked,
      held,
      inHead: new Set(here.places.flatMap(({ word, part }) => (part === 1 ? [] : [word]))),
      body: here.places.filter(({ part }) => part === 1),
      scores: asked.map(({ idf }, word) => idf * saturate(here.counts[word] ?? 0, here.length / average)),
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

type Pair = { readonly first: number; readonly second: number; readonly score: number };

/** Pairs that notes contain and that follow each other in the prompt, perhaps with other words between. */
const pairsOf = (asked: readonly AskedPromptWord[], { placesOf }: HeldWords): readonly Pair[] => {
  const known = asked.flatMap(({ notes }, at) => (notes > 0 ? [at] : []));
  return known.slice(1).flatMap((second, at): readonly Pair[] => {
    const first = known[at] ?? 0;
    const [one, other] = [placesOf[first], placesOf[second]];
    if (!areWithin(one, other, near, near)) return [];
    const weight = nearWeight + (areWithin(one, other, -1, 1) ? nextWeight : 0);
    return [{ first, second, score: weight * pairScore(asked[first], asked[second]) }];
  });
};

const near = 4;
const nearWeight = 0.15;
const nextWeight = 0.1;

/** Title words that are in the prompt, over the number of all title words plus a half. */
const titledShare = (asked: readonly AskedPromptWord[], title: string): number => {
  const stems = new Set(
    dropStopWords(splitWords(title))
      .flatMap(splitSpaceless)
      .map((word) => stemOf(printWordOf(word))),
  );
  const held = asked.filter(({ stem, formStems }) => [stem, ...formStems].some((one) => stems.has(one))).length;
  return held / (stems.size + 0.5);
};

type Parts = {
  readonly asked: readonly AskedPromptWord[];
  readonly held: readonly number[];
  /** Words in the title, tags or keywords. */
  readonly inHead: ReadonlySet<number>;
  readonly body: HeldWords['places'];
  readonly scores: readonly number[];
  readonly pairs: readonly Pair[];
  readonly titled: number;
  readonly mostOfOne: number;
};

/** The signs for the prompt's words from `first`, as many as a question has. */
const signsOfStretch = (
  { asked, held, inHead, body, scores, pairs, titled, mostOfOne }: Parts,
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
  /** The greatest sum over distinct words of the head and of one window of the body. */
  const mostWithin = (size: number, measure: (word: AskedPromptWord) => number): number => {
    const values = asked.map((word, at) => (isIn(at) ? measure(word) : 0));
    const anyway = values.reduce((sum, value, at) => sum + (inHead.has(at) ? value : 0), 0);
    return mostInWindow(
      body,
      size,
      values.map((value, at) => (inHead.has(at) ? 0 : value)),
      anyway,
    );
  };
  const covered = mostWithin(passage, weightOf);
  const inSentence = mostWithin(sentence, weightOf);
  const together = mostWithin(statement, topicalOf);
  const isTitled = heldHere.some((at) => {
    const word = asked[at];
    return inHead.has(at) && word?.kind === 'topical' && word.weight >= rareWeight;
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

const weightOf = ({ weight }: AskedPromptWord): number => weight;
const topicalOf = ({ kind }: AskedPromptWord): number => (kind === 'topical' ? 1 : 0);
