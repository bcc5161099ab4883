/** A folder of markdown files, or one of them. */
import { basename, dirname, join, resolve } from 'node:path';
import { type ForeignNote, type ImportItem, problemAt } from '../../commands/foreign-note.js';
import { type FoundFile, findBadText, isGivenFolder, nameOf, readWhole, walkFiles } from '../files.js';
import { parseMarkdown } from './markdown-note.js';

export async function* readMarkdown(path: string): AsyncGenerator<ImportItem> {
  yield* readMarkdownFiles(path, (text, name, key) => ({
    sourceKey: `markdown:${name}/${key}`,
    ...parseMarkdown(text, key),
  }));
}

/** `toNote` gets the text, the folder's name and the file's path in it. */
export function* readMarkdownFiles(
  path: string,
  toNote: (text: string, name: string, key: string) => ForeignNote,
): Generator<ImportItem> {
  const readOne = (file: string, name: string, key: string): ImportItem => {
    const read = readWhole(file);
    if (!read.ok) return problemAt(key, read.message);
    const bad = findBadText(read.bytes);
    if (bad !== undefined) return problemAt(`${key}:${bad.line}`, bad.message);
    const text = read.bytes.toString('utf8');
    if (text.trim() === '') return problemAt(`${key}:1`, 'the file is empty');
    return { kind: 'note', note: toNote(text, name, key) };
  };
  if (!isGivenFolder(path)) {
    yield readOne(path, nameOf(dirname(resolve(path))), basename(path));
    return;
  }
  const name = nameOf(path);
  for (const found of walkMarkdown(path)) {
    if (found.kind === 'file') yield readOne(join(path, found.path), name, found.path);
    else yield problemAt(found.path === '' ? name : found.path, found.message);
  }
}

export const walkMarkdown = (folder: string): Generator<FoundFile> =>
  walkFiles(folder, {
    folder: (path) => !basename(path).startsWith('.') && basename(path) !== 'node_modules',
    file: isMarkdownName,
  });

export const isMarkdownName = (path: string): boolean => /\.(?:md|markdown)$/i.test(path);
