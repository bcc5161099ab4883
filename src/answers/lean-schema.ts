/** Answers of the MCP tools that find notes and report the store's state, cut to what an agent needs to act. */
import * as z from 'zod';
import { aboutQuery } from './note-schema.js';
import { counts, list, shape, text, whole } from './shape-schema.js';

const leanKeys = {
  /** The short id. */
  id: text(),
  title: text(),
  project: text(),
  type: text(),
  /** Day of the last change. */
  date: text(),
  tags: list(text()).optional(),
};

export const LeanNote = shape({ ...leanKeys, agent: text().optional(), superseded_by: text().optional() });
export type LeanNote = z.infer<typeof LeanNote>;
export const LeanNotes = shape({ notes: list(LeanNote), total: whole() });

export const LeanHit = shape({
  ...leanKeys,
  /** The whole body, unchanged, when it is short; otherwise part of it on one line. */
  snippet: text(),
  /** The hit's `fit`: 0 to 1, comparable between queries. */
  score: z.number(),
  contested: list(text()).optional(),
  /** Only when superseded notes were requested. */
  superseded_by: text().optional(),
  /** Short id of the note it replaced, which is the one that contains the words. */
  instead_of: text().optional(),
  /** Short id of the hit that names this note as its solution. */
  resolves: text().optional(),
});
export type LeanHit = z.infer<typeof LeanHit>;
export const FoundNotes = shape({
  hits: list(LeanHit),
  total: whole(),
  ...aboutQuery,
  /** The project that was searched. */
  project: text().optional(),
  /** Projects whose notes are listed before those of others, when all projects were searched. */
  first: list(text()).optional(),
  /** Advice on finding more; only when nothing was found. */
  try: text().optional(),
});
export type FoundNotes = z.infer<typeof FoundNotes>;

export const LeanStatus = shape({
  /** The most urgent matter, on one line. */
  state: text(),
  /** One line per kind of problem (`wrong`) or pending work (`waiting`), naming its first item; omitted if none. */
  wrong: list(text()).optional(),
  waiting: list(text()).optional(),
  root: text(),
  machine: text(),
  total: whole(),
  live: whole(),
  by_type: counts(),
  /** The largest projects and the client's own. */
  by_project: counts(),
  more_projects: whole().optional(),
  /** Omitted when the store has no remote. */
  sync: shape({ remote: text(), last_sync: text().nullable(), unpublished: whole() }).optional(),
  last_capture: text().optional(),
});
export type LeanStatus = z.infer<typeof LeanStatus>;
