/** Finds and reads the files of an import: in a fixed order, without following links, naming unreadable ones. */
import { isUtf8 } from 'node:buffer';
import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { countLines, lineOfInvalidByte } from '../events/note/byte-lines.js';
import { maxFileBytes } from '../events/note/note.js';
import { statGiven } from '../files/given-file.js';

/** Paths are relative to the root, with forward slashes; '' is the root itself. */
export type FoundFile =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'unreadable'; readonly path: string; readonly message: string };

/** Which folders to enter and which files to find, by their relative path. */
type FileSelection = {
  readonly folder: (path: string) => boolean;
  readonly file: (path: string) => boolean;
  /** Called with every other file and every link. */
  readonly onPassed?: ((path: string) => void) | undefined;
};

/** `changedMs` is the file's modification time in epoch milliseconds. */
export type ReadFile =
  | { readonly ok: true; readonly bytes: Buffer; readonly changedMs: number }
  | { readonly ok: false; readonly message: string };

type BadText = { readonly line: number; readonly message: string };

/** Yields files in code-unit order of their whole paths. Reads one folder at a time, so the first file is cheap. */
export function* walkFiles(root: string, wanted: FileSelection, under = ''): Generator<FoundFile> {
  const entries = listFolder(join(root, under));
  if (typeof entries === 'string') {
    yield { kind: 'unreadable', path: under, message: entries };
    return;
  }
  const found = entries
    .map((entry) => ({ path: under === '' ? entry.name : `${under}/${entry.name}`, entry }))
    // With its slash a folder sorts where its files belong among its siblings: `a-b.md`, `a.md`, `a/b.md`.
    .map(({ path, entry }) => ({ path, entry, order: entry.isDirectory() ? `${path}/` : path }))
    .toSorted((a, b) => (a.order < b.order ? -1 : 1));
  for (const { path, entry } of found) {
    if (entry.isDirectory() && wanted.folder(path)) yield* walkFiles(root, wanted, path);
    else if (entry.isFile() && wanted.file(path)) yield { kind: 'file', path };
    else if (!entry.isDirectory()) wanted.onPassed?.(path);
  }
}

/** Rejects a file of more than `maxBytes` unread. Blocking: 20,000 small files take 0.2 s, 2.7 s with promises. */
export const readWhole = (file: string, maxBytes = maxFileBytes): ReadFile => {
  try {
    const { size, mtimeMs } = statSync(file);
    if (size > maxBytes) return { ok: false, message: `the file has ${size} bytes` };
    return { ok: true, bytes: readFileSync(file), changedMs: mtimeMs };
  } catch (error) {
    return { ok: false, message: describeSystemError(error) };
  }
};

/** Reads at most `maxBytes`; returns an empty buffer when the file cannot be read. */
export const readBeginning = (file: string, maxBytes: number): Buffer => {
  let handle: number | undefined;
  try {
    handle = openSync(file, 'r');
    const bytes = Buffer.alloc(maxBytes);
    return bytes.subarray(0, readSync(handle, bytes, 0, maxBytes, 0));
  } catch {
    return Buffer.alloc(0);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
};

/** Returns why the bytes can't be a note's text, and on which line; undefined if they can. */
export const findBadText = (bytes: Buffer): BadText | undefined => {
  if (bytes.length === 0) return { line: 1, message: 'the file is empty' };
  if (!isUtf8(bytes)) return { line: lineOfInvalidByte(bytes), message: 'the file is not valid UTF-8' };
  const nul = bytes.indexOf(0);
  return nul === -1 ? undefined : { line: countLines(bytes.subarray(0, nul)), message: 'the file has a NUL byte' };
};

/** True for a folder, or a link to one, that a person named. Throws when nothing is there. */
export const isGivenFolder = (path: string): boolean => {
  const stats = statGiven(path);
  if (stats === undefined) throw new Error(`there is no file or folder ${path}`);
  return stats.isDirectory();
};

/** True for a folder, or a file, inside the path that a person named; a link is neither. */
export const isInnerFolder = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
export const isInnerFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** The target of a path; links are followed while they stay below the root. */
type InsidePath =
  | { readonly kind: 'file' | 'folder'; readonly path: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'barred'; readonly message: string };

/** `root` must be a real path; the returned `path` is one too. */
export const findInside = (root: string, path: string): InsidePath => {
  let found: string;
  try {
    found = realpathSync.native(join(root, path));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' };
    return { kind: 'barred', message: describeSystemError(error) };
  }
  if (!found.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)) {
    return { kind: 'barred', message: `a link that leads out of ${root} is not followed` };
  }
  const stats = statSync(found, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return { kind: 'folder', path: found };
  return stats?.isFile()
    ? { kind: 'file', path: found }
    : { kind: 'barred', message: 'it is neither a file nor a folder' };
};

/** The entries of a folder; a link is neither file nor folder. */
export type NamedEntry = { readonly name: string; readonly kind: 'file' | 'folder' | 'other' };

/** Returns the entries in code-unit order, or a message when the folder cannot be read. */
export const listEntries = (folder: string): readonly NamedEntry[] | string => {
  const entries = listFolder(folder);
  if (typeof entries === 'string') return entries;
  return entries
    .map((entry): NamedEntry => {
      const kind = entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other';
      return { name: entry.name, kind };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
};

/** Base name of a path; resolves `.` and `..`. */
export const nameOf = (path: string): string => basename(resolve(path));

const listFolder = (folder: string) => {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    return describeSystemError(error);
  }
};

const describeSystemError = (error: unknown): string => {
  if (!(error instanceof Error && 'code' in error)) throw error;
  return `cannot be read: ${error.message.replace(/, .*$/s, '')}`;
};
/** `line` counts from 1; `bytes` exclude the line feed and are undefined when there are too many of them. */
export type Line = { readonly line: number; readonly bytes: Buffer | undefined };

/** Yields the lines that are not blank. Keeps at most `maxBytes` of one: the rest of a longer one is read and dropped. */
export async function* splitLines(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let size = 0;
  let line = 1;
  const add = (part: Buffer): void => {
    size += part.length;
    if (size > maxBytes) parts = [];
    else parts.push(part);
  };
  const take = (): Line | undefined => {
    const bytes = size > maxBytes ? undefined : Buffer.concat(parts);
    const taken = bytes === undefined || !isBlank(bytes) ? { line, bytes } : undefined;
    parts = [];
    size = 0;
    line += 1;
    return taken;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      add(chunk.subarray(start, end));
      const taken = take();
      if (taken !== undefined) yield taken;
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  const last = take();
  if (last !== undefined) yield last;
}

const lineFeed = 10;

const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte === 32 || (byte >= 9 && byte <= 13));

/** Parses a line as JSON; undefined for a blank one. */
export const readJsonLine = (
  bytes: Buffer | undefined,
  maxBytes: number,
): { readonly value: unknown } | { readonly message: string } | undefined => {
  if (bytes === undefined) return { message: `the line has more than ${maxBytes} bytes` };
  if (!isUtf8(bytes)) return { message: 'the line is not valid UTF-8' };
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  if (text.trim() === '') return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { message: `the line is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
};
