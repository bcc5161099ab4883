/** From a prompt to the few notes worth showing, or worth a line, unasked: by its rare words, then by fit. */
import type Database from 'better-sqlite3';
import {
  type Access,
  type Condition,
  filterCondition,
  type IndexedNote,
  joinConditions,
  liveCondition,
  type NoteColumns,
  toIndexedNote,
} from '../index/query.js';
import { noteAtRow } from '../index/rows.js';
import { type Owner, offeredCondition } from '../index/trust.js';
import { preparedTexts } from '../prepared.js';
import { readPrints } from '../prints/read-prints.js';
import { plainExpression } from '../search/expression.js';
import { fitNotes, type Signs } from './prompt-fit.js';
import { type ReadPrompt, readPrompt, type WeighedWord } from './prompt-words.js';
import { type Rule, readThresholds, wordsRule } from './thresholds.js';

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

/** Best first (relevance, score, updated_at, id), at most k. The cost grows with the notes that have its rare words. */
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
export type JudgedPrompt = {
  readonly text: string;
  /** Only its notes and those of `global` are considered. */
  readonly project: string;
  /** Notes that have expired by this time are left out. */
  readonly nowSeconds: number;
  readonly access?: Access;
  readonly owner?: Owner;
  /** Ids of notes that this session has been given before. */
  readonly exclude: ReadonlySet<string>;
};

export type JudgedNote = {
  readonly row: NoteColumns;
  readonly score: number;
  readonly relevance: number;
  readonly words: readonly string[];
  readonly signs: Signs;
};

export type Judgement = ReadPrompt & {
  /** Best first, however little they fit. */
  readonly notes: readonly JudgedNote[];
};

export type JudgedBy = Judgement & { readonly rule: Rule };

export type ByMeaning = {
  readonly rule: Rule;
  /** Undefined if it takes too long: then the judgement by words holds. */
  readonly judgeAgain: (judgement: Judgement, text: string) => JudgedBy | undefined;
};

/** Judges by meaning if `meaning` is given and there is time for it, else by words. */
export const judgeWith = (
  database: Database.Database,
  prompt: JudgedPrompt,
  meaning: ByMeaning | undefined,
): JudgedBy => {
  const judgement = judgeNotes(database, prompt);
  return meaning?.judgeAgain(judgement, prompt.text) ?? byWords(judgement);
};

export const byWords = (judgement: Judgement): JudgedBy => ({ ...judgement, rule: wordsRule });

/** Whether any note fits well enough by words for its meaning to matter. */
export const isWorthReading = ({ notes }: Judgement): boolean => (notes[0]?.relevance ?? 0) >= leastByWords;

/** Least relevance by words: below it, meaning hardly ever makes a note worth showing, and no model is needed. */
export const leastByWords = 0.03;

export const judgeNotes = (database: Database.Database, prompt: JudgedPrompt): Judgement => {
  const { words, total } = readPrompt(database, prompt);
  const choosing = wordsThatChoose(words);
  if (choosing.length === 0) return { words, total, notes: [] };
  const found = findCandidates(database, prompt, plainExpression(choosing));
  const prints = readPrints(
    database,
    found.map(({ rowid }) => rowid),
  );
  const candidates = found.flatMap(({ rowid, score }) => {
    const row = noteAtRow(database, rowid);
    return row === undefined ? [] : [{ row, score, title: row.title, print: prints.get(rowid) }];
  });
  const fits = fitNotes(words, total, candidates);
  const notes = candidates
    .flatMap(({ row, score }, at): readonly JudgedNote[] => {
      const { relevance = 0, held = [], signs } = fits[at] ?? {};
      if (signs === undefined || relevance <= 0) return [];
      return [{ row, score, relevance, signs, words: held.map((word) => words[word]?.word ?? '') }];
    })
    .toSorted((a, b) => b.relevance - a.relevance);
  return { words, total, notes };
};

/** A candidate contains one of these: the rarest topical words while they find few, and up to two in any case. */
const wordsThatChoose = (words: readonly WeighedWord[]): readonly string[] => {
  const rarest = words
    .filter(({ kind, notes }) => kind === 'topical' && notes > 0)
    .toSorted((a, b) => a.notes - b.notes)
    .slice(0, maxChoosing);
  const choosing: string[] = [];
  let brought = 0;
  for (const { word, notes, forms = [] } of rarest) {
    brought += notes;
    if (brought > candidateBudget && choosing.length >= leastChoosing) break;
    choosing.push(word, ...forms.map((form) => form.word));
  }
  return choosing;
};

const maxChoosing = 16;
const leastChoosing = 2;
const candidateBudget = 1200;
const maxCandidates = 40;

type Candidate = { readonly rowid: number; readonly score: number };

const findCandidates = (
  database: Database.Database,
  { project, nowSeconds, access, owner, exclude }: JudgedPrompt,
  expression: string,
): readonly Candidate[] => {
  const { sql, args }: Condition = joinConditions([
    liveCondition(nowSeconds),
    offeredCondition(owner),
    filterCondition({ user: access?.user, workspace: access?.workspace }),
    { sql: 'n.project IN (?, ?)', args: [project, 'global'] },
    { sql: 'n.id NOT IN (SELECT value FROM json_each(?))', args: [JSON.stringify([...exclude])] },
  ]);
  return candidates(
    database,
    `SELECT fts.rowid AS rowid, bm25(fts, 2.0, 1.0, 1.5, 1.0, 0.25) AS score
     FROM fts CROSS JOIN notes n ON n.rowid = fts.rowid WHERE fts MATCH ? AND ${sql}
     ORDER BY score, n.updated_at DESC, n.id DESC LIMIT ?`,
  ).all(expression, ...args, maxCandidates);
};

const candidates = preparedTexts<(string | number)[], Candidate>();
