/** Lists each file that was left alone once. Pure. */
import type { LeftFile } from '../hand-edits.js';

/**
 * Returns each file once, with its first reason: a link is met in the list of all files and in the search for its note.
 */
export const eachOnce = (left: readonly LeftFile[]): readonly LeftFile[] => {
  const byPath = new Map<string, LeftFile>();
  for (const file of left) if (!byPath.has(file.path)) byPath.set(file.path, file);
  return [...byPath.values()];
};
