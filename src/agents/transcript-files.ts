/** Finds the transcripts of Claude Code's sessions. */
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../events/faults.js';

type Transcript = { readonly path: string; readonly size: number; readonly mtimeMs: number };

/** Returns transcripts of sessions, oldest first; those of subagents are read with their sessions. */
export const findTranscripts = (projects: string): readonly Transcript[] =>
  list(projects)
    .flatMap((slug) => list(join(projects, slug)).map((name) => join(projects, slug, name)))
    .filter((path) => path.endsWith('.jsonl') && !/[\\/]agent-[^\\/]*$/.test(path))
    .flatMap((path) => {
      const stat = statSync(path, { throwIfNoEntry: false });
      return stat?.isFile() === true ? [{ path, size: stat.size, mtimeMs: stat.mtimeMs }] : [];
    })
    .sort((a, b) => a.mtimeMs - b.mtimeMs || (a.path < b.path ? -1 : 1));

const list = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
};

/** The transcript, or its session's in the folder where that began: a payload may name a worktree. Else undefined. */
export const locateTranscript = (
  { path, session }: { readonly path: string; readonly session: string },
  claudeHome: string,
): string | undefined => {
  if (!isGone(path)) return path;
  if (!/^[\w-]+$/.test(session)) return undefined;
  return [...new Set([dirname(dirname(path)), join(claudeHome, 'projects')])]
    .flatMap((folder) => list(folder).map((slug) => join(folder, slug, `${session}.jsonl`)))
    .find((one) => !isGone(one));
};

/** True if nothing can ever be read there; a file that can't be checked now is not gone, and reading it says why. */
export const isGone = (path: string): boolean => {
  try {
    return !statSync(path).isFile();
  } catch (error) {
    return goneCodes.includes(codeOf(error));
  }
};
/** The last one is thrown for a path with a NUL. */
const goneCodes = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'];

/** Age of a missing transcript that no one need hear about any more: Claude Code removes its own after 30 days. */
export const missingForMs = 30 * 24 * 3_600_000;
