/** A note as every surface prints it; documented in docs/note-format.md and stable. */
import type { NoteJson } from '../answers/note-schema.js';
import type { Note } from '../events/note/note.js';
import type { IndexedNote } from '../projections/index/query.js';

export type { NoteJson };

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
