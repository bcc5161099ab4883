/** Makes a note supersede others. Pure. */

import { type NoteId, shownTitle } from '../events/note/note.js';
import { formatNoteFile, isEditable, setNoteFields } from '../events/note/note-file.js';
import { formatTime, parseTime } from '../events/time.js';
import { type Decide, type Handler, type KnownNotes, quiet, record, refuse } from './command.js';
import { expiryWarnings } from './limits.js';
import { notEditable, noteForgotten, noteUnknown, supersedeCycle } from './refusals.js';

export type SupersedeNotes = { readonly kind: 'supersede'; readonly ids: readonly NoteId[]; readonly by: NoteId };

/** Quiet when the note already supersedes all of them. Only the newer note changes. */
export const decideSupersede: Decide<SupersedeNotes> = ({ ids, by }, notes, stamp) => {
  const newer = notes.find(by);
  for (const id of [by, ...ids]) {
    if (notes.find(id) !== undefined) continue;
    return refuse(notes.wasThere(id) ? noteForgotten(id) : noteUnknown(id));
  }
  if (newer === undefined) return refuse(noteUnknown(by));
  const cyclic = ids.find((id) => id === by || reaches(notes, id, by));
  if (cyclic !== undefined) return refuse(supersedeCycle(cyclic, by));
  const before = newer.file.note.supersedes;
  const added = [...new Set(ids)].filter((id) => !before.includes(id));
  if (added.length === 0) return quiet(by);
  if (!isEditable(newer.file)) return refuse(notEditable(by, newer.place.path));
  const after = setNoteFields(newer.file, {
    supersedes: [...before, ...added],
    updatedAt: formatTime(stamp.atMs),
  });
  const { journal, path } = newer.place;
  return record(
    {
      kind: 'note.superseded',
      subject: shownTitle(after.note),
      notes: [by, ...added],
      by,
      project: after.note.project,
    },
    [{ journal, path, bytes: formatNoteFile(after) }],
    by,
    { warnings: expiryWarnings(parseTime(after.note.expiresAt ?? ''), stamp.atMs, after.note) },
  );
};

export const supersedeHandler: Handler<SupersedeNotes> = {
  touches: ({ ids, by }) => [by, ...ids],
  decide: decideSupersede,
  noteOf: ({ by }) => by,
};

const reaches = (notes: KnownNotes, from: NoteId, to: NoteId): boolean => {
  const seen = new Set<NoteId>();
  const pending = [from];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (id === to) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    pending.push(...notes.supersedes(id));
  }
  return false;
};
