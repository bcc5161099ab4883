/** Notes as a model needs them to choose: it reads one in full with memory_get, by the short id. */
import type { FoundNotes, LeanHit, LeanNote } from '../../answers/lean-schema.js';
import type { NoteJson, SearchHit } from '../../app/notes.js';

export const leanNote = (note: NoteJson): LeanNote => ({
  id: note.short_id,
  title: note.title,
  project: note.project,
  type: note.type,
  date: note.updated_at.slice(0, 10),
  ...(note.tags.length === 0 ? {} : { tags: note.tags }),
  ...(note.agent === undefined ? {} : { agent: note.agent }),
  ...(note.superseded_by === undefined ? {} : { superseded_by: note.superseded_by }),
});

/** The score as a share of the best hit's: 1 is the best of this answer. */
const leanHit = (hit: SearchHit, best: number): LeanHit => {
  const { superseded_by: _, agent: __, ...note } = leanNote(hit);
  return { ...note, snippet: hit.snippet, score: best > 0 ? Math.round((hit.score / best) * 100) / 100 : 0 };
};

/** `asked` is the project that was looked in, or those whose notes come first. */
export const answerHits = (
  hits: readonly SearchHit[],
  total: number,
  asked: { readonly project?: string; readonly first?: readonly string[] },
): FoundNotes => {
  const best = Math.max(0, ...hits.map(({ score }) => score));
  const next =
    asked.project === undefined
      ? 'other words of the matter, or fewer; memory_list shows the newest notes'
      : 'other words, or leave project out to look in all of them';
  return { hits: hits.map((hit) => leanHit(hit, best)), total, ...asked, ...(hits.length === 0 ? { try: next } : {}) };
};
