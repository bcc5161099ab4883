/** Notes as a model needs them to choose one, which it then reads in full with memory_get, by the short id. */
import type { FoundNotes, LeanHit, LeanNote } from '../../answers/lean-schema.js';
import type { NoteJson, SearchHit } from '../../answers/note-schema.js';
import type { SearchAnswer } from '../../app/notes.js';
import { jsonText } from './json-text.js';

export const leanNote = (note: NoteJson, shortIdOf: (id: string) => string = unchanged): LeanNote => ({
  id: note.short_id,
  title: cut(note.title, maxTitle),
  project: cut(note.project, maxProject),
  type: note.type,
  date: note.updated_at.slice(0, 10),
  ...(note.tags.length === 0 ? {} : { tags: note.tags.slice(0, maxTags).map((tag) => cut(tag, maxTag)) }),
  ...(note.agent === undefined ? {} : { agent: cut(note.agent, maxTag) }),
  ...(note.superseded_by === undefined ? {} : { superseded_by: shortIdOf(note.superseded_by) }),
});

const unchanged = (id: string): string => id;

/** In characters. A note that came with git may have a title of megabytes; memory_get gives all of it. */
const maxTitle = 120;
/** Longer than any that a command accepts. */
const maxProject = 200;
const maxTags = 12;
const maxTag = 40;

/** Cut text ends in `…`. */
export const cut = (text: string, length: number): string => {
  if (text.length <= length) return text;
  const letters = [...text.slice(0, length * 2)];
  return letters.length <= length
    ? text
    : `${letters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`;
};

const leanHit = (hit: SearchHit, shortIdOf: (id: string) => string): LeanHit => {
  const { agent: _, ...note } = leanNote(hit, shortIdOf);
  const contested = hit.contested === undefined ? {} : { contested: hit.contested };
  const insteadOf = hit.instead_of === undefined ? {} : { instead_of: hit.instead_of };
  const resolves = hit.resolves === undefined ? {} : { resolves: hit.resolves };
  return { ...note, snippet: hit.snippet, score: hit.fit ?? 0, ...contested, ...insteadOf, ...resolves };
};

/** `asked` is the project that was searched, or those whose notes come first. */
export const answerHits = (
  { hits, total, about }: SearchAnswer,
  asked: { readonly project?: string; readonly first?: readonly string[] },
  shortIdOf: (id: string) => string = unchanged,
): FoundNotes => {
  const others =
    asked.project === undefined
      ? 'other words for it, or fewer; memory_list shows the newest notes'
      : 'other words, or leave project out to search all of them';
  const next = about.mode === 'hybrid' ? `mode "semantic" for the nearest notes by meaning; ${others}` : others;
  const answer = (length: number): FoundNotes => ({
    hits: hits.map((hit) => shorten(leanHit(hit, shortIdOf), length)),
    total,
    ...about,
    ...asked,
    ...(total === 0 ? { try: next } : {}),
  });
  const most = unitsPerHit * Math.max(1, hits.length);
  const fitting = snippetLengths.find((length) => jsonText(answer(length)).length <= most);
  return answer(fitting ?? shortest);
};

/** 8 hits in 3,600 characters: a model pays for an answer again on every later turn. */
const unitsPerHit = 450;
const shortest = 100;
/** Tried in turn; a snippet that is the whole body is never cut. */
const snippetLengths = [1000, 210, 180, 150, 120, shortest] as const;

const shorten = (hit: LeanHit, length: number): LeanHit => {
  const isPart = hit.snippet.startsWith('…') || hit.snippet.endsWith('…');
  if (!isPart || hit.snippet.length <= length) return hit;
  const begin = hit.snippet.slice(0, length);
  const end = begin.lastIndexOf(' ');
  return { ...hit, snippet: `${(end > 0 ? begin.slice(0, end) : begin).trimEnd()}…` };
};
