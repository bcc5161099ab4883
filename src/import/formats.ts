/** The formats of foreign notes: how each is recognised, by names and, in doubt, by first bytes, and how it is read. */
import { realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { ImportItem } from '../commands/foreign-note.js';
import type { ImportFormat } from '../commands/source-keys.js';
import { statGiven } from '../files/given-file.js';
import { readAnamnesis, walkStore } from './anamnesis.js';
import { readClaudeMem } from './databases/claude-mem.js';
import { readClaudeMemory } from './databases/claude-memory.js';
import { findDatabase, recogniseDatabase } from './databases/databases.js';
import { type FoundFile, isGivenFolder, nameOf } from './files.js';
import { findNotesFile, isJsonlName, locateJsonl, readJsonl } from './jsonl.js';
import { isBasicMemory, readBasicMemory } from './markdown/basic-memory.js';
import { isMarkdownName, readMarkdown, walkMarkdown } from './markdown/markdown.js';
import { findGraphFile, isGraph, locateGraph, readMcpMemory } from './mcp-memory.js';
import { holdsNativeMemory, readNative } from './native/native.js';
import type { NativeOptions } from './native/native-note.js';

/** The file or folder that tells a source from another one of the same name. */
type SourcePlace = { readonly file: string; readonly name: string };

type Format = {
  /**
   * In a fixed order; markdown and graphs read whole, others a note at a time. What can't be read is a problem among
   * the items; a path that is missing, or no folder where one is needed, throws at the first step.
   */
  readonly read: (path: string, native: NativeOptions) => AsyncGenerator<ImportItem>;
  /** The files of a folder, where notes are files. */
  readonly files?: (folder: string) => Iterable<FoundFile>;
  /** Undefined for formats whose source keys name no folder or file. */
  readonly locate?: (path: string) => SourcePlace;
  readonly isFrontMatter?: true;
};

const locateFolder = (path: string): SourcePlace => {
  const file = isGivenFolder(path) ? path : dirname(path);
  return { file, name: nameOf(file) };
};

const ofMarkdown = { files: walkMarkdown, locate: locateFolder, isFrontMatter: true } as const;

export const formats: Readonly<Record<ImportFormat, Format>> = {
  markdown: { read: readMarkdown, ...ofMarkdown },
  'basic-memory': { read: readBasicMemory, ...ofMarkdown },
  anamnesis: { read: readAnamnesis, files: walkStore },
  jsonl: { read: readJsonl, locate: locateJsonl },
  'mcp-memory': { read: readMcpMemory, locate: locateGraph },
  'claude-code': { read: readNative },
  'claude-mem': { read: readClaudeMem },
  'claude-memory': { read: readClaudeMemory },
};

/** The prefix of a source's keys, and the place that it was read from. */
export const namedOf = (
  path: string,
  format: ImportFormat,
): { readonly place: string; readonly prefix: string } | undefined => {
  const found = formats[format].locate?.(path);
  return found === undefined ? undefined : { place: realpathSync(found.file), prefix: `${format}:${found.name}/` };
};

/** Counts the files to read, for a progress bar; undefined where notes are not files. */
export const countImport = (path: string, format: ImportFormat): number | undefined => {
  const { files } = formats[format];
  if (files === undefined) return undefined;
  return isGivenFolder(path) ? [...files(path)].length : 1;
};

/** Returns undefined when the path is missing or its format is unknown. Stops at the first conclusive file. */
export const recogniseFormat = (path: string): ImportFormat | undefined => {
  const stats = statGiven(path);
  if (stats === undefined) return undefined;
  if (stats.isDirectory()) return recogniseFolder(path);
  return stats.isFile() ? recogniseFile(path) : undefined;
};

const recogniseFile = (path: string): ImportFormat | undefined => {
  const name = basename(path);
  if (/\.jsonl?$/i.test(name) && isGraph(path)) return 'mcp-memory';
  if (isJsonlName(name)) return 'jsonl';
  return isMarkdownName(name) ? 'markdown' : recogniseDatabase(path);
};

const recogniseFolder = (path: string): ImportFormat | undefined => {
  if (hasFile(walkStore(path))) return 'anamnesis';
  if (findNotesFile(path) !== undefined) return 'jsonl';
  if (holdsNativeMemory(path)) return 'claude-code';
  for (const format of ['claude-mem', 'claude-memory'] as const) {
    const database = findDatabase(path, format);
    if (database !== undefined && recogniseDatabase(database) === format) return format;
  }
  if (findGraphFile(path) !== undefined) return 'mcp-memory';
  if (!hasFile(walkMarkdown(path))) return undefined;
  return isBasicMemory(path) ? 'basic-memory' : 'markdown';
};

const hasFile = (found: Iterable<FoundFile>): boolean => {
  for (const { kind } of found) if (kind === 'file') return true;
  return false;
};
