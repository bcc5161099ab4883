/** Schemas of notes and changes to them, shared by every surface; docs/note-format.md explains the keys. */
import * as z from 'zod';
import { journalFolder, list, shape, text, whole } from './shape-schema.js';

const noteKeys = {
  id: text(),
  /** The shortest suffix of the id that is unique in the store. */
  short_id: text(),
  type: text(),
  title: text(),
  project: text(),
  machine_id: text(),
  scope: text(),
  user_id: text(),
  workspace_id: text(),
  prov_source: text(),
  /** Derived from source and agent: `person`, `agent claude-code`, `learned by claude-code`, `captured`, `import`. */
  written_by: text(),
  confidence: z.number(),
  tags: list(text()),
  created_at: text(),
  updated_at: text(),
  /** Blob id of the note's file; pass it to an edit that must not overwrite someone else's change. */
  version: text(),
  keywords: list(text()).optional(),
  supersedes: list(text()).optional(),
  proposes: list(text()).optional(),
  superseded_by: text().optional(),
  agent: text().optional(),
  importance: z.number().optional(),
  expires_at: text().optional(),
  sensitive: z.boolean().optional(),
  /** Not the person's own words, or not reviewed: offered to no agent unasked. */
  untrusted: z.boolean().optional(),
  source_key: text().optional(),
  /** Each `<relation> <id>`. */
  links: list(text()).optional(),
  prov_model: text().optional(),
  prov_session: text().optional(),
  /** The note's origin and source are claims of a commit made with git, not by this program. */
  claimed: z.boolean().optional(),
  /** Decisions a person has yet to make: the note is in conflict, or another note is proposed to replace it. */
  contested: list(text()).optional(),
  /** Why the note's file can't be parsed at the moment; the last recorded version is shown instead. */
  file_problem: text().optional(),
  path: text().optional(),
  body: text().optional(),
};

export const Note = shape(noteKeys);
export type NoteJson = z.infer<typeof Note>;

export const Notes = shape({ notes: list(Note), total: whole() });

export const Hit = shape({
  ...noteKeys,
  /** A short body unchanged; else, on one line, the part with the most query words, or the nearest in meaning. */
  snippet: text(),
  /** Start and end of each query word in the snippet, in UTF-16 units. */
  marks: list(z.tuple([whole(), whole()]).readonly()).optional(),
  /** From 1. */
  rank: whole(),
  /** Greater is better; comparable within one answer only. */
  score: z.number(),
  /** 0 to 1, comparable between queries: relative to the best, times its share of the query. Omitted for the past. */
  fit: z.number().optional(),
  /** One reason per ranking that found the note. */
  reasons: list(text()),
  /** With `explain`: BM25 and proximity of the words, the note's prior, and the effect of project weight and model. */
  scores: shape({
    bm25: z.number().optional(),
    nearness: z.number().optional(),
    prior: z.number().optional(),
    project_weight: z.number().optional(),
    keyword_rank: whole().optional(),
    cosine: z.number().optional(),
    cover: z.number().optional(),
    meaning: z.number().optional(),
  }).optional(),
  /** Short id of the superseded note that contains the words and that this one replaced. */
  instead_of: text().optional(),
  /** Short id of the hit that names this note as its solution; rank, score and fit are that hit's. */
  resolves: text().optional(),
});
export type SearchHit = z.infer<typeof Hit>;

/** Facts about a query besides its hits; each key is present only when it applies. */
export const aboutQuery = {
  /** Words that no note contains, and the words searched for instead. */
  corrected: list(shape({ typed: text(), instead: text() })).optional(),
  /** How the query was parsed, if it is more than words: phrases, exclusions, filters. */
  read_as: text().optional(),
  /** Why the query was searched as plain words after all, or why nothing was found. */
  relaxed: text().optional(),
  /** If a model was meant to compare meanings, how far it did; `exact` when the literal text was searched for. */
  mode: z.enum(['keyword', 'hybrid', 'semantic', 'exact']).optional(),
  /** Why the model did not compare meanings, or did so only in part. */
  degraded: text().optional(),
  /** On request: the index query, the words dropped from it, and how many matching notes are not live. */
  explain: shape({
    match: text(),
    words: list(shape({ word: text(), notes: whole(), forms: list(text()).optional() })),
    dropped: list(text()),
    left_out: shape({ superseded: whole(), expired: whole() }),
  }).optional(),
};

const AboutQuery = shape(aboutQuery);
export type AboutQuery = z.infer<typeof AboutQuery>;

/** `first`: projects whose notes come before equally ranked ones of others, when all projects were searched. */
export const Hits = shape({ hits: list(Hit), total: whole(), ...aboutQuery, first: list(text()).optional() });

export const EventMade = shape({ id: text(), kind: text(), at: text() });
export const masked = () => list(shape({ kind: text(), count: whole() }));
const status = () => z.enum(['recorded', 'unchanged']);

const changeKeys = { status: status(), masked: masked(), warnings: list(text()) };

/** A change on the command line; the note's own keys come first and are omitted when the note is gone. */
export const Change = z
  .strictObject(noteKeys)
  .partial()
  .extend({ event: EventMade.nullable(), ...changeKeys })
  .readonly();

/** A change over MCP: what was done to which note, without its text. The id is omitted when the note is gone. */
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

/** `last_event` is a day in UTC; null when no event names the project or touched its notes. */
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
  /** Short id of a note that names this one as its solution; `relevance` is then that note's. */
  resolves: text().optional(),
});

export const Injection = shape({ project: text(), text: text(), units: whole(), warnings: list(text()) });
export const Recall = shape({
  project: text(),
  text: text(),
  ids: list(text()),
  /** The notes of `text`, in its order; `relevance` is from 0 to 1 and comparable across prompts. */
  notes: list(RecalledNote),
  /** Less relevant notes, which `text` only names. */
  maybe: list(RecalledNote),
  /** With `explain`: the model that judged beside the words, or why words alone did, and the relevance thresholds. */
  explain: shape({
    model: text().nullable(),
    degraded: text().optional(),
    shown_from: z.number(),
    named_from: z.number(),
    /** The best notes among those neither shown nor named. */
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
  /** How many of `imported` stay on this machine; omitted when 0. */
  machine_local: whole().optional(),
  /** For transcripts: sessions left out because nothing in them is worth a note. */
  trivial: whole().optional(),
  event: EventMade.nullable(),
  masked: masked(),
  warnings: list(text()),
  problems: list(shape({ where: text(), message: text() })),
  /** Files that were skipped because they are not text, and links. */
  passed: list(text()),
  moved: list(shape({ id: text(), title: text(), from: text(), to: text() })),
  /** Notes whose source file is gone; the notes are kept. */
  missing: list(shape({ id: text(), title: text(), path: text() })),
  /** Only with --dry-run. */
  planned: list(
    shape({
      /** Omitted for a session that has no note yet. */
      id: text().optional(),
      title: text(),
      project: text(),
      /** Omitted for a session. */
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

/** In full; `newer` was written later and would supersede `older`. Without one, it is offered to agents once accepted. */
const Proposal = shape({ newer: Note, older: Note.optional() });
export type Proposal = z.infer<typeof Proposal>;
export const Proposals = shape({ proposals: list(Proposal), total: whole() });
export type Proposals = z.infer<typeof Proposals>;
/** The verdict on a note's proposals, in one event. */
const SettledProposal = shape({
  id: text(),
  /** Ids of the older notes; empty if the note itself was the proposal, or none was open. */
  older: list(text()),
  verdict: z.enum(['accept', 'keep-both', 'forget']),
  status: status(),
  event: EventMade.nullable(),
  warnings: list(text()),
});
export type SettledProposal = z.infer<typeof SettledProposal>;
export const Settled = shape({ settled: list(SettledProposal) });

const file = { journal: journalFolder(), path: text() };

const AdoptedChange = shape({
  id: text(),
  short_id: text(),
  title: text(),
  change: z.enum(['added', 'edited', 'renamed', 'forgotten']),
});
export type AdoptedChange = z.infer<typeof AdoptedChange>;

export const Adoption = shape({
  event_ids: list(text()),
  changes: list(AdoptedChange),
  /** Files saved from an older version, merged with what was recorded since. */
  merged: list(shape(file)),
  masked: masked(),
  left: list(shape({ ...file, reason: text() })),
  held_deletions: list(shape(file)),
  put_back: list(shape(file)),
  warnings: list(text()),
});
export type Adoption = z.infer<typeof Adoption>;
