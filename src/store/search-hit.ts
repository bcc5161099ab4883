/** Makes hits: ranked notes with a snippet and the reasons why they were found. */
import type { AboutQuery, SearchHit } from '../answers/note-schema.js';
import type { NoteId } from '../events/note/note.js';
import type { FusedNote } from '../projections/search/hybrid.js';
import { queryCoverage } from '../projections/search/query-coverage.js';
import type { Ranking } from '../projections/search/search.js';
import { type Snippet, showWords, snippetFrom } from '../projections/search/snippet.js';
import { splitWords } from '../projections/search/words.js';
import { indexedNoteJson } from './note-json.js';
import type { ReadNote } from './note-texts.js';

export type { SearchHit };

export const scoresOf = ({ parts, projectWeight, legs, ranks }: FusedNote): SearchHit['scores'] =>
  parts === undefined && legs === undefined && ranks === undefined
    ? undefined
    : {
        ...(parts === undefined
          ? {}
          : { bm25: rounded(parts.bm25), nearness: rounded(parts.nearness), prior: rounded(parts.prior) }),
        ...(projectWeight === undefined ? {} : { project_weight: projectWeight }),
        ...keyed('keyword_rank', legs?.keywordRank ?? ranks?.keyword),
        ...keyed('cosine', legs?.cosine ?? ranks?.cosine),
        ...(legs === undefined ? {} : { cover: rounded(legs.cover), meaning: rounded(legs.nearness) }),
      };

const keyed = <Key extends string>(
  key: Key,
  value: number | undefined,
): { readonly [Name in Key]?: number } | object => (value === undefined ? {} : { [key]: rounded(value) });

/** Keeps six significant digits: in a store of one note every word is in all notes, and BM25 is a millionth. */
const rounded = (value: number): number => Number(value.toPrecision(6));

export const makeHit = (
  { note, rank, score, legs, ranks, insteadOf }: FusedNote,
  shortIds: ReadonlyMap<NoteId, string>,
  body: string,
  words: readonly string[],
  withMarks = true,
): { readonly hit: SearchHit; readonly isInBody: boolean } => {
  const lists = [...note.tags, ...note.keywords];
  const { snippet, marks, found, isInBody } = showWords({ title: note.title, body, lists }, words, withMarks);
  const hit = {
    ...indexedNoteJson(note, shortIds),
    ...(insteadOf === undefined ? {} : { instead_of: shortIds.get(insteadOf) ?? insteadOf }),
    snippet,
    ...marked(marks),
    rank,
    score: rounded(score),
    reasons: [...reasonsOf(rank, { legs, ranks }, found)],
  };
  return { hit, isInBody };
};

/** Returns the passage at an offset, for a hit better shown by it than by the part with the words. */
export const showPart = (body: string, at: number, words: readonly string[]): Pick<SearchHit, 'snippet' | 'marks'> => {
  const { snippet, marks } = snippetFrom(body, at, words);
  return { snippet, marks: marks.length === 0 ? undefined : marks };
};

const marked = (marks: Snippet['marks']): Pick<SearchHit, 'marks'> => (marks.length === 0 ? {} : { marks });

type Legs = { readonly [Part in 'legs' | 'ranks']: FusedNote[Part] | undefined };

const reasonsOf = (rank: number, { legs, ranks }: Legs, found: readonly string[]): SearchHit['reasons'] => {
  const words = found.length === 0 ? '' : `: ${found.join(', ')}`;
  const byWords = (at: number): string => `BM25 rank ${at}${words}`;
  if (ranks !== undefined)
    return [
      ...(ranks.keyword === undefined ? [] : [byWords(ranks.keyword)]),
      ...(ranks.cosine === undefined ? [] : [`meaning, cosine ${ranks.cosine.toFixed(2)}`]),
    ];
  if (legs === undefined) return [byWords(rank)];
  const meaning = `meaning ${legs.cover.toFixed(2)} and ${legs.nearness.toFixed(2)}`;
  if (legs.keywordRank !== undefined) return [byWords(legs.keywordRank), meaning];
  return [`${meaning}, nearest passage ${(legs.cosine ?? 0).toFixed(2)}`, ...(words === '' ? [] : [`words${words}`])];
};

export type FitFacts = {
  readonly text: string;
  readonly ranking: Ranking;
  readonly about: AboutQuery;
  /** The first by relevance, which may be on another page. */
  readonly best: FusedNote | undefined;
  /** The note whose words gave it that rank. */
  readonly source: (ReadNote & { readonly print: Uint32Array | undefined }) | undefined;
  /** Notes in the index. */
  readonly total: number;
};

/** A hit's score relative to the best one's, times the share of the query in that. By meaning alone, as it is. */
export const fitOf = ({ text, ranking, about, best, source, total }: FitFacts): ((hit: FusedNote) => number) => {
  if (about.mode === 'semantic') return ({ score }) => shareOf(score);
  // A note that meets conditions meets them fully.
  if (ranking.counted.length === 0 && best?.score === 0) return () => 1;
  if (best === undefined || source === undefined || !(best.score > 0)) return () => 0;
  const { note, body, print } = source;
  const { counted, corrections } = ranking;
  const held = queryCoverage({ counted, corrections, typed: splitWords(text), total }, { ...note, body, print });
  const share = isNamed(best) ? 1 : Math.max(held, best.ranks?.cosine ?? 0);
  return ({ score }) => shareOf((score / best.score) * share);
};

/** True when its id was asked for, not its words. */
const isNamed = ({ parts, legs, ranks }: FusedNote): boolean =>
  parts === undefined && legs === undefined && ranks === undefined;

const shareOf = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 100) / 100;
