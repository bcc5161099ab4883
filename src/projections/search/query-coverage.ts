/** How much of a query a note contains, for comparing answers to different queries. Pure; linear in the note. */
import { type PrintWord, passes, printOf, printWordOf, sieveOf, stemOf, wordsOfPrint } from '../prints/print.js';
import { queryParts, splitSpaceless, wordParts } from '../word-parts.js';
import type { CountedWord } from './expression.js';
import type { Correction } from './fuzzy/corrections.js';
import { idfOf, notesOfCommonest } from './word-scores.js';

export type QueryWords = {
  readonly counted: readonly CountedWord[];
  readonly corrections: readonly Correction[];
  /** As they were typed: a part derived from one of them is no word of its own. */
  readonly typed: readonly string[];
  /** Number of notes in the index. */
  readonly total: number;
};

type Text = {
  readonly title: string;
  readonly body: string;
  readonly tags: readonly string[];
  readonly keywords: readonly string[];
  /** Its words as the index has them; without it, they are read from the text. */
  readonly print?: Uint32Array | undefined;
};

/** Units that are read for the parts of words: a note's beginning says what it is about. */
const maxUnits = 20_000;

/** Weighted by rarity, a word in no note most. If it has none of the query's own, half of other wordings' share. */
export const queryCoverage = ({ counted, corrections, typed, total }: QueryWords, text: Text): number => {
  const words = new Set([...typed, ...corrections.flatMap(({ instead }) => instead.split(' '))]);
  const own = askedWords(
    counted.filter(({ word, isOther }) => isOther !== true && words.has(word)),
    total,
  );
  if (weightOf(own) === 0) return 1;
  const others = askedWords(
    counted.filter(({ isOther }) => isOther === true),
    total,
  );
  const texts = [text.title, text.body, [...text.tags, ...text.keywords].join(' ')];
  const wanted = new Set([...own, ...others].flatMap(({ forms }) => forms.flat()));
  const held = new Set<number>();
  addHeld(held, wanted, text.print ?? wordsOfPrint(printOf(texts)));
  if (shareOf(own, held) < 1) addHeld(held, wanted, wordParts(texts.join('\n').slice(0, maxUnits)).map(printWordOf));
  return shareOf(own, held) || shareOf(others, held) / 2;
};

const weightOf = (words: readonly WeightedForms[]): number => words.reduce((sum, { weight }) => sum + weight, 0);

const shareOf = (asked: readonly WeightedForms[], held: ReadonlySet<number>): number => {
  const isHeld = ({ forms }: WeightedForms): boolean => forms.some((form) => form.every((stem) => held.has(stem)));
  const all = weightOf(asked);
  return all > 0 ? weightOf(asked.filter(isHeld)) / all : 0;
};

/** Of two words with one stem, returns the first, since only that was counted. */
const askedWords = (counted: readonly CountedWord[], total: number): readonly WeightedForms[] => {
  const seen = new Set<string>();
  return counted.flatMap((one) => {
    const stems = stemsOf(one.word);
    if (seen.has(stems.join())) return [];
    seen.add(stems.join());
    const parts = queryParts(one.word, maxParts);
    return [
      {
        weight: idfOf(notesOfCommonest(one), total),
        forms: [
          stems,
          ...(one.forms ?? []).map((form) => stemsOf(form.word)),
          ...(parts.length > 1 ? [parts.flatMap(stemsOf)] : []),
        ],
      },
    ];
  });
};

/** Parts of one word: `100mb` has two. */
const maxParts = 8;

/** A word in each of its forms; a note has a form if it contains all of its pieces. */
type WeightedForms = { readonly weight: number; readonly forms: readonly (readonly number[])[] };

/** Adds the wanted stems that the words have. */
const addHeld = (held: Set<number>, wanted: ReadonlySet<number>, words: Iterable<PrintWord>): void => {
  const sieve = sieveOf(wanted);
  for (const word of words) if (passes(sieve, word) && wanted.has(stemOf(word))) held.add(stemOf(word));
};

const stemsOf = (word: string): readonly number[] => splitSpaceless(word).map((piece) => stemOf(printWordOf(piece)));
