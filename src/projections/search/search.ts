/** Free-text search over the index: BM25 with column weights, newest first on ties. */
import type Database from 'better-sqlite3';
import type { NoteId } from '../../events/note/note.js';
import { type IndexedNote, type NoteFilter, toIndexedNote } from '../index/query.js';
import { countAllNotes, noteAtRow } from '../index/rows.js';
import { preparedTexts } from '../prepared.js';
import { printWordOf, stemOf } from '../prints/print.js';
import { readPrints } from '../prints/read-prints.js';
import { queryParts } from '../word-parts.js';
import { candidatesOf, newestOf } from './candidates.js';
import { asInNotes, buildExpression, type CountedWord, type Expression, plainExpression } from './expression.js';
import type { Correction } from './fuzzy/corrections.js';
import type { QueryRequirements } from './query/parse-query.js';
import { excluding, matchAsked } from './query/requirements.js';
import { countWords, readQueryWords } from './query-words.js';
import { countNew, lookedAt, rankHits, type ScoredRow, successorsOf, withSuccessors } from './rank-hits.js';
import { formScores, nearnessOf } from './word-scores.js';
import { contentWords, dropStopWords, splitWords } from './words.js';

export type SearchQuery = {
  readonly text: string;
  readonly filter: NoteFilter;
  readonly k: number;
  readonly offset?: number | undefined;
  readonly nowSeconds: number;
  /** Considers only notes with one of the rarer words, however few of them pass the filter, to limit the time. */
  readonly rarerOnly?: boolean | undefined;
  /** Scores every note with any word, stop words too: the slow query that search is measured against. */
  readonly plain?: boolean | undefined;
  /** Words in no note are corrected; otherwise they are left as typed. */
  readonly isFuzzy?: boolean | undefined;
  /** A project whose notes come before others that are about as good. */
  readonly preferred?: string | undefined;
  readonly asked?: QueryRequirements | undefined;
  /** The same question in other words, which count half. */
  readonly also?: readonly string[] | undefined;
  /** If words alone are asked for, a superseded note that contains them is answered by the one that replaced it. */
  readonly successors?: boolean | undefined;
};

export type RankedNote = {
  readonly note: IndexedNote;
  /** From 1. */
  readonly rank: number;
  /** (BM25 with its sign flipped + nearness) x prior: greater is better. Comparable within one answer only. */
  readonly score: number;
  /** Before projects and meanings: (bm25 + nearness) x prior; undefined if notes are listed without words. */
  readonly parts?: { readonly bm25: number; readonly nearness: number; readonly prior: number };
  readonly projectWeight?: number;
  /** The superseded note whose words rank it here. */
  readonly insteadOf?: NoteId;
};

export type Ranking = {
  readonly hits: readonly RankedNote[];
  /** Notes that contain a choosing word and pass the filter: at least the number of hits. */
  readonly total: number;
  /** Words of the query that were asked for, and their other forms. */
  readonly words: readonly string[];
  /** Corrected words, as they were typed. */
  readonly corrections: readonly Correction[];
  /** The words with their counts, and the expression that chose the notes, for `explainRanking`. */
  readonly counted: readonly CountedWord[];
  readonly match: string;
};

type Ranked = Omit<Ranking, 'corrections'>;

/** Weights of title, body, tags, keywords and word parts in bm25(). */
const columnWeights = '2.0, 1.0, 1.5, 1.0, 0.25';

/** The cost is proportional to the number of notes that contain the rarer words; see `buildExpression`. */
export const searchNotes = (database: Database.Database, query: SearchQuery): Ranking => {
  const typed = splitWords(query.text);
  if (query.plain === true) {
    const uncounted = typed.map((word) => ({ word, notes: 0 }));
    const inText = `{title body tags keywords} : (${plainExpression(typed)})`;
    return { ...rankBy(database, query, uncounted, once(typed.length === 0 ? '' : inText)), corrections: [] };
  }
  const { words, corrections } = readQueryWords(database, contentWords(typed), queryParts(query.text, maxParts), query);
  const all = [...words, ...otherWords(database, words, query.also ?? [])];
  const { asked } = query;
  if (asked === undefined) return { ...rankByRarer(database, query, all), corrections };
  const match = matchAsked(database, asked, all);
  if (match !== undefined) return { ...rankBy(database, query, all.map(withoutForms), once(match)), corrections };
  if (all.length === 0) return { ...newest(database, query), corrections };
  return { ...rankByRarer(database, query, all), corrections };
};

/** Ranks one project's notes before equally good ones of others, unless the query asks for one project alone. */
export const searchPreferring = (
  database: Database.Database,
  query: SearchQuery,
  preferred: string | undefined,
): Ranking => searchNotes(database, query.filter.project === undefined ? { ...query, preferred } : query);

/** Expressions ask for the words themselves, so their other forms must not be scored either. */
const withoutForms = ({ forms: _, ...word }: CountedWord): CountedWord => word;

const once = (text: string): Expression => ({ text, times: 1 });

const otherWords = (
  database: Database.Database,
  words: readonly CountedWord[],
  also: readonly string[],
): readonly CountedWord[] => {
  const known = new Set(words.map(({ word }) => word));
  // A form of an asked word is asked for already, and counts half.
  const forms = new Set(words.flatMap((word) => (word.forms ?? []).map((form) => stemOf(printWordOf(form.word)))));
  const others = dropStopWords(splitWords(also.join(' '))).filter(
    (word) => !known.has(word) && !forms.has(stemOf(printWordOf(word))),
  );
  return countWords(database, others).map((counted) => ({ ...counted, isOther: true }));
};

/** All notes that pass the filter, newest first, if nothing else was asked for. */
const newest = (database: Database.Database, query: SearchQuery): Ranked => {
  const first = query.offset ?? 0;
  const { rowids, total } = newestOf(database, query, query.k, first);
  const hits = rowids.flatMap((rowid, at) => {
    const row = noteAtRow(database, rowid);
    return row === undefined ? [] : [{ note: toIndexedNote(row), rank: first + at + 1, score: 0 }];
  });
  return { hits, total, words: [], counted: [], match: '' };
};

const rankByRarer = (database: Database.Database, query: SearchQuery, words: readonly CountedWord[]): Ranked => {
  const expression = buildExpression(words);
  if (expression === undefined) return emptyRanking(words);
  const withExclusions = ({ text, times }: Expression): Expression => ({
    text: query.asked === undefined ? text : excluding(database, text, query.asked),
    times,
  });
  const ranking = rankBy(database, query, words, withExclusions(expression.chosen));
  // A word that is rare in the whole store may be missing from the filtered part: then every word chooses.
  const enough = query.rarerOnly === true || expression.all === expression.chosen || ranking.total >= fewFound;
  return enough ? ranking : rankBy(database, query, words, withExclusions(expression.all));
};

/** As many as two pages of hits consider; the same for every page, so that none repeats a hit of another. */
const fewFound = 64;

const rankBy = (
  database: Database.Database,
  query: SearchQuery,
  words: readonly CountedWord[],
  { text: expression, times }: Expression,
): Ranked => {
  if (expression === '') return emptyRanking(words);
  const first = query.offset ?? 0;
  const order = { wanted: first + query.k, preferred: query.preferred };
  const from = candidatesOf(query);
  const args = [expression, ...from.args];
  const wanted = Math.max(query.plain === true ? 0 : maxReranked, lookedAt(order));
  const scored = scoreBest(database, from.sql, args, { times, wanted });
  const total = scored[0]?.total ?? 0;
  const reranked = query.plain === true ? scored : rerank(database, words, scored);
  const replacing =
    query.successors === true && query.asked === undefined
      ? successorsOf(database, { ...query, match: expression, times, columns: columnWeights })
      : [];
  const merged = withSuccessors(reranked, replacing);
  const hits = rankHits(database, merged, { ...order, weighed: reranked === scored ? 0 : maxReranked })
    .slice(first)
    .flatMap(({ rowid, rank, score, nearness = 0, prior = 1, projectWeight, insteadOf }) => {
      const row = noteAtRow(database, rowid);
      if (row === undefined) return [];
      const ofWords = score / (projectWeight ?? 1);
      return [
        {
          note: toIndexedNote(row),
          rank,
          score,
          parts: { bm25: ofWords / prior - nearness, nearness, prior },
          ...(projectWeight === undefined ? {} : { projectWeight }),
          ...(insteadOf === undefined ? {} : { insteadOf }),
        },
      ];
    });
  return { ...emptyRanking(words), hits, total: total + countNew(scored, replacing), match: expression };
};

/** A scored note, with the number of all notes found. */
type CandidateRow = ScoredRow & { readonly total: number };

/** The best by BM25, and some more. Of equal scores at a limit the newest are kept, and get their nearness. */
const scoreBest = (
  database: Database.Database,
  from: string,
  args: readonly (string | number)[],
  { times, wanted }: { readonly times: number; readonly wanted: number },
): readonly CandidateRow[] => {
  const limit = wanted + maxTies;
  // Counted while scoring: finding them all again takes three times as long as keeping them.
  const all = `WITH s AS MATERIALIZED
    (SELECT fts.rowid AS rowid, -bm25(fts, ${columnWeights}) / ${times} AS score ${from})
    SELECT s.rowid AS rowid, s.score AS score, (SELECT count(*) FROM s) AS total FROM s`;
  const scored = ranked(database, `${all} ORDER BY score DESC LIMIT ?`).all(...args, limit);
  const areTied = (at: number, other: number): boolean =>
    scored[other] !== undefined && scored[at]?.score === scored[other]?.score;
  if (!areTied(maxReranked - 1, maxReranked) && !areTied(wanted - 1, limit - 1)) return scored;
  return ranked(
    database,
    `${all} CROSS JOIN notes m ON m.rowid = s.rowid
     ORDER BY s.score DESC, m.updated_at DESC, m.id DESC LIMIT ?`,
  ).all(...args, limit);
};

const emptyRanking = (words: readonly CountedWord[]): Ranked => ({
  hits: [],
  total: 0,
  words: words.flatMap(({ word, forms = [] }) => [word, ...forms.map((form) => form.word)]),
  counted: words,
  match: '',
});

/** Parts of a query that are asked for; in a long text they say less than its words. */
const maxParts = 64;
/** Number of the best by BM25 that are reordered by the nearness of their words; others stay behind them. */
const maxReranked = 50;

const rerank = (
  database: Database.Database,
  words: readonly CountedWord[],
  scored: readonly ScoredRow[],
): readonly ScoredRow[] => {
  const best = scored.slice(0, maxReranked);
  if (best.length === 0) return scored;
  const prints = readPrints(
    database,
    best.map(({ rowid }) => rowid),
  );
  const own = words.filter(({ isOther }) => isOther !== true).flatMap(asInNotes);
  const total = countAllNotes(database);
  const read = best.map(({ rowid }) => prints.get(rowid));
  const nearness = nearnessOf(own, total, read);
  const inForms = formScores(own, total, read);
  const again = best.map(({ rowid, score }, at) => {
    const near = nearness[at] ?? 0;
    return { rowid, score: score + (inForms[at] ?? 0) + near, nearness: near };
  });
  return [...again.toSorted((a, b) => b.score - a.score), ...scored.slice(maxReranked)];
};

/** Hits fetched beyond the last one wanted, so that ties around it can be put in order. */
const maxTies = 24;

const ranked = preparedTexts<(string | number)[], CandidateRow>();
