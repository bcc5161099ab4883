/**
 * Parses git's output about history: logs, trees and differences. Paths are bytes: in one that isn't UTF-8, each
 * undecodable byte becomes a lone surrogate (U+DC80 to U+DCFF), which valid text never contains; so different paths stay
 * different and can be written back unchanged. Pure.
 */

import { isUtf8 } from 'node:buffer';
import { claimedEpochMs } from '../claims.js';
import type { PathChange, TreeEntry } from '../journal.js';
import type { LoggedCommit } from '../logged-event.js';

/** Fields of `git log -z` that parseLog reads; the message cannot hold a NUL, so the fields never run together. */
export const logFormat = '--format=%H%x00%P%x00%ct%x00%ae%x00%B';

export const parseLog = (output: Buffer): LoggedCommit[] => {
  const fields = splitFields(output);
  const commits: LoggedCommit[] = [];
  for (let at = 0; at + 4 < fields.length; at += 5) commits.push(toCommit(fields.slice(at, at + 5)));
  return commits;
};

/** Parses `git log -z --raw --no-abbrev` of logFormat; of a merge none, or with `-c` what differs from all parents. */
export const parseLogSteps = (
  output: Buffer,
): readonly { readonly commit: LoggedCommit; readonly changes: readonly PathChange[] }[] => {
  const steps: { commit: LoggedCommit; changes: PathChange[] }[] = [];
  const take = openStepReader(
    (commit) => steps.push({ commit, changes: [] }),
    (line, path) => steps.at(-1)?.changes.push(toChange(line, path)),
  );
  splitFields(output).forEach(take);
  return steps;
};

/** A change belongs to the commit before it, and is passed as its line and its path. */
export const openStepReader = (
  onCommit: (commit: LoggedCommit) => void,
  onChange: (line: string, path: string) => void,
): ((field: string) => void) => {
  let head: string[] = [];
  let line: string | undefined;
  /** True for the field right after a message. */
  let isFirst = false;
  return (field) => {
    const wasFirst = isFirst;
    isFirst = false;
    if (line !== undefined) {
      onChange(line.trimStart(), field);
      line = undefined;
    } else if (head.length === 0 && wasFirst && field === '') {
      // With `-c`, git ends a merge's message twice.
    } else if (head.length === 0 && /^\n?:/.test(field)) line = field;
    else {
      head.push(field);
      if (head.length < 5) return;
      onCommit(toCommit(head));
      head = [];
      isFirst = true;
    }
  };
};

/** Parses the output of `git ls-tree -r -z`. */
export const parseTree = (output: Buffer): TreeEntry[] => parseTreeLines(splitFields(output));

export const parseTreeLines = (lines: readonly string[]): TreeEntry[] => {
  const entries: TreeEntry[] = [];
  for (const line of lines) {
    const tab = line.indexOf('\t');
    if (tab === -1) continue;
    const [mode = '', , blob = ''] = line.slice(0, tab).split(' ');
    entries.push({ mode, blob, path: line.slice(tab + 1) });
  }
  return entries;
};

/** Formats a note's line as `git ls-tree` prints a non-executable file. */
export const treeLine = (path: string, blob: string): string => `100644 blob ${blob}\t${path}`;

/** Parses the output of `git diff-tree -r -z --raw --no-abbrev --no-renames`. */
export const parseRawDiff = (output: Buffer): PathChange[] => {
  const fields = splitFields(output);
  const changes: PathChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    changes.push(toChange(fields[at] ?? '', fields[at + 1] ?? ''));
  }
  return changes;
};

/** True for a regular file; links, folders and submodules are never notes, whatever their name. */
export const isFileMode = (mode: string): boolean => mode === '100644' || mode === '100755';

const toCommit = ([
  hash = '',
  parents = '',
  seconds = '0',
  author = '',
  message = '',
]: readonly string[]): LoggedCommit => ({
  hash: hash.trim(),
  parents: parents === '' ? [] : parents.split(' '),
  epochMs: claimedEpochMs(seconds),
  author: readable(author),
  message: readable(message),
});

/** Makes text for display: bytes that aren't valid UTF-8 become U+FFFD. */
const readable = (text: string): string => (text.isWellFormed() ? text : encodePath(text).toString('utf8'));

/** A line has one colon per parent, then the modes of the parents and of the file, then their ids in the same order. */
const toChange = (line: string, path: string): PathChange => {
  const text = line.replace(/^:+/, '');
  const sides = line.length - text.length;
  const fields = text.split(' ');
  const [beforeMode = '', afterMode = ''] = [fields[0], fields[sides]];
  return {
    path,
    before: isNoFile(beforeMode) ? undefined : (fields[sides + 1] ?? ''),
    after: isNoFile(afterMode) ? undefined : (fields[2 * sides + 1] ?? ''),
    afterMode,
  };
};

const isNoFile = (mode: string): boolean => /^0+$/.test(mode);

export const isMerge = ({ parents }: Pick<LoggedCommit, 'parents'>): boolean => parents.length > 1;

export const decodePath = (bytes: Buffer): string => {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let path = '';
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    const length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    const character = bytes.subarray(at, at + length);
    const isReadable = isUtf8(character);
    path += isReadable ? character.toString('utf8') : String.fromCharCode(0xdc00 + byte);
    at += isReadable ? length : 1;
  }
  return path;
};

/** The inverse of `decodePath`. */
export const encodePath = (path: string): Buffer =>
  path.isWellFormed()
    ? Buffer.from(path)
    : Buffer.concat(
        [...path].map((character) =>
          isByte(character) ? Buffer.from([character.charCodeAt(0) - 0xdc00]) : Buffer.from(character),
        ),
      );

/**
 * Splits git's `-z` output at the NULs and decodes each field with `decodePath`. A field longer than any path is a
 * message: its invalid bytes become U+FFFD, because decoding 30 MB byte by byte takes 12 seconds.
 */
export const splitFields = (output: Buffer): string[] =>
  isUtf8(output)
    ? output.toString('utf8').split('\0')
    : output
        .toString('latin1')
        .split('\0')
        .map((field) => {
          const bytes = Buffer.from(field, 'latin1');
          return bytes.length > maxPathBytes ? bytes.toString('utf8') : decodePath(bytes);
        });

/** Far above the limit of git and any system. */
const maxPathBytes = 64 * 1024;

/** Quotes a path for a git stream; bytes that aren't valid text are written in octal. */
export const escapePath = (path: string): string => {
  const quoted = path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
  const text = path.isWellFormed() ? quoted : [...quoted].map((one) => (isByte(one) ? octal(one) : one)).join('');
  return `"${text}"`;
};

const isByte = (character: string): boolean => /^[\udc80-\udcff]$/.test(character);

const octal = (character: string): string => `\\${(character.charCodeAt(0) - 0xdc00).toString(8)}`;
