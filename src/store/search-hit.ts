/** A ranked note with what shows why it was found. */
import type { SearchHit } from '../answers/note-schema.js';
import type { NoteId } from '../events/note/note.js';
import type { FusedNote } from '../projections/search/fusion.js';
import { makeSnippet, wordsInText } from '../projections/search/snippet.js';
import { indexedNoteJson } from './note-json.js';

export type { SearchHit };

/** The parts that a hit's place came from, for `explain`. */
export const scoresOf = ({ parts, projectWeight, legs, ranks }: FusedNote): SearchHit['scores'] =>
  parts === undefined && legs === undefined && ranks === undefined
    ? undefined
    : {
        ...(parts === undefined ? {} : { bm25: rounded(parts.bm25), nearness: rounded(parts.nearness) }),
        ...(projectWeight === undefined ? {} : { project_weight: projectWeight }),
        ...keyed('keyword_rank', legs?.keywordRank ?? ranks?.keyword),
        ...keyed('meaning_rank', ranks?.meaning),
        ...keyed('cosine', legs?.cosine ?? ranks?.cosine),
        ...(legs === undefined ? {} : { cover: rounded(legs.cover), meaning: rounded(legs.nearness) }),
      };

const keyed = <Key extends string>(
  key: Key,
  value: number | undefined,
): { readonly [Name in Key]?: number } | object => (value === undefined ? {} : { [key]: rounded(value) });

/** In a store of one note every word is in all of them, and BM25 gives it a millionth. */
const rounded = (value: number): number => Number(value.toPrecision(6));

export const makeHit = (
  { note, rank, score, legs, ranks, insteadOf }: FusedNote,
  shortIds: ReadonlyMap<NoteId, string>,
  body: string,
  words: readonly string[],
): SearchHit => {
  const text = `${note.title}\n${body}\n${note.tags.join(' ')} ${note.keywords.join(' ')}`;
  const found = wordsInText(text, words);
  return {
    ...indexedNoteJson(note, shortIds),
    ...(insteadOf === undefined ? {} : { instead_of: shortIds.get(insteadOf) ?? insteadOf }),
    snippet: makeSnippet(body, words),
    rank,
    score: rounded(score),
    reasons: reasonsOf(rank, { legs, ranks }, found),
  };
};

type Legs = { readonly [Part in 'legs' | 'ranks']: FusedNote[Part] | undefined };

const reasonsOf = (rank: number, { legs, ranks }: Legs, found: readonly string[]): SearchHit['reasons'] => {
  const words = found.length === 0 ? '' : `: ${found.join(', ')}`;
  const byWords = (at: number): string => `BM25 rank ${at}${words}`;
  if (ranks !== undefined)
    return [
      ...(ranks.keyword === undefined ? [] : [byWords(ranks.keyword)]),
      ...(ranks.meaning === undefined
        ? []
        : [`meaning rank ${ranks.meaning}, cosine ${(ranks.cosine ?? 0).toFixed(2)}`]),
    ];
  if (legs === undefined) return [byWords(rank)];
  const meaning = `meaning ${legs.cover.toFixed(2)} and ${legs.nearness.toFixed(2)}`;
  if (legs.keywordRank !== undefined) return [byWords(legs.keywordRank), meaning];
  return [`${meaning}, nearest passage ${(legs.cosine ?? 0).toFixed(2)}`, ...(words === '' ? [] : [`words${words}`])];
};
