/** Single values that lost in a merge, as the `Lost` trailers of a `conflict.recorded` carry them. Pure. */
import type { LostValue } from './merge.js';
import type { NoteId } from './note.js';
import { isUlid } from './ulid-form.js';

/** A value is null where the side that lost had taken the key away. */
export type LostOfNote = LostValue & { readonly noteId: NoteId };

/** Of `<note id> <key> <JSON value>`; undefined for anything else, since a trailer is somebody else's text. */
export const parseLost = (text: string): LostOfNote | undefined => {
  const [, noteId = '', key = '', json = ''] = /^(\S+) (\S+) (.+)$/s.exec(text) ?? [];
  const value = isUlid(noteId) ? parseScalar(json) : undefined;
  return value === undefined ? undefined : { noteId, key, value };
};

const parseScalar = (json: string): LostValue['value'] | undefined => {
  try {
    const value: unknown = JSON.parse(json);
    const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    return isScalar || value === null ? value : undefined;
  } catch {
    return undefined;
  }
};
