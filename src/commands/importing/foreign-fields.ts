/** Builds the fields of a note from an import. Pure. */

import { isDeepStrictEqual } from 'node:util';
import type { Stamp } from '../../events/event.js';
import { readSegment, writeSegment } from '../../events/note/front-matter.js';
import type { Note, NoteId } from '../../events/note/note.js';
import type { NoteFields, NoteFile } from '../../events/note/note-file.js';
import type { MaskCount } from '../../events/note/redact.js';
import { redact } from '../../events/note/redact.js';
import { formatTime } from '../../events/time.js';
import type { ForeignNote } from '../foreign-note.js';
import { maskSegments } from '../redact-fields.js';

export const newNote = (id: NoteId, fields: ForeignNote, stamp: Stamp): Note => ({
  id,
  type: fields.type ?? 'semantic',
  title: fields.title,
  project: fields.project ?? 'global',
  machineId: stamp.machine,
  scope: fields.scope ?? 'portable',
  userId: stamp.user,
  workspaceId: 'personal',
  source: 'import',
  confidence: 1,
  model: undefined,
  session: undefined,
  supersedes: [],
  createdAt: formatTime(fields.createdAtMs ?? timeOfSource(fields, stamp) ?? stamp.atMs),
  updatedAt: formatTime(timeOfSource(fields, stamp) ?? fields.createdAtMs ?? stamp.atMs),
  tags: fields.tags,
  agent: stamp.agent,
  importance: fields.importance,
  keywords: fields.keywords,
  expiresAt: undefined,
  sensitive: false,
  ...(fields.untrusted === true ? { untrusted: true } : {}),
  // The key may contain a secret. The note is then found by its id, which is derived from the unmasked key.
  sourceKey: redact(fields.sourceKey).text,
  proposes: [],
  body: fields.body,
});

export const textOf = ({ title, body }: ForeignNote): NoteFields => ({ title, body });

/** The fields that a source sets again; the project is for the first import, and for `move`. */
export const fieldsOf = ({
  title,
  body,
  tags,
  keywords,
  importance,
  sourceKey,
  movedFrom,
  untrusted,
}: ForeignNote): NoteFields => ({
  title,
  body,
  tags,
  ...(keywords.length === 0 ? {} : { keywords }),
  ...(importance === undefined ? {} : { importance }),
  ...(untrusted === true ? { untrusted } : {}),
  ...(movedFrom === undefined ? {} : { sourceKey: redact(sourceKey).text }),
});

/** The time that the text names, else the file's, but never in the future: that would keep every later change out. */
export const timeOfSource = ({ updatedAtMs, changedMs }: ForeignNote, { atMs }: Stamp): number | undefined =>
  updatedAtMs === undefined && changedMs === undefined ? undefined : Math.min(updatedAtMs ?? changedMs ?? atMs, atMs);

/** Returns the same file if it has them already; each of its keys must start a line. */
export const setOtherKeys = (
  file: NoteFile,
  keys: readonly (readonly [key: string, value: unknown])[],
): { readonly file: NoteFile; readonly masked: readonly MaskCount[] } => {
  if (keys.length === 0) return { file, masked: [] };
  const { front } = file;
  const found = maskSegments(keys.map(([key, value]) => writeSegment(key, value)));
  const wanted = found.flatMap(({ segment, masked }) => {
    const value = readSegment(segment);
    const isThere = front.segments.some(({ key }) => key === segment.key);
    if (isThere && isDeepStrictEqual(front.values[segment.key], value)) return [];
    return [{ segment: { ...segment, text: segment.text.replaceAll('\n', front.eol) }, value, masked, isThere }];
  });
  if (wanted.length === 0) return { file, masked: [] };
  const changed = new Map(wanted.map(({ segment }) => [segment.key, segment] as const));
  const segments = [
    ...front.segments.map((segment) => changed.get(segment.key) ?? segment),
    ...wanted.flatMap(({ segment, isThere }) => (isThere ? [] : [segment])),
  ];
  const values = { ...front.values, ...Object.fromEntries(wanted.map(({ segment, value }) => [segment.key, value])) };
  return { file: { ...file, front: { ...front, segments, values } }, masked: wanted.flatMap(({ masked }) => masked) };
};
