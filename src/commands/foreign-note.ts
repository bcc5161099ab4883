/** A note as an import reads it from any format, and the rules that the formats share. Pure. */

import { maskText } from '../events/note/mask-text.js';
import { type JournalName, type NoteId, type NoteType, type Scope, scopes } from '../events/note/note.js';
import { isLocalScope } from '../events/note/stated-scope.js';
import { isWritableTime, parseTime } from '../events/time.js';
import { maxTagChars, maxTags } from './limits.js';

export type ForeignNote = {
  /** `<format>:<name>/<key>`: the same on every machine that imports the same source. */
  readonly sourceKey: string;
  /** One line of at most 300 UTF-16 units; '' when there is none. */
  readonly title: string;
  readonly body: string;
  readonly tags: readonly string[];
  readonly keywords: readonly string[];
  readonly project: string | undefined;
  readonly type: NoteType | undefined;
  /** Not the person's own words, or not reviewed. */
  readonly untrusted?: boolean | undefined;
  readonly createdAtMs: number | undefined;
  readonly updatedAtMs: number | undefined;
  /** Set if the source determines it; otherwise derived from the key and the creation time. */
  readonly id?: NoteId | undefined;
  /** From 0 to 1. */
  readonly importance?: number | undefined;
  /** Defaults to portable. */
  readonly scope?: Scope | undefined;
  /** The file's modification time: dates a note whose text names no time. */
  readonly changedMs?: number | undefined;
  /** The note's earlier key, if its file was moved; `id` is its id. */
  readonly movedFrom?: string | undefined;
  /** Notes that its text links to. */
  readonly links?: readonly ForeignLink[] | undefined;
  /** Imported repeatedly, unattended too: takes only a newer title and text; project and tags stay as given here. */
  readonly mirrored?: true;
  /** Front matter keys that map to no field, with their values; they are kept in the note's file. */
  readonly otherKeys?: readonly (readonly [key: string, value: unknown])[] | undefined;
};

/** A link to another note of the source; a link to a missing note stays only in the text. */
export type ForeignLink = { readonly relation: string; readonly sourceKey: string };

/** A file of an Anamnesis store, imported unchanged (its id, its unknown keys, its bytes). */
export type ForeignFile = { readonly journal: JournalName; readonly path: string; readonly bytes: Buffer };

/** `where` is `notes.jsonl:17` or `sub/dir/a.md:3`, relative to the import's path. */
export type ImportProblem = { readonly where: string; readonly message: string };

export type ImportItem =
  | { readonly kind: 'note'; readonly note: ForeignNote }
  | { readonly kind: 'file'; readonly file: ForeignFile }
  | { readonly kind: 'problem'; readonly problem: ImportProblem }
  /** A file without text, or a link. */
  | { readonly kind: 'passed'; readonly path: string };

export const problemAt = (where: string, message: string): ImportItem => ({
  kind: 'problem',
  problem: { where, message },
});

const maxTitleUnits = 300;

/** Collapses whitespace and control characters into one line, and cuts it without halving a surrogate pair. */
export const cleanTitle = (text: string): string => {
  // A long title is masked before it is cut; a shorter one is masked with the note, which counts what it masks.
  const whole = text.length > maxTitleUnits ? maskText(text) : text;
  const line = whole.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  if (line.length <= maxTitleUnits) return line;
  return line
    .slice(0, maxTitleUnits)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();
};

/** Trims the entries, drops empty ones, and removes duplicates ignoring case: the first spelling wins. */
export const cleanList = (entries: readonly string[]): readonly string[] => {
  const byFolded = new Map<string, string>();
  for (const entry of entries.map((text) => text.trim())) {
    const folded = entry.toLowerCase();
    if (entry !== '' && !byFolded.has(folded)) byFolded.set(folded, entry);
  }
  return [...byFolded.values()];
};

/** Like `cleanList`, for words that a program chose: puts each on one line and applies the limits of a command. */
export const cleanWords = (entries: readonly string[]): readonly string[] =>
  cleanList(entries.map((text) => text.replace(/[\s\p{Cc}]+/gu, ' ')))
    .filter((text) => text.length <= maxTagChars)
    .slice(0, maxTags);

/** Returns undefined for a value that means something else in other programs. */
export const parseForeignScope = (value: unknown): Scope | undefined => {
  if (isLocalScope(value)) return 'machine-local';
  return typeof value === 'string' ? scopes.find((scope) => scope === value.trim().toLowerCase()) : undefined;
};

/** The scope among a record's fields and metadata, whatever the case of the keys: machine-local wins over portable. */
export const scopeOfFields = (fields: Iterable<readonly [key: string, value: unknown]>): Scope | undefined => {
  const said = [...fields].flatMap(([key, value]) => {
    const name = key.toLowerCase();
    if (name !== 'metadata' || typeof value !== 'object' || value === null) return [[name, value] as const];
    return Object.entries(value).map(([inner, one]) => [inner.toLowerCase(), one] as const);
  });
  const found = said.flatMap(([key, value]) => (key === 'scope' ? (parseForeignScope(value) ?? []) : []));
  return found.find((scope) => scope === 'machine-local') ?? found[0];
};

/** Like `parseTime`, but only a time that the note format can write back: an offset can push 9999 into 10000. */
export const parseForeignTime = (text: string): number | undefined => {
  const time = parseTime(text);
  return time !== undefined && isWritableTime(time) ? time : undefined;
};
