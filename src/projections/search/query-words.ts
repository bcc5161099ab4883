/** Reads a query's words: counts them, adds other forms, corrects unknown ones. FTS5 itself stems them. */
import type Database from 'better-sqlite3';
import { normalForm } from '../../events/normal-form.js';
import { countAllNotes } from '../index/rows.js';
import { printWordOf, stemOf } from '../prints/print.js';
import { foldWord, lowerCase } from '../prints/read-words.js';
import type { CountedWord } from './expression.js';
import { isOfFamily, likelyForms, otherForms } from './families/word-families.js';
import { extendWord, joinWords, selectKnown } from './fuzzy/compounds.js';
import {
  type Correction,
  correctWord,
  type FuzzyOptions,
  isSwap,
  splitWithin,
  standsWithin,
} from './fuzzy/corrections.js';
import { isForeignFunctionWord } from './language/word-list.js';
import { dropStopWords, splitWords } from './words.js';

type AskedWords = { readonly words: readonly CountedWord[]; readonly corrections: readonly Correction[] };

/** Unless it is fuzzy, words are left unchanged. */
type Fuzziness = Pick<FuzzyOptions, 'filter'> & {
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

/** With other forms in notes, commonest first, compounds last; none for another language: `lange` is no `language`. */
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
/** A stem, and the position of the first word that has it. One word may have several, as with a hyphen. */
type Stem = { readonly stem: string; readonly at: number };

/** Each stem once, in the order of the words. */
export const readStems = (database: Database.Database, words: readonly string[]): readonly Stem[] => {
  const stemsOf = addStems(stemmer(database), words);
  const first = new Map<string, number>();
  words.forEach((word, at) => {
    for (const stem of stemsOf.get(word) ?? []) if (!first.has(stem)) first.set(stem, at);
  });
  return [...first].map(([stem, at]) => ({ stem, at }));
};

const addStems = (stemmer: Stemmer, words: readonly string[]): ReadonlyMap<string, readonly string[]> => {
  const { known, clear, insert, terms } = stemmer;
  if (stemmer.units > maxUnits) {
    known.clear();
    stemmer.units = 0;
  }
  const unknown = [...new Set(words)].filter((word) => !known.has(word));
  if (unknown.length === 0) return known;
  clear.run();
  insert.run(JSON.stringify(unknown));
  const stems = unknown.map((): string[] => []);
  for (const { doc, term } of terms.all()) stems[doc - 1]?.push(term);
  unknown.forEach((word, at) => {
    known.set(word, stems[at] ?? []);
    stemmer.units += word.length;
  });
  return known;
};

/** Total length of remembered words; with their stems they take a few megabytes. */
const maxUnits = 200_000;

export const countNotesWith = (database: Database.Database, stem: string): number =>
  stemmer(database).count.get(stem)?.doc ?? 0;

type Stemmer = {
  /** The stems of words that were read before: one search reads its words several times, and searches share words. */
  readonly known: Map<string, readonly string[]>;
  /** Total length of all known words. */
  units: number;
  readonly clear: Database.Statement;
  /** Inserts a whole list as JSON: one by one takes three times as long. */
  readonly insert: Database.Statement<[string]>;
  readonly terms: Database.Statement<[], { doc: number; term: string }>;
  readonly count: Database.Statement<[string], { doc: number }>;
};

const stemmers = new WeakMap<Database.Database, Stemmer>();

const stemmer = (database: Database.Database): Stemmer => {
  const known = stemmers.get(database);
  if (known !== undefined) return known;
  database.exec(`
    CREATE VIRTUAL TABLE temp.asked_words USING fts5(word, tokenize = 'porter unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE temp.asked_terms USING fts5vocab(temp, asked_words, instance);`);
  const made: Stemmer = {
    known: new Map(),
    units: 0,
    clear: database.prepare('DELETE FROM temp.asked_words'),
    insert: database.prepare('INSERT INTO temp.asked_words (rowid, word) SELECT key + 1, value FROM json_each(?)'),
    terms: database.prepare('SELECT doc, term FROM temp.asked_terms ORDER BY doc, offset'),
    count: database.prepare('SELECT doc FROM terms WHERE term = ?'),
  };
  stemmers.set(database, made);
  return made;
};

/** If half its function words are in no note: then no word is mistyped, and similar ones mean something else. */
export const isInAnotherLanguage = (database: Database.Database, words: readonly string[]): boolean => {
  const known = words.filter(isForeignFunctionWord);
  if (known.length === 0) return false;
  const missing = readStems(database, known).filter(({ stem }) => countNotesWith(database, stem) === 0);
  return 2 * missing.length >= known.length;
};
/** For each word, one form for each other stem. One lookup for all: .4 us for each likely form, some 15 a word. */
export const formsInNotes = (database: Database.Database, words: readonly string[]): readonly (readonly string[])[] => {
  const likely = words.map(likelyForms);
  const known = selectKnown(database)
    .all(JSON.stringify(likely.flat()))
    .map(({ word }) => word);
  return likely.map((forms, at) => {
    const byStem = new Map(
      known.filter((form) => forms.includes(form)).map((form) => [stemOf(printWordOf(form)), form]),
    );
    byStem.delete(stemOf(printWordOf(words[at] ?? '')));
    return [...byStem.values()];
  });
};
/** By how often they are in the text (a title counts three times) and how few notes contain them; at most 24. */
export const keyTerms = (
  database: Database.Database,
  { title, body }: { readonly title: string; readonly body: string },
): readonly string[] => {
  const times = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const [found] of text.slice(0, maxReadUnits).matchAll(runs)) {
      const word = normalForm(lowerCase(found));
      times.set(word, (times.get(word) ?? 0) + weight);
    }
  };
  add(title, 3);
  add(body, 1);
  const known = dropStopWords(splitWords([...times.keys()].join(' '), maxWords)).filter((word) => !counting.test(word));
  const total = countAllNotes(database);
  return countWords(database, known)
    .filter(({ notes }) => notes > 0)
    .map(({ word, notes }) => ({ word, weight: Math.log1p(times.get(word) ?? 0) * Math.log((total + 1) / notes) }))
    .toSorted((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1))
    .slice(0, maxTelling)
    .map(({ word }) => word);
};

/** Numbers like those of a numbered list, which any note may have. */
const counting = /^\p{N}{1,2}$/u;
const runs = /[\p{L}\p{N}\p{M}]+/gu;
/** The beginning says what a note is about; each further word costs an index lookup. */
const maxReadUnits = 8000;
const maxWords = 400;
const maxTelling = 24;
