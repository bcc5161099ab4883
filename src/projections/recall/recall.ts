/** From a prompt to the few notes that are worth showing unasked, or a line. */
import type Database from 'better-sqlite3';
import { type IndexedNote, toIndexedNote } from '../index/query.js';
import { type ByMeaning, type Judged, type JudgedBy, type JudgedPrompt, judgeWith } from './judging.js';
import { readThresholds } from './thresholds.js';

export type RecallQuery = JudgedPrompt & { readonly k: number };

export type Recalled = {
  readonly note: IndexedNote;
  /** BM25 of the rare words with its sign flipped: comparable within one answer only. */
  readonly score: number;
  /** Comparable across prompts of one store: from its threshold to below 1. */
  readonly relevance: number;
  /** Words of the prompt that the note holds, in their order. */
  readonly words: readonly string[];
};

export type RecalledNotes = {
  /** Worth showing. */
  readonly notes: readonly Recalled[];
  /** Worth a line: they fit too little to be shown. */
  readonly maybe: readonly Recalled[];
};

/**
 * The best first (relevance, score, updated_at, id), at most k of both together. Costs in proportion to the notes that hold
 * the rarer words of the prompt, whatever its length.
 */
export const recallNotes = (database: Database.Database, query: RecallQuery, meaning?: ByMeaning): RecalledNotes =>
  chooseNotes(database, judgeWith(database, query, meaning), query.k);

/** Of notes that were judged, by the store's thresholds for the rule that judged them. */
export const chooseNotes = (
  database: Database.Database,
  { notes, rule, words }: JudgedBy,
  k: number,
): RecalledNotes => {
  const { sure, maybe } = readThresholds(database, rule);
  const judged = notes.filter(({ relevance }) => relevance >= maybe);
  const close = judged.filter(({ relevance }) => relevance >= shareOfBest * (judged[0]?.relevance ?? 0));
  const shown = close.filter(({ relevance }) => relevance >= sure).slice(0, Math.max(0, k));
  const named = new Set(
    words.flatMap(({ word, isName, notes }) => (isName === true && notes <= maxOfName ? [word] : [])),
  );
  const others =
    close.length > 0
      ? close.filter(({ relevance }) => relevance < sure)
      : notes.filter((note) => note.words.some((word) => named.has(word))).slice(0, 1);
  return {
    notes: shown.map(toRecalled),
    maybe: others.slice(0, Math.max(0, Math.min(maxMaybe, k - shown.length))).map(toRecalled),
  };
};

/** A note that fits half as well as the best one is noise beside it. */
const shareOfBest = 0.5;
const maxMaybe = 2;
/** A name from code that stands in more notes says little about one of them. */
const maxOfName = 2;

const toRecalled = ({ row, score, relevance, words }: Judged): Recalled => ({
  note: toIndexedNote(row),
  score: -score,
  relevance,
  words,
});
