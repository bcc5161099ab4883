/** Reads foreign notes from a path in any of the formats. */

import type { ImportItem } from '../commands/foreign-note.js';
import type { ImportFormat } from '../commands/source-keys.js';
import { readAnamnesis } from './anamnesis.js';
import { readClaudeMem } from './databases/claude-mem.js';
import { readClaudeMemory } from './databases/claude-memory.js';
import { readJsonl } from './jsonl.js';
import { readBasicMemory } from './markdown/basic-memory.js';
import { readMarkdown } from './markdown/markdown.js';
import { readMcpMemory } from './mcp-memory.js';
import { readNative } from './native/native.js';
import type { NativeOptions } from './native/native-files.js';

/**
 * Yields items in a fixed order. Markdown and graphs are read whole, the other formats one note at a time. Anything
 * that cannot be read is a problem among the items; a path that is missing, or is a file where the format needs a
 * folder, throws at the first step.
 */
export function readImport(path: string, format: ImportFormat, native: NativeOptions): AsyncGenerator<ImportItem> {
  switch (format) {
    case 'markdown':
      return readMarkdown(path);
    case 'anamnesis':
      return readAnamnesis(path);
    case 'jsonl':
      return readJsonl(path);
    case 'claude-code':
      return readNative(path, native);
    case 'claude-mem':
      return readClaudeMem(path);
    case 'claude-memory':
      return readClaudeMemory(path);
    case 'basic-memory':
      return readBasicMemory(path);
    case 'mcp-memory':
      return readMcpMemory(path);
  }
}
