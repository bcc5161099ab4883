/** Reads foreign notes from a path, one at a time. */
import { readAnamnesis } from './anamnesis.js';
import type { ImportFormat, ImportItem } from './foreign.js';
import { readJsonl } from './jsonl.js';
import { readMarkdown } from './markdown.js';

/**
 * In a fixed order, with one note in memory at a time. What cannot be read is a problem among the items; a path that
 * is missing, or is a file where the format wants a folder, throws at the first step.
 */
export function readImport(path: string, format: ImportFormat): AsyncGenerator<ImportItem> {
  switch (format) {
    case 'markdown':
      return readMarkdown(path);
    case 'anamnesis':
      return readAnamnesis(path);
    case 'jsonl':
      return readJsonl(path);
  }
}
