/** From a prompt to the few notes that are worth showing unasked: candidates by their rare words, then the floor. */
import type Database from 'better-sqlite3';
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
import { prepared, preparedTexts } from '../prepared.js';
import { plainExpression } from './expression.js';
import {
  isEveryday,
  type Place,
  type PromptWord,
  relevanceFloor,
  relevanceOf,
  type WeighedWord,
  weighWords,
  wordsOfPrompt,
} from './relevance.js';
import { countNotesWith, readStems } from './stems.js';

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
  const words = weighWords(readPrompt(database, query.text), countAll(database).get()?.total ?? 0);
  const choosing = wordsThatChoose(words);
  if (choosing.length === 0) return [];
  return judge(database, words, findCandidates(database, query, plainExpression(choosing)))
    .filter(({ relevance }) => relevance >= relevanceFloor)
    .toSorted((a, b) => b.relevance - a.relevance)
    .filter(({ relevance }, _, [best]) => relevance >= shareOfBest * (best?.relevance ?? 0))
    .slice(0, Math.max(0, query.k))
    .flatMap(({ rowid, score, relevance, held }) => {
      const row = selectRow(database).get(rowid);
      return row === undefined ? [] : [{ note: toIndexedNote(row), score: -score, relevance, words: held }];
    });
};

/** A note that fits half as well as the best one is noise beside it. */
const shareOfBest = 0.5;

/**
 * A candidate holds one of these: the rarest topical words as long as they bring few candidates, and up to two in any
 * case where a note without the others could pass the floor. None when no note could.
 */
const wordsThatChoose = (words: readonly WeighedWord[]): readonly string[] => {
  const couldPassWithout = (left: readonly string[]): boolean => {
    const places = words.map((word) => (isKnown(word) && !left.includes(word.word) ? 'head' : 'nowhere'));
    return relevanceOf(words, places, 0) >= relevanceFloor;
  };
  const rarest = words
    .flatMap((word) => (word.kind === 'topical' && word.notes > 0 ? [word] : []))
    .toSorted((a, b) => a.notes - b.notes)
    .slice(0, maxChoosing);
  if (!couldPassWithout([])) return [];
  const choosing: string[] = [];
  let brought = 0;
  for (const { word, notes } of rarest) {
    brought += notes;
    if (brought > candidateBudget && (choosing.length >= leastChoosing || !couldPassWithout(choosing))) break;
    choosing.push(word);
  }
  return choosing;
};

/** Everyday words are not counted, so they may stand anywhere. */
const isKnown = (word: WeighedWord): boolean => word.kind === 'everyday' || word.notes > 0;

const maxChoosing = 16;
const leastChoosing = 2;
const candidateBudget = 1200;

type Candidate = { readonly rowid: number; readonly score: number; readonly units: number };

type Judged = Candidate & { readonly relevance: number; readonly held: readonly string[] };

/** Without those that would not pass the floor even if their heads held all that they hold. */
const judge = (
  database: Database.Database,
  words: readonly WeighedWord[],
  candidates: readonly Candidate[],
): readonly Judged[] => {
  const holders = findHolders(database, wordsToLookFor(words), candidates, '');
  const heldBy = ({ rowid }: Candidate): readonly WeighedWord[] =>
    words.filter(({ word }) => holders.get(word)?.has(rowid) === true);
  const promising = candidates.filter((candidate) => {
    const held = new Set(heldBy(candidate));
    const places = words.map((word) => (held.has(word) ? 'head' : 'nowhere'));
    return relevanceOf(words, places, candidate.units) >= relevanceFloor;
  });
  const titled = findHolders(database, [...new Set(promising.flatMap(heldBy))], promising, headColumns);
  return promising.map((candidate) => {
    const { rowid, units } = candidate;
    const placeOf = (word: string): Place =>
      holders.get(word)?.has(rowid) !== true ? 'nowhere' : titled.get(word)?.has(rowid) === true ? 'head' : 'body';
    const places = words.map(({ word }) => placeOf(word));
    return {
      ...candidate,
      relevance: relevanceOf(words, places, units),
      held: heldBy(candidate).map(({ word }) => word),
    };
  });
};

const headColumns = '{title tags keywords} : ';

/** Looking for a word takes a quarter of a millisecond: of a long prompt the heaviest are looked for, rare and common. */
const wordsToLookFor = (words: readonly WeighedWord[]): readonly WeighedWord[] => {
  const known = words.filter(isKnown).toSorted((a, b) => b.weight - a.weight);
  const rare = known.filter((word) => word.kind === 'topical' && word.notes <= candidateBudget).slice(0, maxRare);
  return [...rare, ...known.filter((word) => !rare.includes(word)).slice(0, maxCommon)];
};

const maxRare = 16;
const maxCommon = 6;
const maxCandidates = 16;

/** Which of the candidates hold each word, by row. */
const findHolders = (
  database: Database.Database,
  words: readonly WeighedWord[],
  candidates: readonly Candidate[],
  columns: string,
): ReadonlyMap<string, ReadonlySet<number>> => {
  const rowids = JSON.stringify(candidates.map(({ rowid }) => rowid));
  return new Map(
    words.map((word) => {
      const isShort = word.kind === 'topical' && word.notes <= shortList;
      const rows = (isShort ? sieve : lookUp)(database).all(`${columns}${plainExpression([word.word])}`, rowids);
      return [word.word, new Set(rows.map(({ rowid }) => rowid))];
    }),
  );
};

/** A list of so many notes is sooner read through than asked for each candidate. */
const shortList = 4000;

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
    `SELECT fts.rowid AS rowid, bm25(fts, 2.0, 1.0, 1.5, 1.0, 0.25) AS score, n.units AS units
     FROM fts CROSS JOIN notes n ON n.rowid = fts.rowid WHERE fts MATCH ? AND ${sql}
     ORDER BY score, n.updated_at DESC, n.id DESC LIMIT ?`,
  ).all(expression, ...args, maxCandidates);
};

/** One word per stem; of the topical ones it is counted how many notes hold it. */
const readPrompt = (database: Database.Database, text: string): readonly PromptWord[] => {
  const words = wordsOfPrompt(text);
  return readStems(database, words).map(({ stem, at }) => {
    const word = words[at] ?? '';
    return isEveryday(stem)
      ? { kind: 'everyday', word }
      : { kind: 'topical', word, notes: countNotesWith(database, stem) };
  });
};

const candidates = preparedTexts<(string | number)[], Candidate>();
// FTS5 looks a row up that is compared as it is; one behind a plus is compared after reading.
const lookUp = prepared<[string, string], { rowid: number }>(
  'SELECT rowid FROM fts WHERE fts MATCH ? AND rowid IN (SELECT value FROM json_each(?))',
);
const sieve = prepared<[string, string], { rowid: number }>(
  'SELECT rowid FROM fts WHERE fts MATCH ? AND +rowid IN (SELECT value FROM json_each(?))',
);
const countAll = prepared<[], { total: number }>('SELECT count(*) AS total FROM notes');
const selectRow = prepared<[number], NoteColumns>(`SELECT ${noteColumns} FROM notes n WHERE rowid = ?`);
