/** From a prompt to the few notes that are worth showing unasked: candidates by their rare words, then the floor. */
import type Database from 'better-sqlite3';
import { prepared, preparedTexts } from '../index/prepared.js';
import {
  type Access,
  type Condition,
  filterCondition,
  type IndexedNote,
  joinConditions,
  liveCondition,
  type NoteColumns,
  noteColumns,
  toIndexedNote,
} from '../index/query.js';
import { plainExpression } from './expression.js';
import {
  type Place,
  type PromptWord,
  relevanceFloor,
  relevanceOf,
  type WeighedWord,
  weighWords,
  wordsOfPrompt,
} from './relevance.js';

export type RecallQuery = {
  readonly text: string;
  /** Only its notes and those of `global` are recalled. */
  readonly project: string;
  readonly k: number;
  /** Expired notes are left out as of this time. */
  readonly nowSeconds: number;
  readonly access?: Access;
  /** Ids of notes that this session was given already. */
  readonly exclude: ReadonlySet<string>;
};

export type Recalled = {
  readonly note: IndexedNote;
  /** BM25 of the rare words with its sign flipped: comparable within one answer only. */
  readonly score: number;
  /** Comparable across answers and stores: from the floor to below 1. */
  readonly relevance: number;
  /** Words of the prompt that the note holds, in their order. */
  readonly words: readonly string[];
};

/**
 * The best first (relevance, score, updated_at, id), at most k, none below the floor. Costs in proportion to the notes
 * that hold the rarer words of the prompt, whatever its length.
 */
export const recallNotes = (database: Database.Database, query: RecallQuery): readonly Recalled[] => {
  const typed = wordsOfPrompt(query.text);
  if (typed.length === 0) return [];
  const words = weighWords(countStems(database, typed), countAll(database).get()?.total ?? 0);
  const choosing = wordsThatChoose(words);
  if (choosing.length === 0) return [];
  const looked = wordsToLookFor(words);
  return findCandidates(database, query, plainExpression(choosing))
    .map((candidate) => {
      const places = words.map((word) =>
        looked.has(word) ? placeOf(database, word.word, candidate.rowid) : 'nowhere',
      );
      return { ...candidate, places, relevance: relevanceOf(words, places, candidate.units) };
    })
    .filter(({ relevance }) => relevance >= relevanceFloor)
    .toSorted((a, b) => b.relevance - a.relevance)
    .filter(({ relevance }, _, [best]) => relevance >= shareOfBest * (best?.relevance ?? 0))
    .slice(0, Math.max(0, query.k))
    .flatMap(({ rowid, score, relevance, places }) => {
      const row = selectRow(database).get(rowid);
      if (row === undefined) return [];
      const held = words.filter((_, at) => places[at] !== 'nowhere').map(({ word }) => word);
      return [{ note: toIndexedNote(row), score: -score, relevance, words: held }];
    });
};

/**
 * A candidate holds one of these: the rarest topical words as long as they bring few candidates, two in any case, then
 * everyday ones as far as there is room. None without a topical word: everyday ones alone never pass the floor.
 */
const wordsThatChoose = (words: readonly WeighedWord[]): readonly string[] => {
  const known = words
    .filter(({ notes }) => notes > 0)
    .toSorted((a, b) => Number(b.topical) - Number(a.topical) || a.notes - b.notes)
    .slice(0, mostChoosing);
  if (known[0]?.topical !== true) return [];
  const choosing: string[] = [];
  let brought = 0;
  for (const { word, topical, notes } of known) {
    if (brought + notes > candidateBudget && !(topical && choosing.length < leastChoosing)) continue;
    choosing.push(word);
    brought += notes;
  }
  return choosing;
};

const mostChoosing = 16;
const leastChoosing = 2;
const candidateBudget = 1200;

/** Where a word stands in a candidate is asked word by word, so only the heaviest of a long prompt are looked for. */
const wordsToLookFor = (words: readonly WeighedWord[]): ReadonlySet<WeighedWord> =>
  new Set(
    words
      .filter(({ notes }) => notes > 0)
      .toSorted((a, b) => b.weight - a.weight)
      .slice(0, mostLooked),
  );

/** A note that fits half as well as the best one is noise beside it. */
const shareOfBest = 0.5;

const mostLooked = 32;
const mostCandidates = 12;

type Candidate = { readonly rowid: number; readonly score: number; readonly units: number };

const findCandidates = (
  database: Database.Database,
  { project, nowSeconds, access, exclude }: RecallQuery,
  expression: string,
): readonly Candidate[] => {
  const { sql, args }: Condition = joinConditions([
    liveCondition(nowSeconds),
    filterCondition({ user: access?.user, workspace: access?.workspace }),
    { sql: 'n.project IN (?, ?)', args: [project, 'global'] },
    { sql: 'n.id NOT IN (SELECT value FROM json_each(?))', args: [JSON.stringify([...exclude])] },
  ]);
  return candidates(
    database,
    `SELECT fts.rowid AS rowid, bm25(fts, 2.0, 1.0, 1.5, 1.0) AS score, n.units AS units
     FROM fts CROSS JOIN notes n ON n.rowid = fts.rowid WHERE fts MATCH ? AND ${sql}
     ORDER BY score, n.updated_at DESC, n.id DESC LIMIT ?`,
  ).all(expression, ...args, mostCandidates);
};

const placeOf = (database: Database.Database, word: string, rowid: number): Place => {
  const phrase = plainExpression([word]);
  if (holds(database).get(phrase, rowid) === undefined) return 'nowhere';
  return holds(database).get(`{title tags keywords} : ${phrase}`, rowid) === undefined ? 'body' : 'head';
};

/**
 * In how many notes each word's stem stands, one word per stem. FTS5 itself does the stemming: the words go through a
 * small table with the index's tokenizer, and come back as the terms that the vocabulary knows.
 */
const countStems = (database: Database.Database, words: readonly string[]): readonly PromptWord[] => {
  const { clear, insert, terms, count } = stemmer(database);
  clear.run();
  words.forEach((word, at) => {
    insert.run(at + 1, word);
  });
  const stems = new Map<string, string>();
  for (const { doc, term } of terms.all()) {
    const word = words[doc - 1];
    if (word !== undefined && !stems.has(term)) stems.set(term, word);
  }
  return [...stems].map(([stem, word]) => ({ word, stem, notes: count.get(stem)?.doc ?? 0 }));
};

type Stemmer = {
  readonly clear: Database.Statement;
  readonly insert: Database.Statement<[number, string]>;
  readonly terms: Database.Statement<[], { doc: number; term: string }>;
  readonly count: Database.Statement<[string], { doc: number }>;
};

const stemmers = new WeakMap<Database.Database, Stemmer>();

const stemmer = (database: Database.Database): Stemmer => {
  const known = stemmers.get(database);
  if (known !== undefined) return known;
  database.exec(`
    CREATE VIRTUAL TABLE temp.prompt_words USING fts5(word, tokenize = 'porter unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE temp.prompt_terms USING fts5vocab(temp, prompt_words, instance);`);
  const made: Stemmer = {
    clear: database.prepare('DELETE FROM temp.prompt_words'),
    insert: database.prepare('INSERT INTO temp.prompt_words (rowid, word) VALUES (?, ?)'),
    terms: database.prepare('SELECT doc, term FROM temp.prompt_terms ORDER BY doc, offset'),
    count: database.prepare('SELECT doc FROM terms WHERE term = ?'),
  };
  stemmers.set(database, made);
  return made;
};

const candidates = preparedTexts<(string | number)[], Candidate>();
// better-sqlite3 binds numbers as REAL, and FTS5 passes over a rowid that is not an INTEGER: every row would match.
const holds = prepared<[string, number], { found: number }>(
  'SELECT 1 AS found FROM fts WHERE fts MATCH ? AND rowid = CAST(? AS INTEGER)',
);
const countAll = prepared<[], { total: number }>('SELECT count(*) AS total FROM notes');
const selectRow = prepared<[number], NoteColumns>(`SELECT ${noteColumns} FROM notes n WHERE rowid = ?`);
