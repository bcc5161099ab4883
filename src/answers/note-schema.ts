/** Notes as every surface answers them; docs/note-format.md says what the keys mean. */
import * as z from 'zod';
import { journalFolder, list, shape, text, whole } from './shape-schema.js';

const noteKeys = {
  id: text(),
  /** The end of the id, as far as it takes to be the only one of the store. */
  short_id: text(),
  type: text(),
  title: text(),
  project: text(),
  machine_id: text(),
  scope: text(),
  user_id: text(),
  workspace_id: text(),
  prov_source: text(),
  /** Told from source and agent: `person`, `agent claude-code`, `learned by claude-code`, `captured`, `import`. */
  written_by: text(),
  confidence: z.number(),
  tags: list(text()),
  created_at: text(),
  updated_at: text(),
  /** Blob id of the note's file: give it to an edit that must not overwrite somebody else's. */
  version: text(),
  keywords: list(text()).optional(),
  supersedes: list(text()).optional(),
  proposes: list(text()).optional(),
  superseded_by: text().optional(),
  agent: text().optional(),
  importance: z.number().optional(),
  expires_at: text().optional(),
  sensitive: z.boolean().optional(),
  source_key: text().optional(),
  /** `<relation> <id>` each. */
  links: list(text()).optional(),
  prov_model: text().optional(),
  prov_session: text().optional(),
  /** A commit made with git, not by this program, says what stands here of its origin and source. */
  claimed: z.boolean().optional(),
  /** Where a person has yet to decide about the note: it is in conflict, or another one is proposed to replace it. */
  contested: list(text()).optional(),
  /** Why the note's file can't be read as it is now: what is shown is the version recorded last. */
  file_problem: text().optional(),
  path: text().optional(),
  body: text().optional(),
};

export const Note = shape(noteKeys);
export type NoteJson = z.infer<typeof Note>;

export const Notes = shape({ notes: list(Note), total: whole() });

/** A ranked note with what shows why it was found. */
export const Hit = shape({
  ...noteKeys,
  /**
   * A short body as it is; of another, on one line, the stretch that holds the most of the query's words, or the one nearest
   * in meaning where none of them stands in it and in mode `semantic`.
   */
  snippet: text(),
  /** Where words of the query stand in the snippet: begin and end, in UTF-16 units. */
  marks: list(z.tuple([whole(), whole()]).readonly()).optional(),
  /** From 1. */
  rank: whole(),
  /** Greater is better; comparable within one answer only. */
  score: z.number(),
  /**
   * From 0 to 1, comparable between queries: the score over the best one's, times the share of the query's words, by rarity,
   * that the best one holds. None of the past.
   */
  fit: z.number().optional(),
  /** One per leg that found the note. */
  reasons: list(text()),
  /** With `explain`: BM25 and nearness of the words, the note's prior, and what a project's weight and a model made of them. */
  scores: shape({
    bm25: z.number().optional(),
    nearness: z.number().optional(),
    prior: z.number().optional(),
    project_weight: z.number().optional(),
    keyword_rank: whole().optional(),
    meaning_rank: whole().optional(),
    cosine: z.number().optional(),
    cover: z.number().optional(),
    meaning: z.number().optional(),
    judged: z.number().optional(),
  }).optional(),
  /** Short id of the superseded note that has the words and that this one replaced. */
  instead_of: text().optional(),
  /** Short id of the hit that names this one as what resolves it: rank, score and fit are that hit's. */
  resolves: text().optional(),
});
export type SearchHit = z.infer<typeof Hit>;

/** Said about a query besides its hits; each key only where there is something to say. */
export const aboutQuery = {
  /** Words that stand in no note, and those that were looked for in their place. */
  corrected: list(shape({ typed: text(), instead: text() })).optional(),
  /** Words of the notes that are like those of the query, where nothing was found. */
  did_you_mean: list(text()).optional(),
  /** How the query was understood, where it is more than words: phrases, what is left out, filters. */
  read_as: text().optional(),
  /** Why it was searched for its words all the same, or why nothing was found. */
  relaxed: text().optional(),
  /** Where a model was to compare meanings, how far it did; `exact` where the text itself was looked for. */
  mode: z.enum(['keyword', 'hybrid', 'semantic', 'exact']).optional(),
  /** Where ranks were added up, and not scores. */
  fusion: z.enum(['rrf']).optional(),
  /** Why it did not. */
  degraded: text().optional(),
  /** Where it was asked for: what the index was asked, words that were left out of it, and notes that are not live. */
  explain: shape({
    match: text(),
    words: list(shape({ word: text(), notes: whole(), forms: list(text()).optional() })),
    dropped: list(text()),
    left_out: shape({ superseded: whole(), expired: whole() }),
  }).optional(),
};

const AboutQuery = shape(aboutQuery);
export type AboutQuery = z.infer<typeof AboutQuery>;

/** `first`: projects whose notes come before equal ones of others, where all projects were looked in. */
export const Hits = shape({ hits: list(Hit), total: whole(), ...aboutQuery, first: list(text()).optional() });

export const EventMade = shape({ id: text(), kind: text(), at: text() });
export const masked = () => list(shape({ kind: text(), count: whole() }));
const status = () => z.enum(['recorded', 'unchanged']);

const changeKeys = { status: status(), masked: masked(), warnings: list(text()) };

/** A change on the command line: the note's own keys first. None of them where the note is gone. */
export const Change = z
  .strictObject(noteKeys)
  .partial()
  .extend({ event: EventMade.nullable(), ...changeKeys })
  .readonly();

/** A change over MCP: what was done to which note, not its text back. No id where the note is gone. */
export const Changed = shape({
  id: text().optional(),
  short_id: text().optional(),
  project: text().optional(),
  version: text().optional(),
  event: EventMade.optional(),
  status: status(),
  masked: masked().optional(),
  warnings: list(text()).optional(),
});

export const Forgotten = shape({ id: text(), event: EventMade.nullable(), status: status() });
export const ForgottenAll = list(Forgotten);
export const ForgottenOne = shape({
  id: text(),
  event: EventMade.optional(),
  status: status(),
  warnings: list(text()).optional(),
});

/** `last_event` is a day in UTC; null where no event names the project or touched its notes. */
export const Project = shape({ key: text(), notes: whole(), last_event: text().nullable() });
export type ProjectJson = z.infer<typeof Project>;
export const Projects = shape({ projects: list(Project), total: whole() });

export const Tag = shape({ tag: text(), notes: whole() });
export type TagJson = z.infer<typeof Tag>;
export const Tags = shape({ tags: list(Tag), total: whole() });

export const NoteAnswer = shape({ note: Note });

const RecalledNote = shape({
  id: text(),
  short_id: text(),
  title: text(),
  relevance: z.number(),
  /** The short id of a note that names it as what resolves it, whose relevance it has then. */
  resolves: text().optional(),
});

export const Injection = shape({ project: text(), text: text(), units: whole(), warnings: list(text()) });
export const Recall = shape({
  project: text(),
  text: text(),
  ids: list(text()),
  /** The notes of `text`, in its order; `relevance` is from 0 to 1 and comparable across prompts. */
  notes: list(RecalledNote),
  /** Notes that `text` only names: they fit less well. */
  maybe: list(RecalledNote),
  /** With `explain`: the model that judged with the words, or why words alone did; the relevance that a note needs. */
  explain: shape({
    model: text().nullable(),
    degraded: text().optional(),
    shown_from: z.number(),
    named_from: z.number(),
    /** The best of those that are neither shown nor named. */
    below: list(RecalledNote),
  }).optional(),
  warnings: list(text()),
});
export type RecallJson = z.infer<typeof Recall>;

export const Imported = shape({
  format: text(),
  imported: whole(),
  updated: whole(),
  skipped: whole(),
  /** Of those that are imported, if any: they stay on this machine. */
  machine_local: whole().optional(),
  /** Of transcripts: sessions left out, because nothing in them is worth a note. */
  trivial: whole().optional(),
  event: EventMade.nullable(),
  masked: masked(),
  warnings: list(text()),
  problems: list(shape({ where: text(), message: text() })),
  /** Files that hold no text, and links. */
  passed: list(text()),
  moved: list(shape({ id: text(), title: text(), from: text(), to: text() })),
  /** Notes whose file is gone; they stay. */
  missing: list(shape({ id: text(), title: text(), path: text() })),
  /** With --dry-run. */
  planned: list(
    shape({
      /** None of a session that has no note yet. */
      id: text().optional(),
      title: text(),
      project: text(),
      /** None of a session. */
      scope: text().optional(),
      change: z.enum(['imported', 'updated', 'same', 'edited', 'forgotten', 'older', 'portable']),
      source_key: text(),
    }),
  ).optional(),
});

export type ImportedJson = z.infer<typeof Imported>;

export const Captured = z.union([
  shape({ status: z.literal('trivial'), session: text(), note: z.null() }),
  shape({ session: text(), event: EventMade.nullable(), note: Note.nullable(), ...changeKeys }),
]);

export const Proposals = shape({ proposals: list(shape({ newer: Note, older: Note })), total: whole() });
export const Settled = shape({
  settled: list(
    shape({
      id: text(),
      older: list(text()),
      verdict: z.enum(['accept', 'keep-both', 'forget']),
      status: status(),
      event: EventMade.nullable(),
      warnings: list(text()),
    }),
  ),
});

const file = { journal: journalFolder(), path: text() };

export const Adopted = shape({
  event_ids: list(text()),
  changes: list(
    shape({
      id: text(),
      short_id: text(),
      title: text(),
      change: z.enum(['added', 'edited', 'renamed', 'forgotten', 'replaced']),
      /** Of a replaced one: the note that its file is now. */
      replaced_by: text().optional(),
    }),
  ),
  merged: list(shape(file)),
  masked: masked(),
  left: list(shape({ ...file, reason: text() })),
  held_deletions: list(shape({ ...file, replaced_by: text().optional(), only_text: z.literal(true).optional() })),
  put_back: list(shape(file)),
  warnings: list(text()),
});
