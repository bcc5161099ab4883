/**
 * A score to add to BM25's, which ignores whether words of a query are near each other in a note, and whether they have
 * the very form that was asked for. Read from the notes' prints, for the first hits only. Pure.
 *
 * The weights gained .012 nDCG@10 and .006 hit@8 over seven public sets; greater ones gain nDCG@10 and lose hit@8 on
 * texts that overlap (docs/dev/experiments.md).
 */
import type { CountedWord } from './expression.js';
import {
  type AskedWord,
  areWithin,
  askWord,
  averageLength,
  type HeldWords,
  idfOf,
  mostInWindow,
  notesOfCommonest,
  openHeldWords,
  pairScore,
  saturate,
} from './held-words.js';

/** For two words within `near` words of each other. */
const nearWeight = 0.1;
/** For the rarest stretch of `stretch` words, and for words in the form asked for. */
const stretchWeight = 0.3;
const formWeight = 0.3;

const near = 8;
const stretch = 17;

/** Scores to add to each print's BM25 score (with its sign flipped), in order. `total` is the number of notes. */
export const nearnessOf = (
  words: readonly CountedWord[],
  total: number,
  prints: readonly (Uint32Array | undefined)[],
): readonly number[] => {
  const asked = askedWords(words, total);
  if (asked.length === 0) return prints.map(() => 0);
  const read = openHeldWords(asked);
  const held = prints.map((print) => (print === undefined ? undefined : read(print)));
  const average = averageLength(held.flatMap((one) => one ?? []));
  const values = asked.map(({ idf }) => idf);
  return held.map((one) =>
    one === undefined
      ? 0
      : nearWeight * pairsOf(asked, one) +
        stretchWeight * mostInWindow(one.places, stretch, values) +
        formWeight * formsOf(asked, one, average),
  );
};

/** One word for each stem, in the order of the query; words in no note can't be near any. */
const askedWords = (words: readonly CountedWord[], total: number): readonly AskedWord[] => {
  const asked = new Map<number, AskedWord>();
  for (const counted of words) {
    if (counted.notes === 0) continue;
    const word = askWord(counted.word, counted.forms ?? [], idfOf(notesOfCommonest(counted), total));
    if (!asked.has(word.stem)) asked.set(word.stem, word);
  }
  return [...asked.values()];
};

/** Scores words that are neighbours in the query, or have one word between them. */
const pairsOf = (asked: readonly AskedWord[], { placesOf }: HeldWords): number =>
  asked.reduce(
    (sum, first, at) =>
      [at + 1, at + 2].reduce(
        (score, second) =>
          areWithin(placesOf[at], placesOf[second], near, near) ? score + pairScore(first, asked[second]) : score,
        sum,
      ),
    0,
  );

/** BM25 over unstemmed words. */
const formsOf = (asked: readonly AskedWord[], { sameForm, length }: HeldWords, average: number): number =>
  asked.reduce((sum, { idf }, at) => sum + idf * saturate(sameForm[at] ?? 0, length / average), 0);
