/** Streams notes from a file with one JSON object per line, gzipped or not. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { cleanList, cleanTitle, type ForeignNote, type ImportItem, problemAt } from '../commands/foreign-note.js';
import { isGivenFolder, isInnerFile, nameOf, splitLines } from './files.js';
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
  if (bytes === undefined) return problemAt(where, `the line has more than ${maxLineBytes} bytes`);
  if (!isUtf8(bytes)) return problemAt(where, 'the line is not valid UTF-8');
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  if (text.trim() === '') return undefined;
  const json = parseJson(text);
  if ('message' in json) return problemAt(where, `the line is not JSON: ${json.message}`);
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

const parseJson = (text: string): { readonly value: unknown } | { readonly message: string } => {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error) };
  }
};

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
