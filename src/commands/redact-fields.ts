/**
 * Masks secrets in what a note says: in every field that carries free text, and in the source text of a file, comments and
 * all. Git history is for ever, so nothing gets round this. Pure.
 */

import { isDeepStrictEqual } from 'node:util';
import { readSegment, type Segment, writeSegment } from '../events/note/front-matter.js';
import { journalOf } from '../events/note/note.js';
import {
  formatNoteFile,
  type NoteFile,
  noteKeys,
  parseNoteFile,
  rewriteNoteFile,
  setNoteFields,
} from '../events/note/note-file.js';
import { type Masked, redact } from '../events/note/redact.js';

export type FreeText = {
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly keywords?: readonly string[] | undefined;
  /** Named by a folder or a remote, whose names are anybody's. */
  readonly project?: string | undefined;
};

export const redactFields = <Fields extends FreeText>(
  fields: Fields,
): { fields: Fields; masked: readonly Masked[] } => {
  const found: Masked[] = [];
  const mask = (text: string): string => {
    const result = redact(text);
    found.push(...result.masked);
    return result.text;
  };
  // Two secrets leave one mask.
  const maskEach = (list: readonly string[]): readonly string[] =>
    list.map(mask).filter((text, at, all) => text === list[at] || all.indexOf(text) === at);
  const masked = {
    ...fields,
    ...(fields.title === undefined ? {} : { title: mask(fields.title) }),
    ...(fields.body === undefined ? {} : { body: mask(fields.body) }),
    ...(fields.project === undefined ? {} : { project: mask(fields.project) }),
    ...(fields.tags === undefined ? {} : { tags: maskEach(fields.tags) }),
    ...(fields.keywords === undefined ? {} : { keywords: maskEach(fields.keywords) }),
  };
  return { fields: masked, masked: addUp(found) };
};

/** One entry per kind, by kind. */
export const addUp = (masked: readonly Masked[]): readonly Masked[] => {
  const countByKind = new Map<Masked['kind'], number>();
  for (const { kind, count } of masked) countByKind.set(kind, (countByKind.get(kind) ?? 0) + count);
  return [...countByKind].map(([kind, count]) => ({ kind, count })).sort((a, b) => (a.kind < b.kind ? -1 : 1));
};

/** The same file where there is nothing to mask; else a note still, with the keys that hold no secret as they are. */
export const redactFile = (file: NoteFile): { readonly file: NoteFile; readonly masked: readonly Masked[] } => {
  const { title, body, tags, keywords } = file.note;
  const { fields, masked } = redactFields({ title, body, tags, keywords });
  const clean = masked.length === 0 ? file : setNoteFields(file, fields);
  const { front, note } = clean;
  const found: Masked[] = [];
  const segments = front.segments.map((segment, at) => {
    const before = front.segments[at - 1];
    const result = segment.key === '' ? maskComments(segment, before) : maskSegment(segment);
    found.push(...result.masked);
    return result.segment;
  });
  if (found.length === 0) return { file: clean, masked };
  const again = parseNoteFile(formatNoteFile({ note, front: { ...front, segments } }), journalOf(note.scope), '');
  if (again.ok) return { file: again.file, masked: addUp([...masked, ...found]) };
  // Each key on lines of its own, and then once more.
  const rewritten = rewriteNoteFile({ front: { ...front, values: maskValues(front.values) } }, note);
  return { file: redactFile(rewritten).file, masked: addUp([...masked, ...found]) };
};

/**
 * Of a key that the program knows, its name is no sign of a secret, or it would make one of a session's id or the hash of a
 * cited file.
 */
const isPlainKey = (key: string): boolean => noteKeys.has(key) || key === 'cites';

/** Without the name of a key that the program knows. */
const startOf = ({ key, text }: Segment): number => (isPlainKey(key) ? text.indexOf(':') + 1 : 0);

type MaskedSegment = { readonly segment: Segment; readonly masked: readonly Masked[] };

/**
 * Lines without a key: comments and blanks, or front matter whose keys do not stand on lines of their own. A secret may
 * begin in the comment behind the value above.
 */
const maskComments = (segment: Segment, above: Segment | undefined): MaskedSegment => {
  const front = above === undefined ? '' : above.text.slice(startOf(above));
  const { text, masked } = redact(front + segment.text);
  const frontOnly = redact(front);
  if (masked.length === 0) return { segment, masked };
  if (text === frontOnly.text + segment.text) return { segment, masked: [] };
  const rest = text.startsWith(frontOnly.text) ? text.slice(frontOnly.text.length) : '# [REDACTED:secret-value]\n';
  const own = redact(segment.text).masked;
  return { segment: { key: '', text: rest }, masked: own.length > 0 ? own : masked };
};

/** The lines of one key. */
export const maskSegment = (segment: Segment): MaskedSegment => {
  const { key, text } = segment;
  const start = startOf(segment);
  const { text: rest, masked } = redact(text.slice(start));
  const raw = { key, text: text.slice(0, start) + rest };
  const inValue: Masked[] = [];
  const before = readSegment(segment);
  const wanted = maskValue(before, (one) => {
    const result = redact(one);
    inValue.push(...result.masked);
    return result.text;
  });
  if (masked.length === 0 && inValue.length === 0) return { segment, masked };
  return { segment: chooseSegment(raw, before, wanted), masked: masked.length === 0 ? inValue : masked };
};

/** The masked lines, or lines that say the masked value where those would say something else. */
const chooseSegment = (raw: Segment, before: unknown, wanted: unknown): Segment => {
  const { key } = raw;
  const after = readSegment(raw);
  if (isDeepStrictEqual(after, wanted)) return raw;
  const fresh = wanted === undefined ? undefined : writeSegment(key, wanted);
  if (fresh !== undefined && redact(fresh.text.slice(startOf(fresh))).masked.length === 0) return fresh;
  // It may be another sort of value now, which does no harm where nobody reads it.
  if (after !== undefined && !noteKeys.has(key)) return raw;
  return writeSegment(key, Array.isArray(before) ? [] : '[REDACTED:secret-value]');
};

/** The same value where it holds no secret. */
const maskValue = (value: unknown, mask: (text: string) => string): unknown => {
  if (typeof value === 'string') return mask(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const list = value.map((entry: unknown) => maskValue(entry, mask));
    return list.every((entry, at) => entry === value[at]) ? value : list;
  }
  const entries = Object.entries(value);
  const masked = entries.map(([key, entry]) => [mask(key), maskValue(entry, mask)] as const);
  return masked.every(([key, entry], at) => key === entries[at]?.[0] && entry === entries[at]?.[1])
    ? value
    : Object.fromEntries(masked);
};

const maskValues = (values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const plain = (text: string): string => redact(text).text;
      return [isPlainKey(key) ? key : plain(key), maskValue(value, plain)];
    }),
  );
