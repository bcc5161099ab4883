/** Sorts keys of foreign front matter that no field of a note is made from: kept if a note may have them. Pure. */
import { splitFrontMatter, writeSegment } from '../../events/note/front-matter.js';
import { noteKeys } from '../../events/note/note-file.js';

export type OtherKeys = {
  readonly kept: readonly (readonly [key: string, value: unknown])[];
  /** Names of those that mean something else in a note's file, or that would not be read back. */
  readonly leftOut: readonly string[];
};

/** `used` are names in lower case. */
export const sortOtherKeys = (
  entries: readonly (readonly [key: string, value: unknown])[],
  used: ReadonlySet<string>,
): OtherKeys => {
  const others = entries.filter(([key, value]) => !used.has(key.toLowerCase()) && !isEmpty(value));
  const isKept = ([key, value]: readonly [string, unknown], at: number): boolean =>
    at < maxKeys && !ownKeys.has(key.toLowerCase()) && isReadBack(key, value);
  return {
    kept: others.filter(isKept),
    leftOut: others.flatMap((entry, at) => (isKept(entry, at) ? [] : [entry[0]])),
  };
};

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** `links` and `cites` are reserved, though they are not fields. */
const ownKeys: ReadonlySet<string> = new Set([...noteKeys, 'links', 'cites']);

const isReadBack = (key: string, value: unknown): boolean => {
  if (!/^\p{L}[\p{L}\p{N}_ .-]{0,63}$/u.test(key)) return false;
  const { text } = writeSegment(key, value);
  return text.length <= maxUnits && splitFrontMatter(`---\n${text}---\n`).ok;
};

const maxKeys = 64;
const maxUnits = 4096;
