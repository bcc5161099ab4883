/**
 * Scores a word and its other forms together. FTS5 scores each alone, so that rare forms count too much and a note with
 * two forms counts twice. Computed from the notes' prints, for the first hits only. Pure.
 */
import { firstPartOf, gap, passes, printWordOf, sieveOf, stemOf } from '../../prints/print.js';
import type { CountedWord } from '../expression.js';
import { notesOfCommonest, saturate } from '../held-words.js';

/** Weights of title, body, and tags with keywords, as in bm25(). */
const partWeights = [2, 1, 1.5];
/**
 * Weight of a form here, and in FTS5's score, which this corrects. On the public sets, .5 and .8 are within .0003 of
 * .6.
 */
const formWeight = 0.6;
const formWeightBefore = 0.5;

/** Scores to add to each print's BM25 score (with its sign flipped), in order; all 0 if no word has other forms. */
export const formScores = (
  words: readonly CountedWord[],
  total: number,
  prints: readonly (Uint32Array | undefined)[],
): readonly number[] => {
  const asked = words.flatMap((word) => (word.forms === undefined ? [] : [askedForm(word, total)]));
  if (asked.length === 0) return prints.map(() => 0);
  const lengths = prints.flatMap((print) => (print === undefined ? [] : [print.length]));
  const average = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length));
  const stems = new Set(asked.flatMap(({ stem, forms }) => [stem, ...forms.map((form) => form.stem)]));
  const sieve = sieveOf(stems);
  return prints.map((print) => {
    if (print === undefined) return 0;
    const counts = countStems(stems, sieve, print);
    const length = print.length / average;
    return asked.reduce((sum, { stem, idf, idfTogether, forms }) => {
      const own = counts.get(stem) ?? 0;
      const inForms = forms.map((form) => counts.get(form.stem) ?? 0);
      const alone = idf * saturate(own, length);
      const together =
        idfTogether * saturate(own + formWeight * inForms.reduce((all, count) => all + count, 0), length);
      const before = forms.reduce(
        (given, form, at) => given + formWeightBefore * form.idf * saturate(inForms[at] ?? 0, length),
        alone,
      );
      // "knowledge" may be rare where "know" is common: the word as typed never counts less than it would alone.
      return sum + Math.max(alone, together) - before;
    }, 0);
  });
};

type WordForms = {
  readonly stem: number;
  readonly idf: number;
  readonly idfTogether: number;
  readonly forms: readonly { readonly stem: number; readonly idf: number }[];
};

const askedForm = (counted: CountedWord, total: number): WordForms => ({
  stem: stemOf(printWordOf(counted.word)),
  idf: idfInFts(counted.notes, total),
  idfTogether: idfInFts(notesOfCommonest(counted), total),
  forms: (counted.forms ?? []).map(({ word, notes }) => ({
    stem: stemOf(printWordOf(word)),
    idf: idfInFts(notes, total),
  })),
});

/** FTS5's own idf, in which a word in more than half of the notes counts next to nothing. */
const idfInFts = (notes: number, total: number): number =>
  Math.max(1e-6, Math.log((total - notes + 0.5) / (notes + 0.5)));

const countStems = (stems: ReadonlySet<number>, sieve: Uint8Array, print: Uint32Array): ReadonlyMap<number, number> => {
  const counts = new Map<number, number>();
  let part = firstPartOf(print);
  for (const word of print) {
    if (word === gap) {
      part += 1;
      continue;
    }
    if (!passes(sieve, word)) continue;
    const stem = stemOf(word);
    if (stems.has(stem)) counts.set(stem, (counts.get(stem) ?? 0) + (partWeights[part] ?? 1));
  }
  return counts;
};
