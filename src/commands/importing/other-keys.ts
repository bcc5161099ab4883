/** Writes keys of foreign front matter into a note's file. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { readSegment, writeSegment } from '../../events/note/front-matter.js';
import type { NoteFile } from '../../events/note/note-file.js';
import type { MaskCount } from '../../events/note/redact.js';
import { maskSegments } from '../redact-fields.js';

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
