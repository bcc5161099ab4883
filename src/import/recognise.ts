/** Recognises the format of a path and counts its files: by names and, in doubt, by first bytes. Loads no zod. */
import { basename } from 'node:path';
import type { ImportFormat } from '../commands/source-keys.js';
import { statGiven } from '../files/given-file.js';
import { walkStore } from './anamnesis.js';
import { findDatabase, recogniseDatabase } from './databases/databases.js';
import { isGivenFolder } from './files.js';
import { findNotesFile, isJsonlName } from './jsonl-path.js';
import { isBasicMemory } from './markdown/basic-memory.js';
import { isMarkdownName, walkMarkdown } from './markdown/markdown.js';
import { findGraphFile, isGraph } from './mcp-memory.js';
import { holdsNativeMemory } from './native/native.js';

/** Returns undefined when the path is missing or its format is unknown. Stops at the first conclusive file. */
export const recogniseFormat = (path: string): ImportFormat | undefined => {
  const stats = statGiven(path);
  if (stats === undefined) return undefined;
  if (stats.isDirectory()) return recogniseFolder(path);
  // Reading from a pipe would consume its bytes.
  return stats.isFile() ? recogniseFile(path) : recogniseName(basename(path));
};

/** Counts the files to read, for a progress bar; undefined where notes are not files. */
export const countImport = (path: string, format: ImportFormat): number | undefined => {
  switch (format) {
    case 'jsonl':
    case 'claude-code':
    case 'claude-mem':
    case 'claude-memory':
    case 'mcp-memory':
      return undefined;
    case 'anamnesis':
    case 'markdown':
    case 'basic-memory': {
      if (!isGivenFolder(path)) return 1;
      let files = 0;
      for (const _ of format === 'anamnesis' ? walkStore(path) : walkMarkdown(path)) files += 1;
      return files;
    }
  }
};

const recogniseFile = (path: string): ImportFormat | undefined => {
  const name = basename(path);
  if (/\.jsonl?$/i.test(name) && isGraph(path)) return 'mcp-memory';
  return recogniseName(name) ?? recogniseDatabase(path);
};

const recogniseName = (name: string): ImportFormat | undefined => {
  if (isJsonlName(name)) return 'jsonl';
  return isMarkdownName(name) ? 'markdown' : undefined;
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

const hasFile = (found: Iterable<{ readonly kind: 'file' | 'unreadable' }>): boolean => {
  for (const { kind } of found) if (kind === 'file') return true;
  return false;
};
