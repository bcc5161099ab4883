/** Eval cases of a store ask in words of its notes, so those about a purged note go with it. */
import { join } from 'node:path';
import type { NoteId } from '../events/note/note.js';
import { scrubFolder } from './home-files.js';

/** The files of cases in `memory/eval`; each is rewritten whole or not at all. `scrub` gets a line, which is JSON. */
export const scrubCases = (memoryFolder: string, notes: ReadonlySet<NoteId>, scrub: (text: string) => string): void => {
  const scrubFile = (text: string): string => {
    const left = text.split('\n').filter((line) => !isAbout(line, notes));
    return left.map(scrub).join('\n');
  };
  scrubFolder(join(memoryFolder, 'eval'), scrubFile, (name) => name.endsWith('.jsonl'));
};

/** A line that is no case names none. */
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
