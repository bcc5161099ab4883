/** Notes as the tools that find them answer: no more than it takes to choose one. */
import * as z from 'zod';
import { aboutQuery } from './note-schema.js';
import { list, shape, text, whole } from './shape-schema.js';

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
  /** The whole body where it is short, on one line. */
  snippet: text(),
  /** From 0 to 1, the best hit of the answer. */
  score: z.number(),
  contested: list(text()).optional(),
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
