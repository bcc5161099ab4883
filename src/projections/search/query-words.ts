/**
 * Reads the words of a query: counts them in the notes, adds their other forms, and corrects those that are in no note.
 */
import type Database from 'better-sqlite3';
import { foldWord } from '../prints/fold-word.js';
import type { CountedWord } from './expression.js';
import { formsInNotes } from './families/forms-in-notes.js';
import { isOfFamily, otherForms } from './families/word-families.js';
import { extendWord, joinWords } from './fuzzy/compounds.js';
import {
  type Correction,
  correctWord,
  type FuzzyOptions,
  isSwap,
  splitWithin,
  standsWithin,
} from './fuzzy/corrections.js';
import { countNotesWith, isInAnotherLanguage, readStems, type Stem } from './stems.js';
import { dropStopWords, splitWords } from './words.js';

export type AskedWords = { readonly words: readonly CountedWord[]; readonly corrections: readonly Correction[] };

/** Unless it is fuzzy, words are left unchanged. */
export type Fuzziness = Pick<FuzzyOptions, 'filter'> & {
  readonly isFuzzy?: boolean | undefined;
  /** The query as it was typed. */
  readonly text?: string;
};

/** `parts` follow the words: they are asked for as well, but never corrected. */
export const readQueryWords = (
  database: Database.Database,
  typed: readonly string[],
  parts: readonly string[],
  { filter, isFuzzy, text = '' }: Fuzziness,
): AskedWords => {
  const asked = [...new Set([...typed, ...dropStopWords(parts)])];
  const isForeign = isInAnotherLanguage(database, splitWords(text));
  const counted = countWithForms(database, asked, isForeign);
  if (isFuzzy !== true) return { words: counted, corrections: [] };
  const corrections: Correction[] = [];
  const compounds = new Map<string, readonly string[]>();
  const joined = counted.some(({ notes }) => notes === 0) ? joinWords(database, typed) : new Map<string, string>();
  const words = counted.flatMap(({ word, notes, forms = [] }) => {
    // Each costs a vocabulary lookup, and a text of many unknown words is not one that was mistyped.
    if (notes > 0 || isKnown(database, word) || corrections.length >= maxCorrections || !typed.includes(word))
      return [word];
    const ofWord = forms.map((form) => form.word);
    const isFamiliar = isOfFamily(word);
    if (isFamiliar && ofWord.length > 0) return [word];
    const whole = ofWord.length > 0 ? undefined : joined.get(word);
    if (whole !== undefined && standsWithin(database, whole, filter)) {
      corrections.push({ typed: word, instead: whole });
      return [whole];
    }
    const correct = (): readonly string[] | undefined =>
      isFamiliar ? splitWithin(database, word, filter) : correctWord(database, word, { filter, isForeign });
    const instead = ofWord.length > 0 ? ofWord : correct();
    if (instead === undefined) return [word];
    // A word that begins or ends other words is not mistyped: ask for all of those, beside its own forms.
    const folded = foldWord(word);
    const [one = ''] = instead;
    if (ofWord.length > 0 || (one.includes(folded) && one.length > folded.length + 1)) {
      const found = extendWord(database, folded).filter(
        (one) => !ofWord.includes(one) && standsWithin(database, one, filter),
      );
      for (const one of found.length === 0 ? [] : [...ofWord, ...found])
        corrections.push({ typed: word, instead: one });
      compounds.set(word, found);
      return [word];
    }
    // "teh" is dropped like "the". `foo` is a name, not a mistyped "for", and so is the `teh` of `teh:docker`.
    const isStopWord = dropStopWords(instead).length === 0;
    if (isStopWord && (isKeyIn(text, word) || !isSwap(word, instead.join('')))) return [word];
    corrections.push({ typed: word, instead: instead.join(' ') });
    return instead;
  });
  if (corrections.length === 0) return { words: counted, corrections };
  const distinct = [...new Set(words)];
  const content = dropStopWords(distinct);
  const again = content.length === 0 ? distinct : content;
  return { words: countWithForms(database, again, isForeign, compounds), corrections };
};

const isKeyIn = (text: string, word: string): boolean => ` ${text.toLowerCase()}`.includes(` ${word}:`);

const maxCorrections = 8;

/** A word that shares its stem with another word of the query was not counted. */
const isKnown = (database: Database.Database, word: string): boolean =>
  readStems(database, [word]).some(({ stem }) => countNotesWith(database, stem) > 0);

/**
 * Like `countWords`, with each word's other forms that occur in notes ("went" for "go"), the commonest first and
 * compounds last. A query in another language gets none from the lists: its `lange` is no short form of "language".
 */
const countWithForms = (
  database: Database.Database,
  words: readonly string[],
  isForeign: boolean,
  compounds: ReadonlyMap<string, readonly string[]> = new Map(),
): readonly CountedWord[] => {
  const listed = isForeign ? [] : words.map(otherForms);
  const others = formsInNotes(database, words).map((made, at) => [
    ...(listed[at] ?? []),
    ...made,
    ...(compounds.get(words[at] ?? '') ?? []),
  ]);
  // The forms come after the words, so that a form that is asked for itself counts as that word.
  const stems = readStems(database, [...words, ...others.flat()]);
  const plain = countStems(database, words, stems);
  let from = words.length;
  return plain.map((counted, at) => {
    const own = others[at] ?? [];
    if (own.length === 0) return counted;
    const all = countStems(database, own, stems, from);
    from += own.length;
    const last = compounds.get(counted.word) ?? [];
    const forms = all
      .filter(({ notes }) => notes > 0)
      .toSorted((a, b) => last.indexOf(a.word) - last.indexOf(b.word) || b.notes - a.notes);
    return forms.length === 0 ? counted : { ...counted, forms };
  });
};

/** Counts the notes that contain each word's stem; two words with one stem count once. */
export const countWords = (database: Database.Database, words: readonly string[]): readonly CountedWord[] =>
  countStems(database, words, readStems(database, words));

/** Counts words whose stems are among `stems`, at positions from `from` on. */
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
