/** A query as tokens that notes are compared with, and how many tokens are read. Plain data. */
import type { IntegerVector } from './integer-vectors.js';

export type Asked = {
  readonly text: string;
  /** Words that say what the query is about; the rarer a word is in the notes, the more it weighs. */
  readonly words: readonly { readonly word: string; readonly weight: number }[];
};

export type QueryTokens = {
  /** Vectors and weights of the words' tokens, limited to those that weigh the most. */
  readonly vectors: readonly IntegerVector[];
  readonly weights: readonly number[];
  readonly allWeights: number;
  /** Vector of the whole text, scaled to length 1. */
  readonly query: Float64Array;
};

export type Closeness = { readonly cover: number; readonly nearness: number };

/** Measures a note by the tokens of its title and its body. */
export type MeasureTokens = (head: readonly number[], body: readonly number[]) => Closeness;

/** How many tokens of a note are read: its beginning says what it is about. */
export const maxTitle = 32;
export const maxBody = 1000;
/** How many tokens of the query are compared one by one. */
export const maxQueryTokens = 16;
