/** Scrubs a store's eval cases; they quote notes, so cases about a purged note are deleted with it. */
import { join } from 'node:path';
import type { NoteId } from '../events/note/note.js';
import { scrubFolder } from './home-files.js';

/** Rewrites the case files in `memory/eval`, each atomically. `scrub` gets one line, which is JSON. */
export const scrubCases = (memoryFolder: string, notes: ReadonlySet<NoteId>, scrub: (text: string) => string): void => {
  const scrubFile = (text: string): string => {
    const left = text.split('\n').filter((line) => !isAbout(line, notes));
    return left.map(scrub).join('\n');
  };
  scrubFolder(join(memoryFolder, 'eval'), scrubFile, (name) => name.endsWith('.jsonl'));
};

/** Whether a line is a case about one of the notes. */
const isAbout = (line: string, notes: ReadonlySet<NoteId>): boolean => {
  if (notes.size === 0 || ![...notes].some((id) => line.includes(id))) return false;
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null || !('relevant_ids' in value)) return false;
    return Array.isArray(value.relevant_ids) && value.relevant_ids.some((id) => notes.has(id));
  } catch {
    return false;
  }
};
