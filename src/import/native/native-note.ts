/** Reads files of a Claude home and of the projects it knows, and converts its own memory to a note's fields. */
import {
  cleanList,
  cleanTitle,
  type ForeignNote,
  type ImportItem,
  parseForeignTime,
  problemAt,
  scopeOfFields,
} from '../../commands/foreign-note.js';
import type { TrustedProjects } from '../../config/project.js';
import type { NoteType } from '../../events/note/note.js';
import { findBadText, readWhole } from '../files.js';
import { type ForeignValues, readNested, readText, splitForeign } from '../markdown/markdown-front.js';
import { findHeading } from '../markdown/markdown-heading.js';
import { titleOfPath, trimBlankLines } from '../markdown/markdown-note.js';

/** `kind` is the file's own word for what it holds: user, feedback, project, reference or another one. */
type NativeMemory = Pick<ForeignNote, 'title' | 'body' | 'keywords' | 'scope'> & {
  readonly kind: string | undefined;
  readonly type: NoteType;
  /** When the file was changed, according to its front matter. */
  readonly modifiedMs: number | undefined;
};

/** Front matter is flat in older files; in newer ones type and time are under `metadata`. */
export const parseNativeMemory = (text: string, name: string): NativeMemory => {
  const { values, body, prose } = splitForeign(text);
  const metadata = readNested(values, 'metadata');
  const kind = cleanKind(readText(metadata, 'type') ?? readText(values, 'type'));
  const ownName = readText(values, 'name');
  const description = readText(values, 'description');
  return {
    title: cleanTitle(description ?? ownName ?? findHeading(prose) ?? titleOfPath(name)),
    body: endWithLineFeed(trimBlankLines(body)),
    keywords: description === undefined || ownName === undefined ? [] : cleanList([cleanTitle(ownName)]),
    kind,
    type: kind === 'feedback' ? 'procedural' : 'semantic',
    modifiedMs: timeOf(metadata) ?? timeOf(values),
    scope: scopeOfFields(values),
  };
};

/** A tag is one short word. */
const cleanKind = (text: string | undefined): string | undefined => {
  const kind = text?.toLowerCase().replace(/[\s\p{Cc}]+/gu, '-');
  return kind === undefined || kind.length > 40 ? undefined : kind;
};

const timeOf = (values: ForeignValues): number | undefined => parseForeignTime(readText(values, 'modified') ?? '');

/** The Python program ends a body with a line feed: one without it would be rewritten back and forth. */
export const endWithLineFeed = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);
export type NativeOptions = {
  /** The person's home folder, which is not a project. */
  readonly userHome: string;
  /** Project markers that the person confirmed. */
  readonly trusted?: TrustedProjects | undefined;
  /** This machine's name: the instructions in a Claude home belong to one machine. */
  readonly machine: string;
  /** Imports CLAUDE.md files and rules too. */
  readonly claudeMd: boolean;
};

type NativeText =
  | { readonly ok: true; readonly text: string; readonly changedMs: number }
  | { readonly ok: false; readonly problem: ImportItem };

/** A larger file is not a memory file: Claude Code itself loads 25 KB of one. */
export const maxNativeBytes = 1024 * 1024;

/** `shown` is the path that a problem names. Blank text is not a problem. */
export const readNativeText = (file: string, shown: string): NativeText => {
  const read = readWhole(file, maxNativeBytes);
  if (!read.ok) return { ok: false, problem: problemAt(shown, read.message) };
  const bad = read.bytes.length === 0 ? undefined : findBadText(read.bytes);
  return bad === undefined
    ? { ok: true, text: read.bytes.toString('utf8'), changedMs: read.changedMs }
    : { ok: false, problem: problemAt(`${shown}:${bad.line}`, bad.message) };
};
