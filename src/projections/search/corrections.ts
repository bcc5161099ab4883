/** Words of a query that stand in no note, put right by the vocabulary: one slip in any word, two in a longer one. */
import type Database from 'better-sqlite3';
import { filterCondition, type NoteFilter } from '../index/query.js';
import { prepared, preparedTexts } from '../prepared.js';
import { foldWord } from '../prints/read-words.js';
import { isCorrectable, reverseWord } from '../prints/word-form.js';
import { editDistance, oneEditAway, trigramSimilarity } from './edit-distance.js';
import { plainExpression } from './expression.js';

/** A word as it was typed, and the word of the notes that is looked for in its place. */
export type Correction = { readonly typed: string; readonly instead: string };

/** Shared trigrams that a correction has at least; a swap in a word of six letters leaves .27. */
export const defaultFuzzyThreshold = 0.15;

export type FuzzyOptions = { readonly filter: NoteFilter; readonly fuzzyThreshold: number };

/**
 * The likeliest word of the notes for a mistyped one, of those that share enough trigrams. One slip away any word is found;
 * two slips away one whose beginning or end is untouched. Words of notes that pass the filter come first; a filter by user
 * or workspace gets no others, since a word may be a secret.
 */
export const correctWord = (
  database: Database.Database,
  typed: string,
  { filter, fuzzyThreshold }: FuzzyOptions,
): string | undefined => {
  const word = foldWord(typed);
  if (!isCorrectable(word)) return undefined;
  const near = likeliest(word, oneSlipAway(database, word), fuzzyThreshold);
  const likely = near.length > 0 ? near : likeliest(word, twoSlipsAway(database, word), fuzzyThreshold);
  const within = likely.slice(0, maxLookedFor).find((candidate) => standsWithin(database, candidate, filter));
  const isRestricted = filter.user !== undefined || filter.workspace !== undefined;
  return within ?? (isRestricted ? undefined : likely[0]);
};

type Candidate = { readonly word: string; readonly notes: number };

/** Likeness against frequency, weighed so that on seven public sets 93 % of slips were put right. The likeliest first. */
const likeliest = (typed: string, candidates: readonly Candidate[], threshold: number): readonly string[] =>
  candidates
    .map(({ word, notes }) => ({ word, notes, likeness: trigramSimilarity(typed, word) }))
    .filter(({ likeness }) => likeness >= threshold)
    .map(({ word, notes, likeness }) => ({ word, score: likenessWeight * likeness + Math.log(notes) }))
    .toSorted((a, b) => b.score - a.score || (a.word < b.word ? -1 : 1))
    .map(({ word }) => word);

const likenessWeight = 6;

/** Candidates that are looked for among the notes that pass the filter, and notes that are looked at for each. */
const maxLookedFor = 4;
const maxLookedAt = 500;

/** Among the first notes that hold it, as far as they pass the filter. */
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

const oneSlipAway = (database: Database.Database, word: string): readonly Candidate[] =>
  plain.test(word)
    ? selectAmong(database).all(JSON.stringify([...oneEditAway(word)]))
    : withSameEnds(database, word, 1, Math.max(1, Math.min(maxEnd, (word.length - 2) >> 1)));

const plain = /^[a-z]+$/;

const twoSlipsAway = (database: Database.Database, word: string): readonly Candidate[] =>
  word.length < leastForTwo ? [] : withSameEnds(database, word, 2, maxEnd);

/** With fewer letters, two slips away stands a word that means something else. */
const leastForTwo = 5;
/** Letters of an end that are the same; fewer bring thousands of words. */
const maxEnd = 3;

const withSameEnds = (database: Database.Database, word: string, most: number, end: number): readonly Candidate[] => {
  const reversed = reverseWord(word);
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
