/** Single values that lost in a merge, as the `Lost` trailers of an event carry them. Pure. */

import { isUlid } from '../ulid-form.js';
import type { LostValue } from './merge.js';
import type { NoteId } from './note.js';

/** A value is null where the side that lost had taken the key away. */
export type LostOfNote = LostValue & { readonly noteId: NoteId };

/** `<note id> <key> <JSON value>`; a key that is no single word is a JSON string too. */
export const formatLost = ({ noteId, key, value }: LostOfNote): string =>
  `${noteId} ${/^[^\s"]\S*$/.test(key) ? key : JSON.stringify(key)} ${JSON.stringify(value)}`;

/** Of what `formatLost` writes; undefined for anything else, since a trailer is somebody else's text. */
export const parseLost = (text: string): LostOfNote | undefined => {
  const [before = '', noteId = '', word = ''] = lostText.exec(text) ?? [];
  const value = isUlid(noteId) ? parseScalar(text.slice(before.length)) : undefined;
  const key = word.startsWith('"') ? parseScalar(word) : word;
  return value === undefined || typeof key !== 'string' ? undefined : { noteId, key, value };
};

/** A key is no longer than this: for each of its characters the pattern remembers a place, and there are some 8 million. */
const lostText = /^(\S{26}) ("(?:[^"\\]|\\.){0,65535}"|\S{1,65535}) /s;

const parseScalar = (json: string): LostValue['value'] | undefined => {
  try {
    const value: unknown = JSON.parse(json);
    const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    return isScalar || value === null ? value : undefined;
  } catch {
    return undefined;
  }
};
