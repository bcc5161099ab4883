/**
 * How close notes are to a query by a static model, passage by passage (docs/dev/experiments.md). Pure; linear in
 * tokens. `cover`: the weighted mean, over the query's tokens, of the nearest token's similarity. `nearness`: the
 * cosine of a longer passage and the query, each as the mean of its tokens.
 */
import { type StaticModel, sumVectors, toLengthOne } from './static-model.js';

export type NoteText = { readonly title: string; readonly body: string };

export type ComparedQuery = {
  readonly text: string;
  /** Words that say what the query is about; the rarer a word is in the notes, the more it weighs. */
  readonly words: readonly { readonly word: string; readonly weight: number }[];
};

export type Closeness = { readonly cover: number; readonly nearness: number };

/** How many tokens of a note are read: its beginning says what it is about. */
const maxTitle = 32;
const maxBody = 1000;
/** How many tokens of the query are read, and how many of them, the heaviest, are compared one by one. */
const maxQuery = 64;
const maxCompared = 16;
/** Tokens in half a passage: for `cover`, and for `nearness`. */
const coverHalf = 16;
const nearnessHalf = 64;

/** Measures 0 for every note if the model knows no word of the query. */
export const openCloseness = (model: StaticModel, { text, words }: ComparedQuery): ((note: NoteText) => Closeness) => {
  const weights = [...weighTokens(model, words)].toSorted(([, a], [, b]) => b - a).slice(0, maxCompared);
  const allWeights = weights.reduce((sum, [, weight]) => sum + weight, 0);
  if (!(allWeights > 0)) return () => ({ cover: 0, nearness: 0 });
  const similarTo = openSimilarities(
    model,
    weights.map(([row]) => row),
  );
  const query = toLengthOne(sumVectors(model, model.tokensOf(text, maxQuery), 0, maxQuery));

  const coverOf = (titled: Float64Array, body: readonly number[]): number => {
    const greatest = halvesOf(body, coverHalf, (from) => {
      const most = Float64Array.from(titled);
      raise(most, similarTo, body, from, from + coverHalf);
      return most;
    });
    return mostOf(greatest, (half, next) =>
      weights.reduce((sum, [, weight], at) => sum + weight * Math.max(half[at] ?? 0, next?.[at] ?? 0), 0),
    );
  };
  const nearnessOf = (title: Float64Array, body: readonly number[]): number => {
    const sums = halvesOf(body, nearnessHalf, (from) => sumVectors(model, body, from, from + nearnessHalf));
    return mostOf(sums, (half, next) => cosineOf(query, title, half, next));
  };
  return ({ title, body }) => {
    const [head, rows] = [model.tokensOf(title, maxTitle), model.tokensOf(body, maxBody)];
    const titled = new Float64Array(weights.length);
    raise(titled, similarTo, head, 0, head.length);
    return {
      cover: coverOf(titled, rows) / allWeights,
      nearness: nearnessOf(sumVectors(model, head, 0, head.length), rows),
    };
  };
};

/** A vector's length reflects its token's rarity in the model's texts; `weight` is the rarity in the notes. */
const weighTokens = (model: StaticModel, words: ComparedQuery['words']): ReadonlyMap<number, number> => {
  const weights = new Map<number, number>();
  for (const { word, weight } of words) {
    for (const row of model.tokensOf(word, maxQuery))
      weights.set(row, Math.max(weights.get(row) ?? 0, weight * (model.norms[row] ?? 0)));
    if (weights.size >= maxQuery) break;
  }
  return weights;
};

const halvesOf = <Half>(rows: readonly number[], length: number, read: (from: number) => Half): readonly Half[] =>
  Array.from({ length: Math.max(1, Math.ceil(rows.length / length)) }, (_, half) => read(half * length));

/** The greatest measure of any passage, or 0. A passage is two halves, and each begins half a passage after the last. */
const mostOf = <Half>(halves: readonly Half[], measure: (half: Half, next: Half | undefined) => number): number => {
  let most = 0;
  for (const [at, half] of halves.entries())
    if (at === 0 || at + 1 < halves.length) most = Math.max(most, measure(half, halves[at + 1]));
  return most;
};

/** The cosine of the sum of three vectors and a query of length 1; 0 if the sum has no length. */
const cosineOf = (query: Float64Array, a: Float64Array, b: Float64Array, c: Float64Array | undefined): number => {
  let dots = 0;
  let squares = 0;
  for (let at = 0; at < query.length; at += 1) {
    const sum = (a[at] ?? 0) + (b[at] ?? 0) + (c?.[at] ?? 0);
    dots += sum * (query[at] ?? 0);
    squares += sum * sum;
  }
  return squares > 0 ? dots / Math.sqrt(squares) : 0;
};

type Similarities = (row: number) => Float64Array;

/** The similarities of a token to each of those asked for, computed once for each token. */
const openSimilarities = (
  { dimension, values, scales, norms }: StaticModel,
  asked: readonly number[],
): Similarities => {
  const known = new Map<number, Float64Array>();
  const unitOf = (row: number): number => ((norms[row] ?? 0) > 0 ? (scales[row] ?? 0) / (norms[row] ?? 0) : 0);
  const vectors = asked.map((row) =>
    Float64Array.from(values.subarray(row * dimension, (row + 1) * dimension), (value) => value * unitOf(row)),
  );
  return (row) => {
    const before = known.get(row);
    if (before !== undefined) return before;
    const [unit, first] = [unitOf(row), row * dimension];
    const similar = Float64Array.from(vectors, (vector) => {
      let dot = 0;
      for (let at = 0; at < dimension; at += 1) dot += (vector[at] ?? 0) * (values[first + at] ?? 0);
      return dot * unit;
    });
    known.set(row, similar);
    return similar;
  };
};

/** Raises `most` to the greatest similarity of the tokens to each of those asked for. */
const raise = (
  most: Float64Array,
  similarTo: Similarities,
  rows: readonly number[],
  from: number,
  to: number,
): void => {
  for (let token = from; token < to && token < rows.length; token += 1) {
    const similar = similarTo(rows[token] ?? 0);
    for (let at = 0; at < most.length; at += 1) most[at] = Math.max(most[at] ?? 0, similar[at] ?? 0);
  }
};
