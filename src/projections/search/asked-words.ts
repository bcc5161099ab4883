/** The words of a query as the notes know them: counted, with their parts, and put right where they stand in no note. */
import type Database from 'better-sqlite3';
import { type Correction, correctWord, type FuzzyOptions } from './corrections.js';
import type { CountedWord } from './expression.js';
import { isOfFamily, otherForms } from './families/word-families.js';
import { countNotesWith, readStems, type Stem } from './stems.js';
import { dropStopWords, isForeignFunctionWord } from './words.js';

export type AskedWords = { readonly words: readonly CountedWord[]; readonly corrections: readonly Correction[] };

/** Without a threshold words are left as they are. */
export type Fuzziness = Pick<FuzzyOptions, 'filter'> & {
  readonly fuzzyThreshold?: number | undefined;
  /** As it was typed. */
  readonly text?: string;
};

/** `parts` come behind the words: what stands in them is asked for as well, and never put right. */
export const askWords = (
  database: Database.Database,
  typed: readonly string[],
  parts: readonly string[],
  { filter, fuzzyThreshold, text = '' }: Fuzziness,
): AskedWords => {
  const asked = [...new Set([...typed, ...dropStopWords(parts)])];
  const counted = countWithForms(database, asked);
  if (fuzzyThreshold === undefined) return { words: counted, corrections: [] };
  const isForeign = isInAnotherLanguage(counted);
  const corrections: Correction[] = [];
  const words = counted.flatMap(({ word, notes }) => {
    // Each costs a look at the vocabulary, and a text of many strange words is not a slip.
    if (
      notes > 0 ||
      isOfFamily(word) ||
      isKnown(database, word) ||
      corrections.length === maxCorrections ||
      !typed.includes(word)
    )
      return [word];
    const instead = correctWord(database, word, { filter, fuzzyThreshold, isForeign });
    if (instead === undefined) return [word];
    // "teh" is dropped as "the" would be. `foo` is a name and no mistyped "for", and so is the `teh` of `teh:docker`.
    const isStopWord = dropStopWords(instead).length === 0;
    if (isStopWord && (isKeyIn(text, word) || !hasSameLetters(word, instead.join('')))) return [word];
    corrections.push({ typed: word, instead: instead.join(' ') });
    return instead;
  });
  if (corrections.length === 0) return { words: counted, corrections };
  const distinct = [...new Set(words)];
  const content = dropStopWords(distinct);
  return { words: countWithForms(database, content.length === 0 ? distinct : content), corrections };
};

const isKeyIn = (text: string, word: string): boolean => ` ${text.toLowerCase()}`.includes(` ${word}:`);

const hasSameLetters = (one: string, other: string): boolean => sorted(one) === sorted(other);
const sorted = (word: string): string => [...word].toSorted().join('');

const maxCorrections = 8;

/** Not one that the notes are written in: then its words are not slips, and like words of the notes mean something else. */
export const isInAnotherLanguage = (words: readonly CountedWord[]): boolean =>
  words.some(({ word, notes }) => notes === 0 && isForeignFunctionWord(word));

/** One that shares its stem with another word of the query was not counted. */
const isKnown = (database: Database.Database, word: string): boolean =>
  readStems(database, [word]).some(({ stem }) => countNotesWith(database, stem) > 0);

/**
 * As `countWords`, each word with its other forms that occur in notes ("went" for "go"), the commonest first. A query in another
 * language gets none: its `lange` is no short form of "language".
 */
const countWithForms = (database: Database.Database, words: readonly string[]): readonly CountedWord[] => {
  const others = words.map(otherForms);
  // The forms come after the words, so that a form that is asked for itself counts as that word.
  const stems = readStems(database, [...words, ...others.flat()]);
  const plain = countStems(database, words, stems);
  if (isInAnotherLanguage(plain)) return plain;
  let from = words.length;
  return plain.map((counted, at) => {
    const own = others[at] ?? [];
    if (own.length === 0) return counted;
    const forms = countStems(database, own, stems, from).filter(({ notes }) => notes > 0);
    from += own.length;
    return forms.length === 0 ? counted : { ...counted, forms: forms.toSorted((a, b) => b.notes - a.notes) };
  });
};

/** In how many notes each word's stem stands; two words with one stem count once. */
export const countWords = (database: Database.Database, words: readonly string[]): readonly CountedWord[] =>
  countStems(database, words, readStems(database, words));

/** Counts words whose stems are among these, from that place on. */
const countStems = (
  database: Database.Database,
  words: readonly string[],
  stems: readonly Stem[],
  from = 0,
): readonly CountedWord[] => {
  const notes = words.map(() => 0);
  for (const { stem, at } of stems) {
    const place = at - from;
    if (place < 0 || place >= words.length) continue;
    const held = countNotesWith(database, stem);
    notes[place] = notes[place] === 0 ? held : Math.min(notes[place] ?? 0, held);
  }
  return words.map((word, at) => ({ word, notes: notes[at] ?? 0 }));
};
