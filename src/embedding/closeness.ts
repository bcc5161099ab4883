/**
 * How close notes come to a query by a static model, passage by passage. Pure; linear in the notes' tokens.
 *
 * Two measures (docs/recall.md has what each gained). `cover`: for each token of the query's words the nearest one of the
 * passage, on the mean. `nearness`: the cosine of a longer passage and the query, each as the mean of its tokens.
 */
import { addVector, type StaticModel, sumVectors, toLengthOne } from './static-model.js';
import { dotWhole, toWhole } from './whole-numbers.js';

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
/** Tokens of the query that are compared one by one: those that weigh the most. */
const maxAsked = 16;

export type Asked = {
  readonly text: string;
  /** Those that say what it is about; the rarer one is among the notes, the more it weighs. */
  readonly words: readonly { readonly word: string; readonly weight: number }[];
};

export const openCloseness = (model: StaticModel, { text, words }: Asked): ((note: NoteText) => Closeness) => {
  const weighed = weighTokens(model, words);
  const asked = [...weighed.keys()]
    .toSorted((a, b) => (weighed.get(b) ?? 0) - (weighed.get(a) ?? 0))
    .slice(0, maxAsked);
  const query = toLengthOne(sumVectors(model, model.tokensOf(text, maxQuery)));
  const similarities = openSimilarities(model, asked);
  const count = asked.length;
  const weights = asked.map((row) => weighed.get(row) ?? 0);
  const allWeights = weights.reduce((sum, weight) => sum + weight, 0);
  if (count === 0 || !(allWeights > 0)) return () => ({ cover: 0, nearness: 0 });

  return ({ title, body }) => {
    const head = model.tokensOf(title, maxTitle);
    const rows = model.tokensOf(body, maxBody);
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

/** Of the sum of vectors with one of length 1; 0 where the sum has no length. */
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

/** A vector is the longer the rarer its token is in the texts the model learnt from; the notes have rarities of their own. */
const weighTokens = (model: StaticModel, words: Asked['words']): ReadonlyMap<number, number> => {
  const weights = new Map<number, number>();
  for (const { word, weight } of words) {
    for (const row of model.tokensOf(word, maxQuery))
      weights.set(row, Math.max(weights.get(row) ?? 0, weight * (model.norms[row] ?? 0)));
    if (weights.size >= maxQuery) break;
  }
  return weights;
};

const forPassages = (blocks: number, length: number, see: (first: number, last: number) => void): void => {
  for (let first = 0; ; first += length / 2) {
    see(first, Math.min(blocks, first + length));
    if (first + length >= blocks) return;
  }
};

/** Of the tokens of notes to those asked for. Each token's are computed once. */
const openSimilarities = ({ rows, dimension, values, units }: StaticModel, asked: readonly number[]) => {
  const count = asked.length;
  const vectors = asked.map((row) => {
    const vector = new Float64Array(dimension);
    addVector(vector, values, row, units[row] ?? 0);
    return toWhole(vector);
  });

  /** Places in `similar`, from 1; 0 for tokens that have not been met. */
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
      similar[used * count + one] = dotWhole(vector.values, values, row * dimension) * vector.scale * unit;
    });
    used += 1;
    slots[row] = used;
    return used;
  };

  /** Of each block of tokens the greatest similarity to each of those asked for, where it is above what `greatest` holds. */
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
