/** Corrects words that are in no note, by the vocabulary: one typo, two in a longer word. Common words stay. */
import type Database from 'better-sqlite3';
import { normalForm } from '../../../events/normal-form.js';
import { filterCondition, type NoteFilter } from '../../index/query.js';
import { prepared, preparedTexts, reverseText } from '../../prepared.js';
import { foldWord, isCorrectable, lowerCase, withoutMarks } from '../../prints/read-words.js';
import { plainExpression } from '../expression.js';
import { isCommonWord } from '../language/word-list.js';
import { extendWord, splitWord } from './compounds.js';
import { editDistance, oneEditAway, trigramSimilarity } from './edit-distance.js';

/** A word as it was typed, and the word of the notes that is searched for instead. */
export type Correction = { readonly typed: string; readonly instead: string };

/** Least share of trigrams that a correction has in common; a swap in a word of six letters leaves .27. */
const leastLikeness = 0.15;

export type FuzzyOptions = {
  readonly filter: NoteFilter;
  /** Treats no word as mistyped: finds only words that form it, or that it begins or ends. */
  readonly isForeign?: boolean;
};

/**
 * The likeliest word: one typo away; two words that form it; a longer one; two typos away, with its first letter and
 * one end. Words of notes that pass come first; a filter by user or workspace gets no others: a word may be a secret.
 */
export const correctWord = (
  database: Database.Database,
  typed: string,
  { filter, isForeign = false }: FuzzyOptions,
): readonly string[] | undefined => {
  const word = foldWord(typed);
  if (!isCorrectable(word)) return undefined;
  const isRestricted = filter.user !== undefined || filter.workspace !== undefined;
  const choose = (likely: readonly string[]): string | undefined =>
    likely.slice(0, maxLookedFor).find((candidate) => standsWithin(database, candidate, filter)) ??
    (isRestricted ? undefined : likely[0]);
  // Even in a common word of three letters, two may be swapped: `fro` is hardly ever meant.
  const likelyTypos = (found: readonly Candidate[]): readonly Candidate[] =>
    found.length > 0 && isCommonWord(word)
      ? found.filter((one) => word.length === shortest && isSwap(word, one.word))
      : found;
  const oneAway = likelyTypos(isForeign ? [] : oneTypoAway(database, word).filter((one) => mayMean(word, one.word)));
  const near = choose(likeliest(word, oneAway));
  if (near !== undefined) return [near];
  const split = splitWithin(database, word, filter);
  if (split !== undefined) return split;
  const other =
    choose(extendWord(database, word)) ??
    choose(likeliest(word, likelyTypos(isForeign ? [] : twoTyposAway(database, word))));
  return other === undefined ? undefined : [other];
};

/** Two words that form this one; for a restricted user or workspace, both from notes that pass the filter. */
export const splitWithin = (
  database: Database.Database,
  word: string,
  filter: NoteFilter,
): readonly string[] | undefined => {
  const split = splitWord(database, foldWord(word));
  const isRestricted = filter.user !== undefined || filter.workspace !== undefined;
  return !isRestricted || split?.every((one) => standsWithin(database, one, filter)) === true ? split : undefined;
};

/** Whether another word may have been meant: not if one is part of the other, or a long word has a single typo. */
export const isGuess = (typed: string, instead: readonly string[]): boolean => {
  const [other = ''] = instead;
  const word = foldWord(typed);
  if (instead.length !== 1) return false;
  if (word.length >= longEnough && editDistance(word, other, 1) <= 1) return false;
  return !other.includes(word) || isCommonWord(word);
};

/** Words of this length hardly ever differ in a single letter and mean different things. */
const longEnough = 9;

type Candidate = { readonly word: string; readonly notes: number };

/** The likeliest first. Weighs likeness against frequency: on seven public sets, 93 % of typos were corrected. */
const likeliest = (typed: string, candidates: readonly Candidate[]): readonly string[] =>
  candidates
    .map(({ word, notes }) => ({ word, notes, likeness: likenessOf(typed, word) }))
    .filter(({ likeness }) => likeness >= leastLikeness)
    .map(({ word, notes, likeness }) => ({ word, score: likenessWeight * likeness + Math.log(notes) }))
    .toSorted((a, b) => b.score - a.score || (a.word < b.word ? -1 : 1))
    .map(({ word }) => word);

const likenessWeight = 6;

/** Other marks alone are likeliest. A swap, the commonest typo, leaves hardly a trigram of three or four letters. */
const likenessOf = (typed: string, word: string): number => {
  if (areAlike(typed, word)) return 1;
  const likeness = trigramSimilarity(typed, word);
  return isSwap(typed, word) ? Math.max(likeness, likenessOfSwap) : likeness;
};

/** Whether both words have the same letters. */
export const isSwap = (typed: string, word: string): boolean =>
  typed.length === word.length && [...typed].sort().join('') === [...word].sort().join('');

/** The likeness of a swap in a word of six letters. */
const likenessOfSwap = 0.27;
/** Candidates that are looked up among the notes that pass the filter, and notes that are read for each. */
const maxLookedFor = 4;
const maxLookedAt = 500;

/** Whether one of the first notes that contain it passes the filter. */
export const standsWithin = (database: Database.Database, word: string, filter: NoteFilter): boolean => {
  const { sql, args } = filterCondition(filter);
  if (args.length === 0) return true;
  const found = selectWithin(
    database,
    `SELECT 1 AS found FROM (SELECT rowid FROM fts WHERE fts MATCH ? LIMIT ${maxLookedAt}) f
     CROSS JOIN notes n ON n.rowid = f.rowid WHERE ${sql} LIMIT 1`,
  );
  return found.get(plainExpression([word]), ...args) !== undefined;
};

const oneTypoAway = (database: Database.Database, word: string): readonly Candidate[] =>
  plain.test(word)
    ? selectAmong(database).all(JSON.stringify([...oneEditAway(word)]))
    : withSameEnds(database, word, 1, Math.max(1, Math.min(maxEnd, (word.length - 2) >> 1)));

const plain = /^[a-z]+$/;

const twoTyposAway = (database: Database.Database, word: string): readonly Candidate[] =>
  word.length < leastForTwo
    ? []
    : withSameEnds(database, word, 2, maxEnd).filter(
        (candidate) => candidate.word.length >= leastForTwo && beginAlike(candidate.word, word),
      );

const areAlike = (typed: string, word: string): boolean => withoutMarks(typed) === withoutMarks(word);

/** A first letter without its mark counts as the same one: `елка` means ёлка. */
const beginAlike = (a: string, b: string): boolean => areAlike(a.slice(0, 1), b.slice(0, 1));

/** Short words with another first letter mean something else (`king`, `sing`), as do most of three (`npm`, `npx`). */
const mayMean = (typed: string, word: string): boolean => {
  if (typed.length >= leastForFirst) return true;
  if (!beginAlike(word, typed)) return false;
  return typed.length > shortest || isSwap(typed, word) || undouble(word) === undouble(typed) || areAlike(typed, word);
};
const leastForFirst = 6;
const shortest = 3;

const undouble = (word: string): string => word.replace(/(.)\1/g, '$1');

/** With fewer letters, or another first letter, a word two typos away means something else. */
const leastForTwo = 5;
/** Letters that are the same at one end; fewer find thousands of words. */
const maxEnd = 3;

const withSameEnds = (database: Database.Database, word: string, most: number, end: number): readonly Candidate[] => {
  const reversed = reverseText(word);
  const lengths = [word.length - most, word.length + most] as const;
  const found = [
    ...selectBeginning(database).all(word.slice(0, end), `${word.slice(0, end)}\uffff`, ...lengths),
    ...selectEnding(database).all(reversed.slice(0, end + 1), `${reversed.slice(0, end + 1)}\uffff`, ...lengths),
  ];
  return found.filter((candidate) => editDistance(word, candidate.word, most) <= most);
};

const selectAmong = prepared<[string], Candidate>(
  'SELECT word, notes FROM json_each(?) asked CROSS JOIN vocabulary ON word = asked.value',
);
const selectBeginning = prepared<[string, string, number, number], Candidate>(
  'SELECT word, notes FROM vocabulary WHERE word >= ? AND word < ? AND length(word) BETWEEN ? AND ?',
);
const selectEnding = prepared<[string, string, number, number], Candidate>(
  'SELECT word, notes FROM vocabulary WHERE reversed >= ? AND reversed < ? AND length(word) BETWEEN ? AND ?',
);
const selectWithin = preparedTexts<(string | number)[], { found: number }>();

/** In lower case, as the first of the texts spells each; a word that is in none of them stays unchanged. Linear. */
export const inOriginalSpelling = (
  corrected: readonly Correction[],
  texts: readonly { readonly note: { readonly title: string }; readonly body: string }[],
): readonly Correction[] => {
  const written = new Map<string, string>();
  for (const { note, body } of texts)
    for (const [word] of normalForm(`${note.title}\n${body}`).matchAll(/[\p{L}\p{M}]+/gu)) {
      const folded = foldWord(word);
      if (!written.has(folded)) written.set(folded, lowerCase(word));
    }
  return corrected.map(({ typed, instead }) => ({
    typed,
    instead: instead
      .split(' ')
      .map((word) => written.get(word) ?? word)
      .join(' '),
  }));
};
