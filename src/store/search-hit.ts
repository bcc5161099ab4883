/** A ranked note with what shows why it was found. */
import type { SearchHit } from '../answers/note-schema.js';
import type { NoteId } from '../events/note/note.js';
import type { FusedNote } from '../projections/search/fusion.js';
import { makeSnippet, wordsInText } from '../projections/search/snippet.js';
import { indexedNoteJson } from './note-json.js';

export type { SearchHit };

/** What the place of a hit came from, for `explain`. */
export const scoresOf = ({ parts, projectWeight, legs }: FusedNote): SearchHit['scores'] =>
  parts === undefined
    ? undefined
    : {
        bm25: rounded(parts.bm25),
        nearness: rounded(parts.nearness),
        ...(projectWeight === undefined ? {} : { project_weight: projectWeight }),
        ...(legs === undefined
          ? {}
          : { keyword_rank: legs.keywordRank, cover: rounded(legs.cover), meaning: rounded(legs.nearness) }),
      };

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;

export const makeHit = (
  { note, rank, score, legs }: FusedNote,
  shortIds: ReadonlyMap<NoteId, string>,
  body: string,
  words: readonly string[],
): SearchHit => {
  const text = `${note.title}\n${body}\n${note.tags.join(' ')} ${note.keywords.join(' ')}`;
  const found = wordsInText(text, words);
  return {
    ...indexedNoteJson(note, shortIds),
    snippet: makeSnippet(body, words),
    rank,
    score: rounded(score),
    reasons: [
      `BM25 rank ${legs?.keywordRank ?? rank}${found.length === 0 ? '' : `: ${found.join(', ')}`}`,
      ...(legs === undefined ? [] : [`meaning ${legs.cover.toFixed(2)} and ${legs.nearness.toFixed(2)}`]),
    ],
  };
};
