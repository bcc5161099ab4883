/** Resolves a typed id, or part of one, to a note. */
import type Database from 'better-sqlite3';
import { idAmbiguous, idNotAUlid, noteUnknown, type Refusal } from '../commands/refusals.js';
import type { NoteId } from '../events/note/note.js';
import { isUlid } from '../events/ulid-form.js';
import { lastEvents } from '../projections/history/query.js';
import type { Access } from '../projections/index/query.js';
import { notesLike, shortNoteIds } from '../projections/short-ids.js';

export type Lookup<Answer> =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly refusal: Refusal };

/** A refusal lists at most this many matching notes or events. */
export const maxChoices = 20;

export type TypedId = { readonly text: string; readonly isWhole: boolean };

/** Returns the text in upper case. Refuses anything but a ULID or at least four characters of one. */
export const readTypedId = (given: string): Lookup<TypedId> => {
  const text = given.trim().toUpperCase();
  if (isUlid(text)) return { ok: true, answer: { text, isWhole: true } };
  if (/^[0-9A-HJKMNP-TV-Z]{4,25}$/.test(text)) return { ok: true, answer: { text, isWhole: false } };
  return { ok: false, refusal: idNotAUlid(given) };
};

/** Finds the one note visible to this access whose id begins or ends with the text. */
export const resolveTyped = (database: Database.Database, text: string, access: Access): Lookup<NoteId> => {
  const { found, total } = notesLike(database, text, access, maxChoices);
  const [only, ...others] = found;
  if (only === undefined) return { ok: false, refusal: noteUnknown(text) };
  if (others.length === 0) return { ok: true, answer: only.id };
  const shortIds = shortNoteIds(
    database,
    found.map(({ id }) => id),
  );
  const choices = found.map(({ id, title }) => ({
    shortId: shortIds.get(id) ?? id,
    title: title ?? `forgotten: ${lastEvents(database, { note: id }, 1)[0]?.subject ?? ''}`,
  }));
  return { ok: false, refusal: idAmbiguous(text, 'notes', choices, total) };
};
