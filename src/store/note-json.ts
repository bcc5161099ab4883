/** A note as every surface prints it; documented in docs/note-format.md and stable. */
import type { NoteJson } from '../answers/note-schema.js';
import type { Note, NoteId } from '../events/note/note.js';
import { describeWriter } from '../events/note/written-by.js';
import type { IndexedNote } from '../projections/index/query.js';

export type { NoteJson };

/** Without an entry in `shortIds`, the note is shown by its whole id. */
export const indexedNoteJson = (note: IndexedNote, shortIds: ReadonlyMap<NoteId, string>): NoteJson =>
  fieldsOf(note, { version: note.version, shortId: shortIds.get(note.id) ?? note.id, supersededBy: note.supersededBy });

type Place = { readonly version: string; readonly shortId: string; readonly supersededBy: NoteId | undefined };

/** Returns the whole note with its body, from its file. */
export const noteJson = (note: Note, { path, ...place }: Place & { readonly path: string }): NoteJson => ({
  ...fieldsOf(note, place),
  ...optional({ supersedes: note.supersedes, proposes: note.proposes }),
  path,
  body: note.body,
});

const fieldsOf = (
  note: Omit<Note, 'supersedes' | 'proposes' | 'body'>,
  { version, shortId, supersededBy }: Place,
): NoteJson => ({
  id: note.id,
  short_id: shortId,
  type: note.type,
  title: note.title,
  project: note.project,
  machine_id: note.machineId,
  scope: note.scope,
  user_id: note.userId,
  workspace_id: note.workspaceId,
  prov_source: note.source,
  written_by: describeWriter(note),
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
    untrusted: note.untrusted === true ? true : undefined,
    source_key: note.sourceKey,
    prov_model: note.model,
    prov_session: note.session,
  }),
});

/** Drops undefined values and empty lists. */
const optional = <Fields extends Record<string, unknown>>(fields: Fields): Partial<Fields> => {
  const kept: Partial<Fields> = {};
  for (const key in fields) {
    const value = fields[key];
    if (value !== undefined && !(Array.isArray(value) && value.length === 0)) kept[key] = value;
  }
  return kept;
};
