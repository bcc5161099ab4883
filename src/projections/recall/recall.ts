/** From a prompt to the few notes that are worth showing, or worth a line, unasked. */
import type Database from 'better-sqlite3';
import { type IndexedNote, toIndexedNote } from '../index/query.js';
import { type ByMeaning, type JudgedBy, type JudgedNote, type JudgedPrompt, judgeWith } from './judging.js';
import { readThresholds } from './thresholds.js';

export type RecallQuery = JudgedPrompt & { readonly k: number };

export type RecallHit = {
  readonly note: IndexedNote;
  /** BM25 of the rare words, sign flipped: comparable within one answer only. */
  readonly score: number;
  /** Comparable across prompts of one store: from its threshold to below 1. */
  readonly relevance: number;
  /** Words of the prompt that the note contains, in order. */
  readonly words: readonly string[];
};

export type RecalledNotes = {
  /** Worth showing. */
  readonly notes: readonly RecallHit[];
  /** Worth a line: they fit too little to be shown. */
  readonly maybe: readonly RecallHit[];
};

/**
 * Best first (relevance, score, updated_at, id), at most k of both together. The cost is proportional to the number of
 * notes that contain the rarer words of the prompt, whatever its length.
 */
export const recallNotes = (database: Database.Database, query: RecallQuery, meaning?: ByMeaning): RecalledNotes =>
  chooseNotes(database, judgeWith(database, query, meaning), query.k);

/** Chooses among judged notes by the store's thresholds for the rule that judged them. */
export const chooseNotes = (database: Database.Database, { notes, rule }: JudgedBy, k: number): RecalledNotes => {
  const { sure, maybe } = readThresholds(database, rule);
  const judged = notes.filter(({ relevance }) => relevance >= maybe);
  const close = judged.filter(({ relevance }) => relevance >= shareOfBest * (judged[0]?.relevance ?? 0));
  const shown = close.filter(({ relevance }) => relevance >= sure).slice(0, Math.max(0, k));
  const others = close.filter(({ relevance }) => relevance < sure);
  return {
    notes: shown.map(toRecalled),
    maybe: others.slice(0, Math.max(0, Math.min(maxMaybe, k - shown.length))).map(toRecalled),
  };
};

/** A note that fits less than half as well as the best one is noise beside it. */
const shareOfBest = 0.5;
const maxMaybe = 2;

const toRecalled = ({ row, score, relevance, words }: JudgedNote): RecallHit => ({
  note: toIndexedNote(row),
  score: -score,
  relevance,
  words,
});
