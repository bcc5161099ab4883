/** Finds the folder of a slug of Claude Code, where `-` stands for most characters, so only its transcripts tell. */
import { isAbsolute, join } from 'node:path';
import { globalProject, projectOfFolder } from '../../config/project.js';
import { listEntries, readBeginning } from '../files.js';
import type { NativeOptions } from './native-note.js';

/** Names the project as `projectOfFolder` does, or after the slug's last part if no transcript tells its folder. */
export const projectOfSlug = (slugFolder: string, slug: string, { userHome, trusted }: NativeOptions): string => {
  const folder = readWorkingFolder(slugFolder, slug);
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

/** Empty for a folder that cannot be read. */
const listTranscripts = (folder: string): readonly string[] => {
  const entries = listEntries(folder);
  return typeof entries === 'string'
    ? []
    : entries.filter(({ name, kind }) => kind === 'file' && name.endsWith('.jsonl')).map(({ name }) => name);
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

const lastPart = (slug: string): string =>
  slug
    .split('-')
    .findLast((part) => part !== '')
    ?.toLowerCase() ?? globalProject;
