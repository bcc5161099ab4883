/** Files that were left alone, as they are told. Pure. */
import type { LeftFile } from '../hand-edits.js';

/** Once each, for what was said first: a link is met both where all files are listed and where its note is looked for. */
export const eachOnce = (left: readonly LeftFile[]): readonly LeftFile[] => {
  const byPath = new Map<string, LeftFile>();
  for (const file of left) if (!byPath.has(file.path)) byPath.set(file.path, file);
  return [...byPath.values()];
};
