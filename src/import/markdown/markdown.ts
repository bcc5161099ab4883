/** Reads a folder of markdown files, or a single one. */
import { basename, dirname, join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { cleanWords, type ForeignNote, type ImportItem, problemAt } from '../../commands/foreign-note.js';
import { type FoundFile, findBadText, isGivenFolder, nameOf, readWhole, walkFiles } from '../files.js';
import { parseMarkdown, parsePlainText } from './markdown-note.js';
import { linkPages, type Page, pageOf, readWords } from './markdown-pages.js';

export async function* readMarkdown(path: string): AsyncGenerator<ImportItem> {
  yield* readMarkdownFiles(path, parseFile);
}

const parseFile: ParseFile = (text, name, key) => {
  const note = isPlainName(key) ? parsePlainText(text, key) : parseMarkdown(text, key);
  return {
    ...note,
    sourceKey: `markdown:${name}/${key}`,
    tags: isPlainName(key) ? [] : cleanWords([...note.tags, ...readWords(note.body).tags]),
  };
};

/** Receives the text, the folder's name and the file's path in the folder. */
export type ParseFile = (text: string, name: string, key: string) => ForeignNote;

/** Reads all files before it yields the first note, because links can be resolved only then. */
export async function* readMarkdownFiles(path: string, parse: ParseFile): AsyncGenerator<ImportItem> {
  if (!isGivenFolder(path)) {
    const key = basename(path);
    yield* itemsOf([readPage(path, nameOf(dirname(resolve(path))), key, parse)]);
    return;
  }
  const name = nameOf(path);
  const passed: string[] = [];
  const read: (Page | ImportItem)[] = [];
  for (const found of walkMarkdown(path, (other) => passed.push(other))) {
    if (found.kind === 'unreadable') read.push(problemAt(found.path === '' ? name : found.path, found.message));
    else read.push(readPage(join(path, found.path), name, found.path, parse));
    if (read.length % pauseAfter === 0) await nextTurn();
  }
  yield* itemsOf(read);
  for (const other of passed) yield { kind: 'passed', path: other };
}

const pauseAfter = 200;

function* itemsOf(read: readonly (Page | ImportItem)[]): Generator<ImportItem> {
  const notesOf = linkPages(read.flatMap((one) => (one.kind === 'page' ? [one] : [])));
  for (const one of read) {
    if (one.kind !== 'page') yield one;
    else for (const note of notesOf(one)) yield { kind: 'note', note };
  }
}

const readPage = (file: string, name: string, key: string, parse: ParseFile): Page | ImportItem => {
  const read = readWhole(file);
  if (!read.ok) return problemAt(key, read.message);
  const bad = findBadText(read.bytes);
  if (bad !== undefined) return problemAt(`${key}:${bad.line}`, bad.message);
  const text = read.bytes.toString('utf8');
  if (text.trim() === '') return problemAt(`${key}:1`, 'the file is empty');
  return pageOf({ ...parse(text, name, key), changedMs: read.changedMs }, key, isPlainName(key) ? undefined : text);
};

/** Calls `onPassed` for links and for files that are neither markdown nor .txt by name; skips hidden ones silently. */
export const walkMarkdown = (folder: string, onPassed?: (path: string) => void): Generator<FoundFile> =>
  walkFiles(folder, {
    folder: (path) => !basename(path).startsWith('.') && basename(path) !== 'node_modules',
    file: isMarkdownName,
    onPassed: (path) => {
      if (!basename(path).startsWith('.')) onPassed?.(path);
    },
  });

export const isMarkdownName = (path: string): boolean => /\.(?:md|markdown|txt)$/i.test(path);

const isPlainName = (path: string): boolean => /\.txt$/i.test(path);
