/** A ranked note with what shows why it was found. */
import type { SearchHit } from '../answers/note-schema.js';
import type { NoteId } from '../events/note/note.js';
import type { FusedNote } from '../projections/search/fusion.js';
import { makeSnippet, wordsInText } from '../projections/search/snippet.js';
import { indexedNoteJson } from './note-json.js';

export type { SearchHit };

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
    score: Math.round(score * 1e4) / 1e4,
    reasons: [
      `BM25 rank ${legs?.keywordRank ?? rank}${found.length === 0 ? '' : `: ${found.join(', ')}`}`,
      ...(legs === undefined ? [] : [`meaning ${legs.cover.toFixed(2)} and ${legs.nearness.toFixed(2)}`]),
    ],
  };
};
