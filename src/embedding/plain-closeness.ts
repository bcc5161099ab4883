/** Computes the measures of closeness.ts where kernel.wat can't run. Pure. */

import { dotIntegers, type IntegerVector } from './integer-vectors.js';
import type { MeasureTokens, QueryTokens } from './query-tokens.js';
import { type StaticModel, sumVectors } from './static-model.js';

/** Tokens per block. A short passage is two blocks, a long one eight; each begins half a passage after the last. */
const block = 16;
const shortPassage = 2;
const longPassage = 8;

export const openPlainMeasure = (
  model: StaticModel,
  { vectors: asked, weights, allWeights, query }: QueryTokens,
): MeasureTokens => {
  const count = asked.length;
  const similarities = openSimilarities(model, asked);
  return (head, rows) => {
    const blocks = Math.max(1, Math.ceil(rows.length / block));
    const titled = new Float32Array(count);
    similarities.readGreatest(head, head.length, titled);
    const best = new Float32Array(blocks * count);
    similarities.readGreatest(rows, block, best);
    let cover = 0;
    forPassages(blocks, shortPassage, (first, last) => {
      let sum = 0;
      for (let one = 0; one < count; one += 1) {
        let most = titled[one] ?? 0;
        for (let at = first; at < last; at += 1) most = Math.max(most, best[at * count + one] ?? 0);
        sum += (weights[one] ?? 0) * most;
      }
      cover = Math.max(cover, sum / allWeights);
    });
    const headVector = sumVectors(model, head);
    const vectors = Array.from({ length: blocks }, (_, at) =>
      sumVectors(model, rows.slice(at * block, (at + 1) * block)),
    );
    let nearness = 0;
    forPassages(blocks, longPassage, (first, last) => {
      nearness = Math.max(nearness, cosineOf([headVector, ...vectors.slice(first, last)], query));
    });
    return { cover, nearness };
  };
};

/** Returns the cosine of the vectors' sum and a query of length 1; 0 if the sum has no length. */
const cosineOf = (vectors: readonly Float64Array[], query: Float64Array): number => {
  let dots = 0;
  let squares = 0;
  for (let at = 0; at < query.length; at += 1) {
    let sum = 0;
    for (const vector of vectors) sum += vector[at] ?? 0;
    dots += sum * (query[at] ?? 0);
    squares += sum * sum;
  }
  return squares > 0 ? dots / Math.sqrt(squares) : 0;
};

const forPassages = (blocks: number, length: number, visit: (first: number, last: number) => void): void => {
  for (let first = 0; ; first += length / 2) {
    visit(first, Math.min(blocks, first + length));
    if (first + length >= blocks) return;
  }
};

/** Similarities of notes' tokens to those of the query. Each token's are computed once. */
const openSimilarities = ({ rows, dimension, values, units }: StaticModel, vectors: readonly IntegerVector[]) => {
  const count = vectors.length;
  /** Place of each token in `similar`, from 1; 0 for tokens not seen yet. */
  const slots = new Int32Array(rows);
  let similar = new Float32Array(1024 * count);
  let used = 0;
  const compare = (row: number): number => {
    if ((used + 1) * count > similar.length) {
      const larger = new Float32Array(similar.length * 2);
      larger.set(similar);
      similar = larger;
    }
    const unit = units[row] ?? 0;
    vectors.forEach((vector, one) => {
      similar[used * count + one] = dotIntegers(vector.values, values, row * dimension) * vector.scale * unit;
    });
    used += 1;
    slots[row] = used;
    return used;
  };

  /** Raises `greatest` to the greatest similarity of each block's tokens to each token of the query. */
  const readGreatest = (tokens: readonly number[], perBlock: number, greatest: Float32Array): void => {
    let to = 0;
    let left = perBlock;
    for (const row of tokens) {
      if (left === 0) {
        to += count;
        left = perBlock;
      }
      left -= 1;
      const known = slots[row] ?? 0;
      const first = ((known === 0 ? compare(row) : known) - 1) * count;
      for (let one = 0; one < count; one += 1) {
        const near = similar[first + one] ?? 0;
        if (near > (greatest[to + one] ?? 0)) greatest[to + one] = near;
      }
    }
  };
  return { readGreatest };
};
