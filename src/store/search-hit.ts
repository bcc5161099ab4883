/** A ranked note with what shows why it was found. */
import type { RankedNote } from '../projections/search/search.js';
import { makeSnippet, wordsInText } from '../projections/search/snippet.js';
import { indexedNoteJson, type NoteJson } from './note-json.js';

export type SearchHit = NoteJson & {
  /** The stretch of the body that holds the most of the query's words. */
  readonly snippet: string;
  /** From 1. */
  readonly rank: number;
  /** Greater is better; comparable within one answer only. */
  readonly score: number;
  /** One per leg that found the note. */
  readonly reasons: readonly string[];
};

export const makeHit = ({ note, rank, score }: RankedNote, body: string, words: readonly string[]): SearchHit => {
  const text = `${note.title}\n${body}\n${note.tags.join(' ')} ${note.keywords.join(' ')}`;
  const found = wordsInText(text, words);
  return {
    ...indexedNoteJson(note),
    snippet: makeSnippet(body, words),
    rank,
    score: Math.round(score * 1e4) / 1e4,
    reasons: [`BM25 rank ${rank}${found.length === 0 ? '' : `: ${found.join(', ')}`}`],
  };
};
