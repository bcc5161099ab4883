/** What a path holds and how much of it, by names alone: no file is read, and zod is not loaded. */
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { walkStore } from './anamnesis.js';
import { isGivenFolder } from './files.js';
import type { ImportFormat } from './foreign.js';
import { findNotesFile, isJsonlName } from './jsonl-path.js';
import { isMarkdownName, walkMarkdown } from './markdown.js';

/** Undefined when the path is missing or holds nothing that we know. Stops at the first file that tells. */
export const recogniseFormat = (path: string): ImportFormat | undefined => {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isDirectory()) {
    if (isJsonlName(basename(path))) return 'jsonl';
    return isMarkdownName(basename(path)) ? 'markdown' : undefined;
  }
  if (hasFile(walkStore(path))) return 'anamnesis';
  if (findNotesFile(path) !== undefined) return 'jsonl';
  return hasFile(walkMarkdown(path)) ? 'markdown' : undefined;
};

/** Files to read, for a progress bar; undefined for JSONL, whose lines are not known before they are read. */
export const countImport = (path: string, format: ImportFormat): number | undefined => {
  if (format === 'jsonl') return undefined;
  if (!isGivenFolder(path)) return 1;
  let files = 0;
  for (const _ of format === 'anamnesis' ? walkStore(path) : walkMarkdown(path)) files += 1;
  return files;
};

const hasFile = (found: Iterable<{ readonly kind: 'file' | 'unreadable' }>): boolean => {
  for (const { kind } of found) if (kind === 'file') return true;
  return false;
};
