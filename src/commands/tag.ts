/** Adds tags to a note and removes tags; its updated_at stays. Pure. */

import { type NoteId, shownTitle } from '../events/note/note.js';
import { formatNoteFile, isEditable, setNoteFields } from '../events/note/note-file.js';
import { type Decide, type Handler, quiet, record, refuse } from './command.js';
import { checkLimits, maxTags } from './limits.js';
import { redactFields } from './redact-fields.js';
import { limitPassed, notEditable, noteForgotten, noteUnknown, nothingToDo } from './refusals.js';

export type TagNote = {
  readonly kind: 'tag';
  readonly id: NoteId;
  readonly add: readonly string[];
  readonly remove: readonly string[];
};

/** Quiet when the tags already are as asked for. Case is ignored, and the existing spelling stays. */
const decideTag: Decide<TagNote> = ({ id, add, remove }, notes) => {
  const known = notes.find(id);
  if (known === undefined) return refuse(notes.wasThere(id) ? noteForgotten(id) : noteUnknown(id));
  if (add.length + remove.length === 0) return refuse(nothingToDo('no tag was named', 'name at least one tag'));
  const refusal = checkLimits({ tags: add });
  if (refusal !== undefined) return refuse(refusal);
  const { fields, masked } = redactFields({ tags: add });
  const removed = new Set(remove.map((tag) => tag.toLowerCase()));
  const before = known.file.note.tags;
  const tags = before.filter((tag) => !removed.has(tag.toLowerCase()));
  const there = new Set(tags.map((tag) => tag.toLowerCase()));
  tags.push(...fields.tags.filter((tag) => !there.has(tag.toLowerCase())));
  if (tags.length > maxTags && tags.length > before.length) {
    return refuse(limitPassed('tags', `are at most ${maxTags}`, `${tags.length} with the new ones`));
  }
  if (JSON.stringify(tags) === JSON.stringify(before)) return quiet(id);
  if (!isEditable(known.file)) return refuse(notEditable(id, known.place.path));
  const after = setNoteFields(known.file, { tags });
  const { journal, path } = known.place;
  return record(
    { kind: 'note.tagged', subject: shownTitle(after.note), notes: [id], project: after.note.project },
    [{ journal, path, bytes: formatNoteFile(after) }],
    id,
    { masked },
  );
};

export const tagHandler: Handler<TagNote> = {
  touches: ({ id }) => [id],
  decide: decideTag,
  noteOf: ({ id }) => id,
};
