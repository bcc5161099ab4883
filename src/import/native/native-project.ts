/**
 * Finds the folder that a slug of Claude Code stands for. A slug has `-` for every character of the path but ASCII
 * letters and digits, so it is ambiguous.
 */
import { isAbsolute, join } from 'node:path';
import { globalProject, projectOfFolder } from '../../config/project.js';
import { listEntries, type NamedEntry, readBeginning } from '../files.js';
import type { NativeOptions } from './native-files.js';

/** Names the project as `projectOfFolder` does, or after the slug's last part if no folder is found. */
export const projectOfSlug = (slugFolder: string, slug: string, { userHome, trusted }: NativeOptions): string => {
  // A slug of Windows begins with the drive's letter; no folder is searched for it.
  const path = slug.startsWith('-') ? slug.slice(1) : '';
  const folder = readWorkingFolder(slugFolder, slug) ?? findFolder('/', path, { listings: maxListings });
  return folder === undefined ? lastPart(slug) : projectOfFolder(folder, userHome, trusted);
};

/** Limit of transcript bytes read for one slug. */
const maxTranscriptBytes = 64 * 1024;

/** Returns the folder that the transcripts beside the memory were made in; of several, the one that gives this slug. */
export const readWorkingFolder = (slugFolder: string, slug: string): string | undefined => {
  let left = maxTranscriptBytes;
  let other: string | undefined;
  for (const name of listTranscripts(slugFolder)) {
    if (left <= 0) break;
    const bytes = readBeginning(join(slugFolder, name), left);
    left -= bytes.length;
    for (const folder of listWorkingFolders(bytes)) {
      if (slugOf(folder) === slug) return folder;
      other ??= folder;
    }
    if (other !== undefined) break;
  }
  return other;
};

/** Names a project's folder as Claude Code does: a long path is cut and followed by a hash of the whole. */
export const slugOf = (path: string): string => {
  const slug = path.replace(/[^A-Za-z0-9]/g, '-');
  if (slug.length <= maxSlugUnits) return slug;
  let hash = 0;
  for (let at = 0; at < path.length; at += 1) hash = (Math.imul(hash, 31) + path.charCodeAt(at)) | 0;
  return `${slug.slice(0, maxSlugUnits)}-${Math.abs(hash).toString(36)}`;
};

const maxSlugUnits = 200;

const listTranscripts = (folder: string): readonly string[] =>
  listReadable(folder)
    .filter(({ name, kind }) => kind === 'file' && name.endsWith('.jsonl'))
    .map(({ name }) => name);

/** Returns an empty list for a folder that cannot be read. */
const listReadable = (folder: string): readonly NamedEntry[] => {
  const entries = listEntries(folder);
  return typeof entries === 'string' ? [] : entries;
};

/** Yields the `cwd` of each line, skipping those that are cut off or damaged. */
function* listWorkingFolders(bytes: Buffer): Generator<string> {
  for (const line of bytes.toString('utf8').split('\n')) {
    const folder = line.includes('"cwd"') ? readCwd(line) : undefined;
    if (folder !== undefined) yield folder;
  }
}

const readCwd = (line: string): string | undefined => {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null || !('cwd' in value)) return undefined;
    const { cwd } = value;
    return typeof cwd === 'string' && isAbsolute(cwd) && !cwd.includes('\0') ? cwd : undefined;
  } catch {
    return undefined;
  }
};

/** Limit of folders listed in search of one slug. */
const maxListings = 64;

/** Returns the first folder whose path gives the slug, trying longer names first: `/a/b-c` before `/a/b/c`. */
const findFolder = (at: string, slug: string, budget: { listings: number }): string | undefined => {
  if (slug === '' || budget.listings <= 0) return undefined;
  budget.listings -= 1;
  const fitting = listReadable(at)
    .filter(({ kind }) => kind === 'folder')
    .map(({ name }) => ({ name, part: slugOf(name) }))
    .filter(({ part }) => part === slug || slug.startsWith(`${part}-`))
    .toSorted((a, b) => b.part.length - a.part.length || (a.name < b.name ? -1 : 1));
  for (const { name, part } of fitting) {
    const found = part === slug ? join(at, name) : findFolder(join(at, name), slug.slice(part.length + 1), budget);
    if (found !== undefined) return found;
  }
  return undefined;
};

const lastPart = (slug: string): string =>
  slug
    .split('-')
    .findLast((part) => part !== '')
    ?.toLowerCase() ?? globalProject;
