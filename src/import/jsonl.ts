/** Streams notes from a file with one JSON object per line, gzipped or not. */
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { cleanList, cleanTitle, type ForeignNote, type ImportItem, problemAt } from '../commands/foreign-note.js';
import { isGivenFolder, isInnerFile, nameOf, readJsonLine, splitLines } from './files.js';
import { type JsonlNote, parseJsonlNote } from './jsonl-schema.js';

export const maxLineBytes = 32 * 1024 * 1024;

export async function* readJsonl(path: string): AsyncGenerator<ImportItem> {
  const { file, name } = locateJsonl(path);
  const shown = basename(file);
  let next = 1;
  try {
    for await (const { line, bytes } of splitLines(openBytes(file), maxLineBytes)) {
      next = line + 1;
      const item = readLine(bytes, name, `${shown}:${line}`);
      if (item !== undefined) yield item;
    }
  } catch (error) {
    // As after an interrupted download: the lines before the damage are good, and the problem says where they end.
    if (!isZlibError(error)) throw error;
    yield problemAt(`${shown}:${next}`, `the gzip data ends or is damaged here: ${error.message}`);
  }
}

/** Returns undefined for a blank line. */
const readLine = (bytes: Buffer | undefined, name: string, where: string): ImportItem | undefined => {
  const json = readJsonLine(bytes, maxLineBytes);
  if (json === undefined) return undefined;
  if ('message' in json) return problemAt(where, json.message);
  const parsed = parseJsonlNote(json.value);
  return parsed.ok ? { kind: 'note', note: toForeignNote(parsed.note, name) } : problemAt(where, parsed.message);
};

const toForeignNote = (note: JsonlNote, name: string): ForeignNote => {
  const { title = '', body = '' } = note;
  return {
    sourceKey: `jsonl:${name}/${note.id ?? hashOf(title, body)}`,
    title: cleanTitle(title),
    body,
    tags: cleanList(note.tags ?? []),
    keywords: cleanList(note.keywords ?? []),
    project: note.project,
    type: note.type,
    createdAtMs: note.created_at,
    updatedAtMs: note.updated_at,
    scope: note.scope,
  };
};

/** The key of a note without an id: the same text is the same note wherever it is imported. */
const hashOf = (title: string, body: string): string =>
  createHash('sha256').update(title).update('\0').update(body).digest('hex').slice(0, 32);

const openBytes = (file: string): AsyncIterable<Buffer> => {
  if (!isGzip(file)) return createReadStream(file);
  // pipeline() closes both streams on an error and when the reader stops early; the reader gets the error itself.
  return pipeline(createReadStream(file), createGunzip(), () => undefined);
};

const isGzip = (file: string): boolean => {
  const handle = openSync(file, 'r');
  try {
    const magic = Buffer.alloc(2);
    readSync(handle, magic, 0, 2, 0);
    return magic.readUInt16BE(0) === 0x1f8b;
  } finally {
    closeSync(handle);
  }
};

const isZlibError = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
type JsonlSource = { readonly file: string; readonly name: string };

export const isJsonlName = (name: string): boolean => /\.(?:jsonl|ndjson)(?:\.gz)?$/i.test(name);

/** Returns the folder's `notes.jsonl`, or else its `notes.jsonl.gz`. */
export const findNotesFile = (folder: string): string | undefined =>
  ['notes.jsonl', 'notes.jsonl.gz'].map((name) => join(folder, name)).find(isInnerFile);

/** Throws when nothing is there. */
export const locateJsonl = (path: string): JsonlSource => {
  if (!isGivenFolder(path))
    return {
      file: path,
      name: basename(path)
        .replace(/\.gz$/i, '')
        .replace(/\.(?:jsonl|ndjson)$/i, ''),
    };
  const file = findNotesFile(path);
  if (file === undefined) throw new Error(`there is no notes.jsonl and no notes.jsonl.gz in ${path}`);
  return { file, name: nameOf(path) };
};
