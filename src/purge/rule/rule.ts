/** The rule of a purge, and how it rewrites one file. Pure. */
import { findFences } from '../../events/note/fences.js';
import { isNoteType, type Note, type NoteId } from '../../events/note/note.js';
import {
  formatNoteFile,
  isEditable,
  type NoteFields,
  type NoteFile,
  parseNoteFile,
  setNoteFields,
} from '../../events/note/note-file.js';
import { encodingOf, purgedMark, purgeText, replaceSpans, type TextMatcher } from './matcher.js';

export type PurgeRule = {
  /** Notes to erase as a whole. */
  readonly notes: ReadonlySet<NoteId>;
  /** Texts to erase wherever they occur. */
  readonly text: TextMatcher | undefined;
};

/** How a rule changes a file. Depends only on the file's bytes, so every machine gets the same result. */
export type Verdict =
  | { readonly kind: 'keep' }
  /** A version of a note to erase. */
  | { readonly kind: 'drop'; readonly id: NoteId; readonly texts: readonly string[]; readonly title: string }
  | {
      readonly kind: 'replace';
      readonly bytes: Buffer;
      readonly places: number;
      /** The texts found, exactly as written there. */
      readonly texts: readonly string[];
      readonly id: NoteId | undefined;
    }
  /** The text occurs where a note can't do without it: in its id, its type, a time. */
  | { readonly kind: 'structural'; readonly key: string; readonly id: NoteId | undefined };

const keep: Verdict = { kind: 'keep' };

export const judgeFile = (bytes: Buffer, rule: PurgeRule): Verdict => {
  if (rule.notes.size > 0) {
    const file = noteIn(bytes, [...rule.notes]);
    if (file !== undefined && rule.notes.has(file.note.id)) return dropOf(file.note);
  }
  if (rule.text === undefined) return keep;
  const encoding = encodingOf(bytes);
  const text = bytes.toString(encoding);
  const spans = rule.text.spans(text);
  if (spans.length === 0 && !hidesText(text)) return keep;
  const parsed = parseNoteFile(bytes, 'portable', '');
  if (parsed.ok) return purgeNote(parsed.file, spans.length, rule.text);
  if (spans.length === 0) return keep;
  return {
    kind: 'replace',
    bytes: Buffer.from(replaceSpans(text, spans).text, encoding),
    places: spans.length,
    texts: spans.map(({ start, end }) => text.slice(start, end)),
    id: undefined,
  };
};

/** Parses only files that name one of the notes. */
const noteIn = (bytes: Buffer, ids: readonly NoteId[]): NoteFile | undefined => {
  if (!ids.some((id) => bytes.includes(id))) return undefined;
  const parsed = parseNoteFile(bytes, 'portable', '');
  return parsed.ok ? parsed.file : undefined;
};

const dropOf = (note: Note): Verdict => ({
  kind: 'drop',
  id: note.id,
  title: note.title,
  texts: [note.title, ...note.body.split('\n').map((line) => line.trim())].filter(
    (line) => line.length >= minLineLength,
  ),
});

/** A shorter line is too common to be searched for elsewhere. */
const minLineLength = 16;

/** Whether front matter has quotes or folded lines, whose values can contain a text that its source does not show. */
const hidesText = (text: string): boolean => {
  const fences = findFences(text);
  return fences.ok && /["'|>\\]|^[ \t]+[^\s-]/m.test(fences.inner);
};

/** Field by field, so that the file remains a note; text left in its source (unknown keys, comments) follows. */
const purgeNote = (file: NoteFile, inSource: number, matcher: TextMatcher): Verdict => {
  const { note } = file;
  const found: string[] = [];
  let places = 0;
  const purge = (value: string): string => {
    for (const { start, end } of matcher.spans(value)) found.push(value.slice(start, end));
    const replaced = purgeText(value, matcher);
    places += replaced.places;
    return replaced.text;
  };
  const key = structuralKeys.find((name) => matcher.spans(structuralText(note, name)).length > 0);
  if (key !== undefined) return { kind: 'structural', key, id: note.id };
  const fields = fieldsOf(note, purge);
  if (places === 0 && inSource === 0) return keep;
  const edited = isEditable(file) || places > 0 ? setNoteFields(file, fields) : file;
  const half = formatNoteFile(edited).toString('utf8');
  const left = matcher.spans(half);
  for (const { start, end } of left) found.push(half.slice(start, end));
  for (const mark of [purgedMark, bareMark]) {
    const bytes = Buffer.from(replaceSpans(half, left, mark).text);
    if (isSameNote(bytes, note))
      return { kind: 'replace', bytes, places: places + left.length, texts: found, id: note.id };
  }
  return { kind: 'structural', key: 'front matter', id: note.id };
};

/** Used where YAML would interpret the brackets. */
const bareMark = 'PURGED';

const structuralKeys = ['id', 'type', 'createdAt', 'updatedAt', 'supersedes', 'proposes', 'expiresAt'] as const;

const structuralText = (note: Note, key: (typeof structuralKeys)[number]): string => {
  const value = note[key];
  return typeof value === 'string' ? value : (value?.join('\n') ?? '');
};

const fieldsOf = (note: Note, purge: (value: string) => string): NoteFields => {
  const orNone = (value: string | undefined): string | undefined => (value === undefined ? undefined : purge(value));
  return {
    title: purge(note.title),
    project: purge(note.project),
    machineId: purge(note.machineId),
    userId: purge(note.userId),
    workspaceId: purge(note.workspaceId),
    model: orNone(note.model),
    session: orNone(note.session),
    agent: orNone(note.agent),
    sourceKey: orNone(note.sourceKey),
    tags: [...new Set(note.tags.map(purge))],
    keywords: [...new Set(note.keywords.map(purge))],
    body: purge(note.body),
  };
};

const isSameNote = (bytes: Buffer, before: Note): boolean => {
  const parsed = parseNoteFile(bytes, 'portable', '');
  return (
    parsed.ok &&
    isNoteType(parsed.file.note.type) &&
    parsed.file.note.id === before.id &&
    parsed.file.note.type === before.type
  );
};
