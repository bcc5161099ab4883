/** A note as an import reads it, whatever the format, and the small rules that the formats share. Pure. */

import { maskText } from '../events/note/mask-text.js';
import { type JournalName, type NoteId, type NoteType, type Scope, scopes } from '../events/note/note.js';
import { isLocalScope } from '../events/note/said-scope.js';
import { isWritableTime, parseTime } from '../events/time.js';
import { maxTagChars, maxTags } from './limits.js';

/** One foreign note. */
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
  readonly createdAtMs: number | undefined;
  readonly updatedAtMs: number | undefined;
  /** Where the source rules it; else it follows from the key and the creation time. */
  readonly id?: NoteId | undefined;
  /** 0 to 1. */
  readonly importance?: number | undefined;
  /** Portable when not given. */
  readonly scope?: Scope | undefined;
  /**
   * When its file was changed: dates a note whose text says no time. A file older than its note doesn't change the text:
   * another machine has a newer one, and the two would go back and forth for ever.
   */
  readonly changedMs?: number | undefined;
  /** It is there under another key, because its file was moved; `id` is its id. */
  readonly movedFrom?: string | undefined;
  /** Its import was undone, and is asked for again. */
  readonly comesBack?: true;
  /** Notes that its text links to. */
  readonly links?: readonly ForeignLink[] | undefined;
  /**
   * Imported over and over, also unasked: a note that is there takes only a newer title and text, and keeps the project
   * and the tags that it was given here.
   */
  readonly mirrored?: true;
  /** Keys of its front matter that no field is made of, with their values; they stand in the note's file. */
  readonly otherKeys?: readonly (readonly [key: string, value: unknown])[] | undefined;
  /** Names of keys that neither a field nor a note's file has a place for; they are said. */
  readonly leftOut?: readonly string[] | undefined;
  /** Not imported where another note says the same. */
  readonly skipWhenTextKnown?: true;
};

/** A link to another note of the source; one to a note that is not there is left to the text. */
export type ForeignLink = { readonly relation: string; readonly sourceKey: string };

/** A file of an Anamnesis store, taken over as it is (its id, its unknown keys, its bytes). */
export type ForeignFile = { readonly journal: JournalName; readonly path: string; readonly bytes: Buffer };

/** `where` is `notes.jsonl:17` or `sub/dir/a.md:3`, seen from the import's path. */
export type ImportProblem = { readonly where: string; readonly message: string };

export type ImportItem =
  | { readonly kind: 'note'; readonly note: ForeignNote }
  | { readonly kind: 'file'; readonly file: ForeignFile }
  | { readonly kind: 'problem'; readonly problem: ImportProblem }
  /** A file that holds no text, or a link. */
  | { readonly kind: 'passed'; readonly path: string };

export const problemAt = (where: string, message: string): ImportItem => ({
  kind: 'problem',
  problem: { where, message },
});

const maxTitleUnits = 300;

/** On one line, whitespace and control characters collapsed, cut without halving a surrogate pair. */
export const cleanTitle = (text: string): string => {
  // Masked before it is cut; a shorter one is masked with the note, which counts what it masks.
  const whole = text.length > maxTitleUnits ? maskText(text) : text;
  const line = whole.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  if (line.length <= maxTitleUnits) return line;
  return line
    .slice(0, maxTitleUnits)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();
};

/** Trimmed, empty ones dropped, unique ignoring case: the first spelling wins. */
export const cleanList = (entries: readonly string[]): readonly string[] => {
  const byFolded = new Map<string, string>();
  for (const entry of entries.map((text) => text.trim())) {
    const folded = entry.toLowerCase();
    if (entry !== '' && !byFolded.has(folded)) byFolded.set(folded, entry);
  }
  return [...byFolded.values()];
};

/** As `cleanList`, for words that a program chose: each on one line, none longer and no more than a command may set. */
export const cleanWords = (entries: readonly string[]): readonly string[] =>
  cleanList(entries.map((text) => text.replace(/[\s\p{Cc}]+/gu, ' ')))
    .filter((text) => text.length <= maxTagChars)
    .slice(0, maxTags);

/** Undefined for what other programs mean by a scope. */
export const parseForeignScope = (value: unknown): Scope | undefined => {
  if (isLocalScope(value)) return 'machine-local';
  return typeof value === 'string' ? scopes.find((scope) => scope === value.trim().toLowerCase()) : undefined;
};

/** Of the fields of a record and of its metadata, in any case: one that keeps it here counts before one that does not. */
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
