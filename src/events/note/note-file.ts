/** The codec of a note's file. `formatNoteFile(parseNoteFile(bytes)) = bytes`; setting a key changes only its lines. */

import { isUtf8 } from 'node:buffer';
import { formatTime, isPlainTime, isWritableTime, parseTime } from '../time.js';
import { isUlid, timeOfUlid } from '../ulid-form.js';
import { countLines, lineOfInvalidByte } from './byte-lines.js';
import {
  type FrontMatter,
  joinFrontMatter,
  lineOfKey,
  shorten,
  splitFrontMatter,
  writeSegment,
} from './front-matter.js';
import {
  describeTooLarge,
  isNoteType,
  isSource,
  type JournalName,
  maxFileBytes,
  type Note,
  type NoteId,
  scopeOf,
} from './note.js';
import { idOfPath, isNotePath } from './paths.js';
import { formatYamlKey, type YamlValue } from './yaml-text.js';

/** A note with the source text it came from. */
export type NoteFile = { readonly note: Note; readonly front: FrontMatter };

/** Why a file is not a note: where, on which line, at which key. The file is left alone and named by `status`. */
export type NoteProblem = {
  readonly code: string;
  readonly path: string;
  readonly line: number;
  readonly key: string | undefined;
  readonly message: string;
};

export type ParsedFile =
  | { readonly ok: true; readonly file: NoteFile }
  | { readonly ok: false; readonly problem: NoteProblem };

/** The fields of a note that a command may set. Undefined removes an optional key. */
export type NoteFields = Partial<{ readonly [Key in keyof Omit<Note, 'id'>]: Note[Key] }>;

export const describeProblem = ({ path, line, key, message }: NoteProblem): string =>
  `${path}:${line}: ${key === undefined ? '' : `${key}: `}${message}`;

/** The same without the path. */
export const describeInFile = ({ line, key, message }: NoteProblem): string =>
  `line ${line}: ${key === undefined ? '' : `${key}: `}${message}`;

export const parseNoteFile = (bytes: Buffer, journal: JournalName, path: string): ParsedFile => {
  const refuse = (code: string, line: number, message: string, key?: string): ParsedFile => ({
    ok: false,
    problem: { code, path, line, key, message },
  });
  if (bytes.length === 0) return refuse('empty', 1, 'the file is empty; it is read once it has content');
  if (bytes.length > maxFileBytes) return refuse('too-large', 1, describeTooLarge(bytes.length));
  if (!isUtf8(bytes)) return refuse('not-utf8', lineOfInvalidByte(bytes), 'the file is not valid UTF-8');
  const nul = bytes.indexOf(0);
  if (nul !== -1) return refuse('nul-byte', countLines(bytes.subarray(0, nul)), 'the file has a NUL byte');
  const split = splitFrontMatter(bytes.toString('utf8'));
  if (!split.ok) return refuse(split.problem.code, split.problem.line, split.problem.message);
  try {
    const note = readNote(split.front, split.body, journal);
    if (isNotePath(path) && note.id !== idOfPath(path)) throw new KeyError('misnamed', 'id', describeMisnamed(note.id));
    return { ok: true, file: { note, front: split.front } };
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    return refuse(error.code, lineOfKey(split.front, error.key), shorten(error.message), error.key);
  }
};

const describeMisnamed = (id: NoteId): string =>
  `it says it is note ${id}, but it is not named ${id}.md: rename it, or move it away`;

/** The problem of a file whose content was not read from git: too large (`size` in bytes) or missing (undefined). */
export const unreadFile = (path: string, size: number | undefined): ParsedFile => {
  const problem =
    size === undefined
      ? { code: 'not-there', message: 'git does not have its content; run anamnesis verify for details' }
      : { code: 'too-large', message: describeTooLarge(size) };
  return { ok: false, problem: { ...problem, path, line: 1, key: undefined } };
};

export const formatNoteFile = (file: NoteFile): Buffer => Buffer.from(joinFrontMatter(file.front, file.note.body));

/** A new file with the keys in the order of the format. */
export const newNoteFile = (note: Note): NoteFile => {
  const front: FrontMatter = { mark: '', open: '---\n', segments: [], close: '---\n', eol: '\n', values: {} };
  const segments = keyOrder.flatMap(({ key, value }) => {
    const emitted = value(note);
    return emitted === undefined ? [] : [{ key, text: formatYamlKey(key, emitted, '\n') }];
  });
  return { note, front: { ...front, segments } };
};

/** Sets fields; keys whose value stays the same keep their source text, and new keys go where the format puts them. */
export const setNoteFields = (file: NoteFile, fields: NoteFields): NoteFile =>
  setKeys(file, { ...file.note, ...fields });

export const withNoteId = (file: NoteFile, id: NoteId): NoteFile => setKeys(file, { ...file.note, id });

const setKeys = (file: NoteFile, note: Note): NoteFile => {
  if (!isEditable(file) && keyOrder.some(({ value }) => !sameValue(value(file.note), value(note))))
    return rewriteNoteFile(file, note);
  let segments = file.front.segments;
  for (const { key, value } of keyOrder) {
    const before = value(file.note);
    const after = value(note);
    if (sameValue(before, after)) continue;
    const rest = segments.filter((segment) => segment.key !== key);
    if (after === undefined) {
      segments = rest;
      continue;
    }
    const text = formatYamlKey(key, after, file.front.eol);
    const place = segments.findIndex((segment) => segment.key === key);
    if (place !== -1) segments = segments.map((segment, at) => (at === place ? { key, text } : segment));
    else segments = insertInOrder(segments, key, text);
  }
  return { note, front: { ...file.front, segments } };
};

/** True if every top-level key has lines of its own and none uses an alias, as setting a key requires. */
export const isEditable = ({ front }: NoteFile): boolean => {
  const keys = front.segments.map((segment) => segment.key).filter((key) => key !== '');
  const read = Object.keys(front.values);
  const distinct = new Set(keys);
  return (
    keys.length === read.length &&
    read.every((key) => distinct.has(key)) &&
    !front.segments.some(({ text }) => aliasValue.test(text))
  );
};

/** Matches `key: *name` and `- *name`: the anchor may be in a key that is about to be set. */
const aliasValue = /(?:[:?-][ \t]+|[[,{][ \t]*)\*[^\s,[\]{}]/;

/** Rewrites front matter that `isEditable` rejects, key by key; no value is lost. */
export const rewriteNoteFile = ({ front }: Pick<NoteFile, 'front'>, note: Note): NoteFile => {
  const known = new Set(keyOrder.map(({ key }) => key));
  const fresh = newNoteFile(note).front;
  const unknown = Object.entries(front.values).filter(([key]) => !known.has(key));
  return {
    note,
    front: { ...fresh, segments: [...fresh.segments, ...unknown.map(([key, value]) => writeSegment(key, value))] },
  };
};

type KeyOrder = { readonly key: string; readonly value: (note: Note) => YamlValue | undefined };

const orNothing = (list: readonly string[]): readonly string[] | undefined => (list.length === 0 ? undefined : list);

/** The keys in the order in which they are written; those with the value undefined are left out. */
const keyOrder: readonly KeyOrder[] = [
  { key: 'id', value: (note) => note.id },
  { key: 'type', value: (note) => note.type },
  { key: 'title', value: (note) => note.title },
  { key: 'project', value: (note) => note.project },
  { key: 'machine_id', value: (note) => note.machineId },
  { key: 'scope', value: (note) => note.scope },
  { key: 'user_id', value: (note) => note.userId },
  { key: 'workspace_id', value: (note) => note.workspaceId },
  { key: 'prov_source', value: (note) => note.source },
  { key: 'confidence', value: (note) => note.confidence },
  { key: 'prov_model', value: (note) => note.model },
  { key: 'prov_session', value: (note) => note.session },
  { key: 'supersedes', value: (note) => orNothing(note.supersedes) },
  { key: 'created_at', value: (note) => note.createdAt },
  { key: 'updated_at', value: (note) => note.updatedAt },
  { key: 'tags', value: (note) => note.tags },
  { key: 'agent', value: (note) => note.agent },
  { key: 'importance', value: (note) => note.importance },
  { key: 'keywords', value: (note) => orNothing(note.keywords) },
  { key: 'expires_at', value: (note) => note.expiresAt },
  { key: 'sensitive', value: (note) => (note.sensitive ? true : undefined) },
  { key: 'source_key', value: (note) => note.sourceKey },
  { key: 'proposes', value: (note) => orNothing(note.proposes) },
  { key: 'untrusted', value: (note) => (note.untrusted === true ? true : undefined) },
];

/** The keys this program knows; all others are kept as they are. */
export const noteKeys: ReadonlySet<string> = new Set(keyOrder.map(({ key }) => key));

const sameValue = (a: YamlValue | undefined, b: YamlValue | undefined): boolean =>
  Array.isArray(a) && Array.isArray(b) ? a.length === b.length && a.every((entry, at) => entry === b[at]) : a === b;

const insertInOrder = (segments: FrontMatter['segments'], key: string, text: string): FrontMatter['segments'] => {
  const order = keyOrder.map((entry) => entry.key);
  const before = new Set(order.slice(0, order.indexOf(key)));
  const place = segments.findLastIndex((segment) => before.has(segment.key)) + 1;
  return [...segments.slice(0, place), { key, text }, ...segments.slice(place)];
};

class KeyError extends Error {
  constructor(
    readonly code: string,
    readonly key: string,
    message: string,
  ) {
    super(message);
  }
}

const readNote = (front: FrontMatter, body: string, journal: JournalName): Note => {
  const { values } = front;
  const text = (key: string): string | undefined => readText(values, key);
  const id = text('id');
  if (id === undefined) throw new KeyError('no-id', 'id', 'the id is missing');
  if (!isUlid(id)) throw new KeyError('no-id', 'id', `not a ULID in upper case: ${JSON.stringify(id)}`);
  const type = text('type');
  if (type === undefined || !isNoteType(type)) {
    throw new KeyError(
      'wrong-type',
      'type',
      `must be procedural, semantic or episodic, not ${JSON.stringify(type ?? null)}`,
    );
  }
  if (!Object.hasOwn(values, 'title')) throw new KeyError('no-title', 'title', 'the key is missing');
  const source = text('prov_source') ?? 'human';
  if (!isSource(source)) throw new KeyError('wrong-source', 'prov_source', `unknown source ${JSON.stringify(source)}`);
  const createdAt = readTime(values, 'created_at') ?? formatTime(timeOfUlid(id));
  return {
    id,
    type,
    title: text('title') ?? '',
    project: text('project') ?? 'global',
    machineId: text('machine_id') ?? 'unknown',
    scope: scopeOf(journal),
    userId: text('user_id') ?? 'self',
    workspaceId: text('workspace_id') ?? 'personal',
    source,
    confidence: readNumber(values, 'confidence') ?? 1,
    model: text('prov_model'),
    session: text('prov_session'),
    supersedes: readList(values, 'supersedes'),
    createdAt,
    updatedAt: readTime(values, 'updated_at') ?? createdAt,
    tags: readList(values, 'tags'),
    agent: text('agent'),
    importance: readNumber(values, 'importance'),
    keywords: readList(values, 'keywords'),
    expiresAt: readTime(values, 'expires_at'),
    sensitive: text('sensitive') === 'true',
    sourceKey: text('source_key'),
    proposes: readList(values, 'proposes'),
    ...(text('untrusted') === 'true' ? { untrusted: true } : {}),
    body,
  };
};

type Values = FrontMatter['values'];

/** Undefined when the key is missing or empty. */
const readText = (values: Values, key: string): string | undefined => {
  const value = Object.hasOwn(values, key) ? values[key] : undefined;
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string')
    throw new KeyError('wrong-value', key, 'must be one line of text, not a list or a map');
  return value;
};

const readNumber = (values: Values, key: string): number | undefined => {
  const text = readText(values, key);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value)) throw new KeyError('wrong-value', key, `must be a number, not ${JSON.stringify(text)}`);
  return value;
};

const readTime = (values: Values, key: string): string | undefined => {
  const text = readText(values, key);
  if (text === undefined || isPlainTime(text)) return text;
  const time = parseTime(text);
  if (time === undefined || !isWritableTime(time))
    throw new KeyError('wrong-value', key, `must be a time, not ${JSON.stringify(text)}`);
  return formatTime(time);
};

const readList = (values: Values, key: string): readonly string[] => {
  const value = Object.hasOwn(values, key) ? values[key] : undefined;
  if (value === undefined || value === null || value === '') return [];
  if (typeof value === 'string') return [value];
  const entries = Array.isArray(value) ? value.filter((entry) => entry !== null) : undefined;
  if (entries?.every((entry) => typeof entry === 'string')) return entries;
  throw new KeyError('wrong-value', key, 'must be a list of texts');
};
