/** Answers of the tools that find notes and tell of the store: no more than it takes to choose and to act. */
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
  /** The whole body as it is where it is short, else a part of it on one line. */
  snippet: text(),
  /** From 0 to 1, comparable between queries: the hit's `fit`. */
  score: z.number(),
  contested: list(text()).optional(),
  /** Only where superseded notes were asked for. */
  superseded_by: text().optional(),
  /** Short id of the note that it replaced, which has the words. */
  instead_of: text().optional(),
  /** Short id of the hit that names this note as what resolves it. */
  resolves: text().optional(),
});
export type LeanHit = z.infer<typeof LeanHit>;
export const FoundNotes = shape({
  hits: list(LeanHit),
  total: whole(),
  ...aboutQuery,
  /** The project that was looked in. */
  project: text().optional(),
  /** Projects whose notes come before those of others, where all were looked in. */
  first: list(text()).optional(),
  /** Advice on finding more, only where nothing was found. */
  try: text().optional(),
});
export type FoundNotes = z.infer<typeof FoundNotes>;

export const LeanStatus = shape({
  /** The most urgent in one line. */
  state: text(),
  /** One line for each kind of trouble and of work, with the first that it is about; missing where there is none. */
  wrong: list(text()).optional(),
  waiting: list(text()).optional(),
  root: text(),
  machine: text(),
  total: whole(),
  live: whole(),
  by_type: counts(),
  /** The largest, and the client's own. */
  by_project: counts(),
  more_projects: whole().optional(),
  /** Missing where the store has no remote. */
  sync: shape({ remote: text(), last_sync: text().nullable(), unpublished: whole() }).optional(),
  last_capture: text().optional(),
});
export type LeanStatus = z.infer<typeof LeanStatus>;
