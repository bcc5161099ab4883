/**
 * Measures how close notes are to a query by a static model, passage by passage. Pure; linear in the notes' tokens.
 *
 * Two measures (docs/recall.md says what each gained). `cover`: the weighted mean, over the tokens of the query's
 * words, of the similarity of the passage's nearest token. `nearness`: the cosine of a longer passage and the query,
 * each as the mean of its tokens.
 */

import { toIntegers } from './integer-vectors.js';
import { openPlainMeasure } from './plain-closeness.js';
import { type Asked, type Closeness, maxBody, maxQueryTokens, maxTitle, type QueryTokens } from './query-tokens.js';
import { addVector, type StaticModel, sumVectors, toLengthOne } from './static-model.js';

export type NoteText = { readonly title: string; readonly body: string };

/** Measures 0 for every note if the model knows no word of the query. */
export const openCloseness = (model: StaticModel, asked: Asked): ((note: NoteText) => Closeness) => {
  const tokens = readQueryTokens(model, asked);
  if (tokens === undefined) return () => ({ cover: 0, nearness: 0 });
  const measure = model.kernel?.openMeasure(model, tokens) ?? openPlainMeasure(model, tokens);
  return ({ title, body }) => measure(model.tokensOf(title, maxTitle), model.tokensOf(body, maxBody));
};

const maxQuery = 64;

/** Returns undefined if the model knows none of the words. */
export const readQueryTokens = (model: StaticModel, { text, words }: Asked): QueryTokens | undefined => {
  const weighed = weighTokens(model, words);
  const asked = [...weighed.keys()]
    .toSorted((a, b) => (weighed.get(b) ?? 0) - (weighed.get(a) ?? 0))
    .slice(0, maxQueryTokens);
  const weights = asked.map((row) => weighed.get(row) ?? 0);
  const allWeights = weights.reduce((sum, weight) => sum + weight, 0);
  if (asked.length === 0 || !(allWeights > 0)) return undefined;
  const vectors = asked.map((row) => {
    const vector = new Float64Array(model.dimension);
    addVector(vector, model.values, row, model.units[row] ?? 0);
    return toIntegers(vector);
  });
  return { vectors, weights, allWeights, query: toLengthOne(sumVectors(model, model.tokensOf(text, maxQuery))) };
};

/** A vector's length reflects its token's rarity in the model's texts; `weight` is the rarity in the notes. */
const weighTokens = (model: StaticModel, words: Asked['words']): ReadonlyMap<number, number> => {
  const weights = new Map<number, number>();
  for (const { word, weight } of words) {
    for (const row of model.tokensOf(word, maxQuery))
      weights.set(row, Math.max(weights.get(row) ?? 0, weight * (model.norms[row] ?? 0)));
    if (weights.size >= maxQuery) break;
  }
  return weights;
};
