/** Masks secrets in a note's texts and a file's source; history is permanent, so nothing bypasses this. Pure. */

import { isDeepStrictEqual } from 'node:util';
import { readSegment, type Segment, writeSegment } from '../events/note/front-matter.js';
import { journalOf } from '../events/note/note.js';
import {
  formatNoteFile,
  isEditable,
  type NoteFile,
  noteKeys,
  parseNoteFile,
  rewriteNoteFile,
  setNoteFields,
} from '../events/note/note-file.js';
import { type MaskCount, redact } from '../events/note/redact.js';

export type FreeText = {
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly keywords?: readonly string[] | undefined;
  /** Derived from the name of a folder or a remote, which can be anything. */
  readonly project?: string | undefined;
};

export const redactFields = <Fields extends FreeText>(
  fields: Fields,
): { fields: Fields; masked: readonly MaskCount[] } => {
  const found: MaskCount[] = [];
  const mask = (text: string): string => {
    const result = redact(text);
    found.push(...result.masked);
    return result.text;
  };
  // Two secrets may leave the same mask, which is kept once.
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

/** Adds up the counts per kind, sorted by kind. */
export const addUp = (masked: readonly MaskCount[]): readonly MaskCount[] => {
  const countByKind = new Map<MaskCount['kind'], number>();
  for (const { kind, count } of masked) countByKind.set(kind, (countByKind.get(kind) ?? 0) + count);
  return [...countByKind].map(([kind, count]) => ({ kind, count })).sort((a, b) => (a.kind < b.kind ? -1 : 1));
};

/** Returns the same file if there is nothing to mask; otherwise still a note, with its other keys unchanged. */
export const redactFile = (file: NoteFile): { readonly file: NoteFile; readonly masked: readonly MaskCount[] } => {
  const { title, body, tags, keywords } = file.note;
  const { fields, masked } = redactFields({ title, body, tags, keywords });
  const clean = masked.length === 0 ? file : setNoteFields(file, fields);
  const { front, note } = clean;
  const names = maskKeys(front.segments.map(({ key }) => key));
  const found: MaskCount[] = [];
  const segments = front.segments.map((segment, at) => {
    const before = front.segments[at - 1];
    const result = segment.key === '' ? maskComments(segment, before) : maskSegment(segment, names[at]);
    found.push(...result.masked);
    return result.segment;
  });
  const again = found.length === 0 ? clean : parseAgain({ note, front: { ...front, segments } });
  const unseen = again === undefined ? [] : findInValues(again);
  found.push(...unseen);
  if (again !== undefined && unseen.length === 0)
    return { file: again, masked: found.length === 0 ? masked : addUp([...masked, ...found]) };
  // Puts each key on its own lines, then masks once more.
  const rewritten = rewriteNoteFile({ front: { ...front, values: maskValues(front.values).values } }, note);
  return { file: redactFile(rewritten).file, masked: addUp([...masked, ...found]) };
};

const parseAgain = (file: NoteFile): NoteFile | undefined => {
  const parsed = parseNoteFile(formatNoteFile(file), journalOf(file.note.scope), '');
  return parsed.ok ? parsed.file : undefined;
};

/** A key that doesn't start its own line was not recognised, and may be written so that its text shows no secret. */
const findInValues = (file: NoteFile): readonly MaskCount[] =>
  isEditable(file) ? [] : maskValues(file.front.values).masked;

/** A known key's name doesn't make its value a secret, or a session's id or a cited file's hash would count as one. */
const isPlainKey = (key: string): boolean => noteKeys.has(key) || key === 'cites';

/** The offset at which masking starts: past the name of a known key. */
const startOf = ({ key, text }: Segment): number => (isPlainKey(key) ? text.indexOf(':') + 1 : 0);

/** Masks the names of sibling keys: two secrets get different names, so that no value is lost. */
const maskKeys = (keys: readonly string[], mask = maskKey): readonly string[] => {
  const names = keys.map(mask);
  const taken = new Set(keys.filter((key, at) => key === names[at]));
  const countByName = new Map<string, number>();
  return names.map((name, at) => {
    if (name === keys[at]) return name;
    let count = countByName.get(name) ?? 0;
    let free: string;
    do {
      count += 1;
      free = count === 1 ? name : `${name} ${count}`;
    } while (taken.has(free));
    countByName.set(name, count);
    return free;
  });
};

const maskKey = (key: string): string => (isPlainKey(key) ? key : redact(key).text);

type MaskedSegment = { readonly segment: Segment; readonly masked: readonly MaskCount[] };

/** Masks lines without a key of their own; a secret may begin in the comment behind the value above. */
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

/** Masks the lines of several keys: the value if it holds a secret, and the name if it is one. */
export const maskSegments = (segments: readonly Segment[]): readonly MaskedSegment[] => {
  const names = maskKeys(segments.map(({ key }) => key));
  return segments.map((segment, at) => maskSegment(segment, names[at]));
};

const maskSegment = (segment: Segment, name = segment.key): MaskedSegment => {
  const { key, text } = segment;
  const start = startOf(segment);
  const { text: rest, masked } = redact(text.slice(start));
  const raw = { key, text: text.slice(0, start) + rest };
  const inValue: MaskCount[] = name === key ? [] : [...redact(key).masked];
  const before = readSegment(segment);
  const wanted = maskValue(before, (one) => {
    const result = redact(one);
    inValue.push(...result.masked);
    return result.text;
  });
  if (masked.length === 0 && inValue.length === 0) return { segment, masked };
  return { segment: chooseSegment(raw, name, before, wanted), masked: masked.length === 0 ? inValue : masked };
};

/** Returns the masked lines, or lines with the masked name and value if those would parse as something else. */
const chooseSegment = (raw: Segment, name: string, before: unknown, wanted: unknown): Segment => {
  const { key } = raw;
  const after = readSegment(raw);
  if (name === key && isDeepStrictEqual(after, wanted)) return raw;
  const fresh = wanted === undefined ? undefined : writeSegment(name, wanted);
  if (fresh !== undefined && isClean(fresh)) return fresh;
  // The value may have another type now, which is harmless for a key that the program doesn't read.
  if (name === key && after !== undefined && !noteKeys.has(key)) return raw;
  const empty = Array.isArray(before) ? [] : hidden;
  const last = writeSegment(name, empty);
  return noteKeys.has(key) || isClean(last) ? last : writeSegment(hidden, empty);
};

const hidden = '[REDACTED:secret-value]';

const isClean = (segment: Segment): boolean => redact(segment.text.slice(startOf(segment))).masked.length === 0;

/** Returns the same value if it holds no secret. */
const maskValue = (value: unknown, mask: (text: string) => string): unknown => {
  if (typeof value === 'string') return mask(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const list = value.map((entry: unknown) => maskValue(entry, mask));
    return list.every((entry, at) => entry === value[at]) ? value : list;
  }
  const entries = Object.entries(value);
  const names = maskKeys(
    entries.map(([key]) => key),
    mask,
  );
  const masked = entries.map(([key, entry], at) => [names[at] ?? key, maskValue(entry, mask)] as const);
  return masked.every(([key, entry], at) => key === entries[at]?.[0] && entry === entries[at]?.[1])
    ? value
    : Object.fromEntries(masked);
};

type Values = Readonly<Record<string, unknown>>;

const maskValues = (values: Values): { readonly values: Values; readonly masked: readonly MaskCount[] } => {
  const found: MaskCount[] = [];
  const mask = (text: string): string => {
    const result = redact(text);
    found.push(...result.masked);
    return result.text;
  };
  const entries = Object.entries(values);
  const names = maskKeys(
    entries.map(([key]) => key),
    (key) => (isPlainKey(key) ? key : mask(key)),
  );
  const masked = entries.map(([key, value], at) => [names[at] ?? key, maskValue(value, mask)] as const);
  return { values: Object.fromEntries(masked), masked: found };
};
