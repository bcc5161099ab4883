/** A note as every surface prints it; documented in docs/note-format.md and stable. */
import type { Note } from '../events/note/note.js';
import type { IndexedNote } from '../projections/index/query.js';

export type NoteJson = {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly project: string;
  readonly machine_id: string;
  readonly scope: string;
  readonly user_id: string;
  readonly workspace_id: string;
  readonly prov_source: string;
  readonly confidence: number;
  readonly tags: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
  /** Blob id of the note's file: give it to an edit that must not overwrite somebody else's. */
  readonly version: string;
  readonly keywords?: readonly string[] | undefined;
  readonly supersedes?: readonly string[] | undefined;
  readonly proposes?: readonly string[] | undefined;
  readonly superseded_by?: string | undefined;
  readonly agent?: string | undefined;
  readonly importance?: number | undefined;
  readonly expires_at?: string | undefined;
  readonly sensitive?: boolean | undefined;
  readonly source_key?: string | undefined;
  readonly prov_model?: string | undefined;
  readonly prov_session?: string | undefined;
  /** A commit made with git, not by this program, says what stands here of its origin and source. */
  readonly claimed?: boolean | undefined;
  readonly path?: string | undefined;
  readonly body?: string | undefined;
};

export const indexedNoteJson = (note: IndexedNote): NoteJson => fieldsOf(note, note.version, note.supersededBy);

/** The whole note with its body, from its file. */
export const noteJson = (note: Note, version: string, path: string, supersededBy: string | undefined): NoteJson => ({
  ...fieldsOf(note, version, supersededBy),
  ...optional({ supersedes: note.supersedes, proposes: note.proposes }),
  path,
  body: note.body,
});

const fieldsOf = (
  note: Omit<Note, 'supersedes' | 'proposes' | 'body'>,
  version: string,
  supersededBy: string | undefined,
): NoteJson => ({
  id: note.id,
  type: note.type,
  title: note.title,
  project: note.project,
  machine_id: note.machineId,
  scope: note.scope,
  user_id: note.userId,
  workspace_id: note.workspaceId,
  prov_source: note.source,
  confidence: note.confidence,
  tags: note.tags,
  created_at: note.createdAt,
  updated_at: note.updatedAt,
  version,
  ...optional({
    keywords: note.keywords,
    superseded_by: supersededBy,
    agent: note.agent,
    importance: note.importance,
    expires_at: note.expiresAt,
    sensitive: note.sensitive ? true : undefined,
    source_key: note.sourceKey,
    prov_model: note.model,
    prov_session: note.session,
  }),
});

/** Leaves out what is undefined and empty lists. */
const optional = <Fields extends Record<string, unknown>>(fields: Fields): Partial<Fields> => {
  const kept: Partial<Fields> = {};
  for (const key in fields) {
    const value = fields[key];
    if (value !== undefined && !(Array.isArray(value) && value.length === 0)) kept[key] = value;
  }
  return kept;
};
