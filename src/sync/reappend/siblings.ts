/** Notes that keep our texts that clash with published ones, while our events are appended again. Pure. */

import { conflictCopy } from '../../events/note/merge.js';
import type { NoteId } from '../../events/note/note.js';
import { type NoteFile, setNoteFields } from '../../events/note/note-file.js';
import { pathOfNote } from '../../events/note/paths.js';
import { formatTime } from '../../events/time.js';

/** The note that keeps our text of another note. */
export type Sibling = {
  readonly id: NoteId;
  readonly path: string;
  readonly eventId: string;
  readonly atMs: number;
  /** Text that both sides changed; undefined if they had none in common. */
  readonly base: string | undefined;
};

/** By the path of our file. */
export type Siblings = ReadonlyMap<string, Sibling>;

export const copyOf = (mine: NoteFile, { eventId, atMs }: Pick<Sibling, 'eventId' | 'atMs'>): NoteFile =>
  conflictCopy(mine.note, mine.note.body, eventId, atMs, formatTime(atMs));

export const newSibling = (
  mine: NoteFile,
  made: Pick<Sibling, 'eventId' | 'atMs' | 'base'>,
): { readonly sibling: Sibling; readonly copy: NoteFile } => {
  const copy = copyOf(mine, made);
  const { id, type } = copy.note;
  return { sibling: { ...made, id, path: pathOfNote(type, id) }, copy };
};

/** Assigns the sibling to the file at `path`, or removes it if `after` is undefined. */
export const withSibling = (
  siblings: Siblings,
  before: Sibling,
  path: string,
  after: Sibling | undefined,
): Siblings => {
  const others = [...siblings].filter(([, one]) => one.id !== before.id);
  return new Map(after === undefined ? others : [...others, [path, after]]);
};

/**
 * Returns the version to compare our note with if it is restored after it was removed with the siblings of its files.
 * Their text was never merged, so it is compared with the text from when the lines diverged. Undefined means that it is
 * compared with nothing, and any differing text is kept.
 */
export const mineWithout = (gone: readonly Sibling[], mine: NoteFile | undefined): NoteFile | undefined => {
  const [only, second] = gone;
  if (only === undefined || mine === undefined) return mine;
  return only.base === undefined || second !== undefined ? undefined : setNoteFields(mine, { body: only.base });
};
