/**
 * How close notes come to a query by a static model, passage by passage. Pure; linear in the notes' tokens.
 *
 * Two measures (docs/recall.md has what each gained). `cover`: for each token of the query's words the nearest one of the
 * passage, on the mean. `nearness`: of the tokens of a longer passage to the query as a whole.
 */
import { addVector, type StaticModel, toLengthOne } from './static-model.js';

export type NoteText = { readonly title: string; readonly body: string };

export type Closeness = { readonly cover: number; readonly nearness: number };

/** Tokens of a block; a short passage is two blocks, a long one eight, and each begins half a passage after the other. */
const block = 16;
const shortPassage = 2;
const longPassage = 8;
/** Tokens that are read: what a note is about stands at its beginning. */
const maxTitle = 32;
const maxBody = 1000;
const maxQuery = 64;
/** Tokens of the query that are compared one by one: those with the longest vectors, which say the most. */
const maxAsked = 16;

export type Asked = {
  readonly text: string;
  /** Those that say what it is about. */
  readonly words: readonly string[];
};

export const openCloseness = (model: StaticModel, { text, words }: Asked): ((note: NoteText) => Closeness) => {
  const weightOf = (row: number): number => model.norms[row] ?? 0;
  const asked = [...new Set(model.tokensOf(words.join(' '), maxQuery))]
    .toSorted((a, b) => weightOf(b) - weightOf(a))
    .slice(0, maxAsked);
  const { values, slotOf } = openSimilarities(model, asked, model.tokensOf(text, maxQuery));
  const count = asked.length;
  const weights = asked.map(weightOf);
  const allWeights = weights.reduce((sum, weight) => sum + weight, 0);
  if (count === 0 || !(allWeights > 0)) return () => ({ cover: 0, nearness: 0 });
  const width = count + 1;

  /** Writes each query token's greatest similarity, and answers the sums of the dot products and of the norms. */
  const readInto = (rows: readonly number[], begin: number, end: number, best: Float64Array, at: number) => {
    let dots = 0;
    let norms = 0;
    for (let token = begin; token < end; token += 1) {
      const row = rows[token] ?? 0;
      const first = slotOf(row) * width;
      const similar = values();
      for (let one = 0; one < count; one += 1) {
        const near = similar[first + one] ?? 0;
        if (near > (best[at + one] ?? 0)) best[at + one] = near;
      }
      const norm = model.norms[row] ?? 0;
      dots += norm * (similar[first + count] ?? 0);
      norms += norm;
    }
    return { dots, norms };
  };

  return ({ title, body }) => {
    const head = model.tokensOf(title, maxTitle);
    const rows = model.tokensOf(body, maxBody);
    const blocks = Math.max(1, Math.ceil(rows.length / block));
    const titled = new Float64Array(count);
    const ofHead = readInto(head, 0, head.length, titled, 0);
    const best = new Float64Array(blocks * count);
    const sums = Array.from({ length: blocks }, (_, at) =>
      readInto(rows, at * block, Math.min(rows.length, (at + 1) * block), best, at * count),
    );
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
    let nearness = 0;
    forPassages(blocks, longPassage, (first, last) => {
      let { dots, norms } = ofHead;
      for (let at = first; at < last; at += 1) {
        dots += sums[at]?.dots ?? 0;
        norms += sums[at]?.norms ?? 0;
      }
      if (norms > 0) nearness = Math.max(nearness, dots / norms);
    });
    return { cover, nearness };
  };
};

const forPassages = (blocks: number, length: number, see: (first: number, last: number) => void): void => {
  for (let first = 0; ; first += length / 2) {
    see(first, Math.min(blocks, first + length));
    if (first + length >= blocks) return;
  }
};

/** Of each token of a note to each of those asked for, and to the mean of the query, computed once. */
const openSimilarities = (model: StaticModel, asked: readonly number[], query: readonly number[]) => {
  const { dimension, values, units, norms } = model;
  const width = asked.length + 1;
  const stride = 4 * Math.ceil(dimension / 4);
  const vectors = new Float64Array(width * stride);
  asked.forEach((row, one) => {
    addVector(vectors.subarray(one * stride, one * stride + dimension), values, row, units[row] ?? 0);
  });
  const mean = vectors.subarray(asked.length * stride, asked.length * stride + dimension);
  for (const row of query) addVector(mean, values, row, (norms[row] ?? 0) * (units[row] ?? 0));
  mean.set(toLengthOne(mean));

  const slots = new Int32Array(model.rows);
  let similar = new Float32Array(1024 * width);
  let used = 0;
  const padded = new Float64Array(stride);
  const vector = padded.subarray(0, dimension);
  const slotOf = (row: number): number => {
    const known = slots[row] ?? 0;
    if (known > 0) return known - 1;
    if ((used + 1) * width > similar.length) {
      const larger = new Float32Array(similar.length * 2);
      larger.set(similar);
      similar = larger;
    }
    vector.fill(0);
    addVector(vector, values, row, units[row] ?? 0);
    for (let one = 0; one < width; one += 1) {
      similar[used * width + one] = dot(vectors, one * stride, padded);
    }
    used += 1;
    slots[row] = used;
    return used - 1;
  };
  return { slotOf, values: () => similar };
};

/** Four sums at once, none of which waits for the others: most of a search with a model is spent here. */
const dot = (vectors: Float64Array, first: number, other: Float64Array): number => {
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let at = 0; at < other.length; at += 4) {
    a += (vectors[first + at] ?? 0) * (other[at] ?? 0);
    b += (vectors[first + at + 1] ?? 0) * (other[at + 1] ?? 0);
    c += (vectors[first + at + 2] ?? 0) * (other[at + 2] ?? 0);
    d += (vectors[first + at + 3] ?? 0) * (other[at + 3] ?? 0);
  }
  return a + b + c + d;
};
