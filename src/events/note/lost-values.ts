/** Reads and writes the `Lost` trailers of an event: single values that lost in a merge. Pure. */
import { isUlid } from '../ulid-form.js';
import type { LostValue } from './merge.js';
import type { NoteId } from './note.js';

/** The value is null if the side that lost had removed the key. */
export type LostOfNote = LostValue & { readonly noteId: NoteId };

/** `<note id> <key> <JSON value>`; a key that is not a single word is written as a JSON string too. */
export const formatLost = ({ noteId, key, value }: LostOfNote): string =>
  `${noteId} ${/^[^\s"]\S*$/.test(key) ? key : JSON.stringify(key)} ${JSON.stringify(value)}`;

/** Returns the trailers' values, up to 64 KiB in all: the rest is in the parents of the merge. */
export const formatAllLost = (lost: readonly LostOfNote[]): readonly string[] | undefined => {
  let bytes = 0;
  const values = lost.map(formatLost).filter((value) => {
    bytes += Buffer.byteLength(value);
    return bytes <= maxLostBytes;
  });
  return values.length === 0 ? undefined : values;
};
const maxLostBytes = 64 * 1024;

/** Parses the output of `formatLost`; undefined for anything else, since a trailer may be foreign text. */
export const parseLost = (text: string): LostOfNote | undefined => {
  const [before = '', noteId = '', word = ''] = lostText.exec(text) ?? [];
  const value = isUlid(noteId) ? parseScalar(text.slice(before.length)) : undefined;
  const key = word.startsWith('"') ? parseScalar(word) : word;
  return value === undefined || typeof key !== 'string' ? undefined : { noteId, key, value };
};

/** The key's length is limited: the engine stores a position for each character and has room for some 8 million. */
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
