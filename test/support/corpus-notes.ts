/** Notes of the corpus of `npm run bench`, as input of an import. */
import { corpus } from '../../bench/corpus.js';
import type { ForeignNote } from '../../src/commands/foreign-note.js';

export const corpusNotes = (count: number): ForeignNote[] =>
  [...corpus(count)].map(({ id, title, body, tags, type, project, created_at: at }) => ({
    sourceKey: `jsonl:corpus/${id}`,
    title,
    body,
    tags,
    keywords: [],
    project,
    type,
    createdAtMs: Date.parse(at),
    updatedAtMs: undefined,
  }));
