/** Families of words that are forms of one another but share no stem, and so are searched for together. Pure. */
import { foldWord } from '../../prints/fold-word.js';
import { printWordOf, stemOf } from '../../prints/print.js';
import { derivedWords, irregularForms, shortForms, spellings } from './family-lists.js';

/** The words of each family. A word may belong to several families. */
export const wordFamilies = (): readonly (readonly string[])[] =>
  [irregularForms, derivedWords, shortForms, spellings].flatMap((text) => text.split(',').flatMap(familiesOf));

/** One family, or two for `y ial: bur den`: words with these beginnings and endings. */
const familiesOf = (text: string): readonly (readonly string[])[] => {
  const [words = '', begins] = text.split(':').map((part) => part.trim().split(/\s+/));
  return begins?.map((begin) => [...words].map((ending) => (ending === '-' ? begin : begin + ending))) ?? [[...words]];
};

/** Other forms of a word, in any inflection ("deciding": decision), that have another stem. Most words have none. */
export const otherForms = (typed: string): readonly string[] => {
  const word = foldWord(typed);
  const families = familiesNear(word);
  if (families.length === 0) return [];
  const stem = stemOfWord(word);
  const own = families.filter((family) => family.some((form) => startsAlike(form, word) && stemOfWord(form) === stem));
  return [...new Set(own.flat())].filter((form) => stemOfWord(form) !== stem);
};

/** Whether the word is spelt right, even if no note contains it or another form of it. */
export const isOfFamily = (word: string): boolean => otherForms(word).length > 0;

const stemOfWord = (word: string): number => stemOf(printWordOf(word));

const startsAlike = (one: string, other: string): boolean => one.slice(0, alike) === other.slice(0, alike);

/** A stem begins like its word. Stemming only words with the same beginning saves a millisecond at start-up. */
const alike = 2;

const familiesNear = (word: string): readonly (readonly string[])[] => {
  byBeginning ??= groupByBeginning();
  return byBeginning.get(word.slice(0, alike)) ?? [];
};

/** Filled by the first search. */
let byBeginning: ReadonlyMap<string, readonly (readonly string[])[]> | undefined;

const groupByBeginning = (): ReadonlyMap<string, readonly (readonly string[])[]> => {
  const groups = new Map<string, (readonly string[])[]>();
  for (const family of wordFamilies()) {
    for (const beginning of new Set(family.map((form) => form.slice(0, alike)))) {
      const group = groups.get(beginning);
      if (group === undefined) groups.set(beginning, [family]);
      else group.push(family);
    }
  }
  return groups;
};
