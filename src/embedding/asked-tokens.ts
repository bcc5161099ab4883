/** A query as the tokens that notes are compared with, and how many of a note's. Plain data. */
import type { WholeVector } from './whole-numbers.js';

export type Asked = {
  readonly text: string;
  /** Those that say what it is about; the rarer one is among the notes, the more it weighs. */
  readonly words: readonly { readonly word: string; readonly weight: number }[];
};

export type AskedTokens = {
  /** Of the words' tokens, and what each weighs: those that weigh the most. */
  readonly vectors: readonly WholeVector[];
  readonly weights: readonly number[];
  readonly allWeights: number;
  /** Of the whole text, of length 1. */
  readonly query: Float64Array;
};

export type Closeness = { readonly cover: number; readonly nearness: number };

/** Of a note, from the tokens of its title and its body. */
export type MeasureTokens = (head: readonly number[], body: readonly number[]) => Closeness;

/** Tokens of a note that are read: what it is about stands at its beginning. */
export const maxTitle = 32;
export const maxBody = 1000;
/** Tokens of the query that are compared one by one. */
export const mostAsked = 16;
