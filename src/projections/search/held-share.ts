/** How much of a query a note holds, by which answers to different queries can be compared. Pure; linear in the note. */
import { type PrintWord, passes, printOf, printWordOf, sieveOf, stemOf, wordsOfPrint } from '../prints/print.js';
import { splitSpaceless } from '../spaceless.js';
import { wordParts } from '../word-parts.js';
import type { CountedWord } from './expression.js';
import type { Correction } from './fuzzy/corrections.js';
import { idfOf, notesOfCommonest } from './nearness.js';

export type QueryWords = {
  readonly counted: readonly CountedWord[];
  readonly corrections: readonly Correction[];
  /** As they were typed: what was only derived from one of them is no word of its own. */
  readonly typed: readonly string[];
  /** Notes in the index. */
  readonly total: number;
};

type Text = {
  readonly title: string;
  readonly body: string;
  readonly tags: readonly string[];
  readonly keywords: readonly string[];
};

/** Read for the parts of words: what a note is about stands at its beginning. */
const maxUnits = 20_000;

/** The share, from 0 to 1, by rarity; a word that stands in no note weighs the most. 1 where conditions alone are asked for. */
export const heldShare = ({ counted, corrections, typed, total }: QueryWords, text: Text): number => {
  const own = new Set([...typed, ...corrections.flatMap(({ instead }) => instead.split(' '))]);
  const seen = new Set<string>();
  const asked: Asked[] = [];
  for (const one of counted) {
    const { word, isOther, forms = [] } = one;
    const stems = stemsOf(word);
    // Of two words with one stem only the first was counted.
    if (isOther === true || !own.has(word) || seen.has(stems.join())) continue;
    seen.add(stems.join());
    asked.push({
      weight: idfOf(notesOfCommonest(one), total),
      forms: [stems, ...forms.map((form) => stemsOf(form.word))],
    });
  }
  const held = stemsIn(text, new Set(asked.flatMap(({ forms }) => forms.flat())));
  const weightOf = (words: readonly Asked[]): number => words.reduce((sum, { weight }) => sum + weight, 0);
  const all = weightOf(asked);
  const isHeld = ({ forms }: Asked): boolean => forms.some((form) => form.every((stem) => held.has(stem)));
  return all > 0 ? weightOf(asked.filter(isHeld)) / all : 1;
};

/** A word in each of its forms; the pieces of a form stand in the note together. */
type Asked = { readonly weight: number; readonly forms: readonly (readonly number[])[] };

/** Those of the stems that stand in the text, as words or as parts of one. */
const stemsIn = (text: Text, wanted: ReadonlySet<number>): ReadonlySet<number> => {
  const sieve = sieveOf(wanted);
  const held = new Set<number>();
  const take = (word: PrintWord): void => {
    if (passes(sieve, word) && wanted.has(stemOf(word))) held.add(stemOf(word));
  };
  const texts = [text.title, text.body, [...text.tags, ...text.keywords].join(' ')];
  wordsOfPrint(printOf(texts)).forEach(take);
  if (held.size < wanted.size) wordParts(texts.join('\n').slice(0, maxUnits)).map(printWordOf).forEach(take);
  return held;
};

const stemsOf = (word: string): readonly number[] => splitSpaceless(word).map((piece) => stemOf(printWordOf(piece)));
