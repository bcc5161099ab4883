/** Free-text search over the index: BM25 with column weights, newest first on ties. */
import type Database from 'better-sqlite3';
import {
  filterCondition,
  type IndexedNote,
  joinConditions,
  liveCondition,
  type NoteColumns,
  type NoteFilter,
  noteColumns,
  toIndexedNote,
} from '../index/query.js';
import { prepared, preparedTexts } from '../index/prepared.js';
import { buildExpression, type CountedWord, plainExpression } from './expression.js';
import { contentWords, splitWords } from './words.js';

export type SearchQuery = {
  readonly text: string;
  readonly filter: NoteFilter;
  readonly k: number;
  readonly offset?: number | undefined;
  /** Expired notes are left out as of this time. */
  readonly nowSeconds: number;
  /** Scores every note with any word, stop words too: the slow query that search is measured against. */
  readonly plain?: boolean | undefined;
};

export type RankedNote = {
  readonly note: IndexedNote;
  /** From 1. */
  readonly rank: number;
  /** BM25 with its sign flipped: greater is better. Comparable within one answer only. */
  readonly score: number;
};

export type Ranking = {
  readonly hits: readonly RankedNote[];
  /** Notes that hold a choosing word and pass the filter: at least the number of hits. */
  readonly total: number;
  /** Words of the query that were asked for. */
  readonly words: readonly string[];
};

/** Weights of title, body, tags and keywords in bm25(). */
const columnWeights = '2.0, 1.0, 1.5, 1.0';

/** Costs in proportion to the notes that hold the rarer words; see `buildExpression`. */
export const searchNotes = (database: Database.Database, query: SearchQuery): Ranking => {
  const typed = splitWords(query.text);
  const words = query.plain === true ? typed : contentWords(typed);
  const expression = query.plain === true ? plainExpression(words) : buildExpression(countWords(database, words))?.text;
  if (expression === undefined || expression === '') return { hits: [], total: 0, words };
  const { sql, args } = joinConditions([liveCondition(query.nowSeconds), filterCondition(query.filter)]);
  const rows = ranked(
    database,
    `WITH scored AS MATERIALIZED (
       SELECT n.rowid AS rowid, n.id AS id, n.updated_at AS updated_at, bm25(fts, ${columnWeights}) AS score
       FROM fts CROSS JOIN notes n ON n.rowid = fts.rowid
       WHERE fts MATCH ? AND ${sql})
     SELECT rowid, score, count(*) OVER () AS total FROM scored
     ORDER BY score, updated_at DESC, id DESC LIMIT ? OFFSET ?`,
  ).all(expression, ...args, query.k, query.offset ?? 0);
  const byRowid = selectRow(database);
  const hits = rows.flatMap(({ rowid, score }, at) => {
    const row = byRowid.get(rowid);
    if (row === undefined) return [];
    return [{ note: toIndexedNote(row), rank: (query.offset ?? 0) + at + 1, score: -score }];
  });
  return { hits, total: rows[0]?.total ?? 0, words };
};

type Scored = { readonly rowid: number; readonly score: number; readonly total: number };

/**
 * In how many notes each word's stem stands. FTS5 itself does the stemming: the words go through a small table with the
 * index's tokenizer, and come back as the terms that the vocabulary knows.
 */
const countWords = (database: Database.Database, words: readonly string[]): readonly CountedWord[] => {
  const { clear, insert, terms, count } = stemmer(database);
  clear.run();
  words.forEach((word, at) => {
    insert.run(at + 1, word);
  });
  const notes = words.map(() => 0);
  const seen = new Set<string>();
  for (const { doc, term } of terms.all()) {
    // Two words with one stem would count twice.
    if (seen.has(term)) continue;
    seen.add(term);
    const held = count.get(term)?.doc ?? 0;
    notes[doc - 1] = notes[doc - 1] === 0 ? held : Math.min(notes[doc - 1] ?? 0, held);
  }
  return words.map((word, at) => ({ word, notes: notes[at] ?? 0 }));
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
    CREATE VIRTUAL TABLE temp.query_words USING fts5(word, tokenize = 'porter unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE temp.query_terms USING fts5vocab(temp, query_words, instance);`);
  const made: Stemmer = {
    clear: database.prepare('DELETE FROM temp.query_words'),
    insert: database.prepare('INSERT INTO temp.query_words (rowid, word) VALUES (?, ?)'),
    terms: database.prepare('SELECT doc, term FROM temp.query_terms ORDER BY doc, offset'),
    count: database.prepare('SELECT doc FROM terms WHERE term = ?'),
  };
  stemmers.set(database, made);
  return made;
};

const ranked = preparedTexts<(string | number)[], Scored>();
const selectRow = prepared<[number], NoteColumns>(`SELECT ${noteColumns} FROM notes n WHERE rowid = ?`);
