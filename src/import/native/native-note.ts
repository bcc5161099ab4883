/** Reads files of a Claude home and of the projects it knows, and converts its own memory to a note's fields. */

import { isAbsolute, join } from 'node:path';
import {
  cleanList,
  cleanTitle,
  type ForeignNote,
  type ImportItem,
  parseForeignTime,
  problemAt,
  scopeOfFields,
} from '../../commands/foreign-note.js';
import { globalProject, projectOfFolder, type TrustedProjects } from '../../config/project.js';
import type { NoteType } from '../../events/note/note.js';
import { findBadText, listEntries, readBeginning, readWhole } from '../files.js';
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

/** Names the project as `projectOfFolder` does, or after the slug's last part if no transcript tells its folder. */
export const projectOfSlug = (slugFolder: string, slug: string, { userHome, trusted }: NativeOptions): string => {
  const folder = readWorkingFolder(slugFolder, slug);
  return folder === undefined ? lastPart(slug) : projectOfFolder(folder, userHome, trusted);
};

/** Limit of transcript bytes read for one slug. */
const maxTranscriptBytes = 64 * 1024;

/** Returns the folder that the transcripts beside the memory were made in; of several, the one that gives this slug. */
export const readWorkingFolder = (slugFolder: string, slug: string): string | undefined => {
  let left = maxTranscriptBytes;
  let other: string | undefined;
  for (const name of listTranscripts(slugFolder)) {
    if (left <= 0) break;
    const bytes = readBeginning(join(slugFolder, name), left);
    left -= bytes.length;
    for (const folder of listWorkingFolders(bytes)) {
      if (slugOf(folder) === slug) return folder;
      other ??= folder;
    }
    if (other !== undefined) break;
  }
  return other;
};

/** Names a project's folder as Claude Code does: a long path is cut and followed by a hash of the whole. */
export const slugOf = (path: string): string => {
  const slug = path.replace(/[^A-Za-z0-9]/g, '-');
  if (slug.length <= maxSlugUnits) return slug;
  let hash = 0;
  for (let at = 0; at < path.length; at += 1) hash = (Math.imul(hash, 31) + path.charCodeAt(at)) | 0;
  return `${slug.slice(0, maxSlugUnits)}-${Math.abs(hash).toString(36)}`;
};

const maxSlugUnits = 200;

/** Empty for a folder that cannot be read. */
const listTranscripts = (folder: string): readonly string[] => {
  const entries = listEntries(folder);
  return typeof entries === 'string'
    ? []
    : entries.filter(({ name, kind }) => kind === 'file' && name.endsWith('.jsonl')).map(({ name }) => name);
};

/** Yields the `cwd` of each line, skipping those that are cut off or damaged. */
function* listWorkingFolders(bytes: Buffer): Generator<string> {
  for (const line of bytes.toString('utf8').split('\n')) {
    const folder = line.includes('"cwd"') ? readCwd(line) : undefined;
    if (folder !== undefined) yield folder;
  }
}

const readCwd = (line: string): string | undefined => {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null || !('cwd' in value)) return undefined;
    const { cwd } = value;
    return typeof cwd === 'string' && isAbsolute(cwd) && !cwd.includes('\0') ? cwd : undefined;
  } catch {
    return undefined;
  }
};

const lastPart = (slug: string): string =>
  slug
    .split('-')
    .findLast((part) => part !== '')
    ?.toLowerCase() ?? globalProject;
