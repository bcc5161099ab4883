/** How much of a query a note holds, by which answers to different queries can be compared. Pure; linear in the note. */
import { printOf, printWordOf, stemOf, wordsOfPrint } from '../prints/print.js';
import { splitSpaceless } from '../spaceless.js';
import { wordParts } from '../word-parts.js';
import type { Correction } from './corrections.js';
import type { CountedWord } from './expression.js';
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
  const texts = [text.title, text.body, [...text.tags, ...text.keywords].join(' ')];
  const parts = wordParts(texts.join('\n').slice(0, maxUnits)).map(printWordOf);
  const stems = new Set([...wordsOfPrint(printOf(texts)), ...parts].map(stemOf));
  const seen = new Set<string>();
  let all = 0;
  let held = 0;
  for (const one of counted) {
    const { word, isOther, forms = [] } = one;
    const asked = stemsOf(word);
    // Of two words with one stem only the first was counted.
    if (isOther === true || !own.has(word) || seen.has(asked.join())) continue;
    seen.add(asked.join());
    const weight = idfOf(notesOfCommonest(one), total);
    all += weight;
    if ([asked, ...forms.map((form) => stemsOf(form.word))].some((form) => form.every((stem) => stems.has(stem))))
      held += weight;
  }
  return all > 0 ? held / all : 1;
};

const stemsOf = (word: string): readonly number[] => splitSpaceless(word).map((piece) => stemOf(printWordOf(piece)));
