/** Searches every object of a repository after a purge, unreachable ones included. */
import { isUtf8 } from 'node:buffer';
import { readObjects } from '../events/git/git-objects.js';
import { openGitPipe, pipeThroughGit } from '../events/git/git-pipe.js';
import type { GitFolders } from '../events/git/git-process.js';
import { findFences } from '../events/note/fences.js';
import type { NoteId } from '../events/note/note.js';
import type { Needle } from './rule/needle.js';

export type ObjectSearch = {
  readonly looked: number;
  /** `blob 1f2e…`. */
  readonly found: readonly string[];
};

/** Decompresses every object, keeping one in memory at a time. Finds purged notes by their ids. Throws GitError. */
export const searchObjects = async (
  folders: GitFolders,
  needle: Needle,
  notes: ReadonlySet<NoteId>,
): Promise<ObjectSearch> => {
  const pipe = openGitPipe(folders, ['cat-file', '--batch-all-objects', '--unordered', '--batch', '--buffer']);
  await pipe.close();
  const found: string[] = [];
  let looked = 0;
  for await (const { id, type, bytes } of readObjects(pipe.output)) {
    looked += 1;
    if (needle.isIn(bytes) || [...notes].some((note) => isOfNote(type, bytes, note))) found.push(`${type} ${id}`);
  }
  await pipe.ended;
  return { looked, found };
};

const isOfNote = (type: string, bytes: Buffer, id: NoteId): boolean => {
  if (!bytes.includes(id)) return false;
  if (type === 'tree') return bytes.includes(`${id}.md\0`);
  const fences = type === 'blob' && isUtf8(bytes) ? findFences(bytes.toString('utf8')) : undefined;
  return fences?.ok === true && new RegExp(`^["']?id["']?:[ \\t]*["']?${id}["']?[ \\t]*$`, 'm').test(fences.inner);
};

/** Returns the ids of those objects that git still has. */
export const existingObjects = async (folders: GitFolders, ids: readonly string[]): Promise<readonly string[]> => {
  const lines = ids.map((id) => `${id}\n`);
  const there: string[] = [];
  await pipeThroughGit(
    folders,
    ['cat-file', '--batch-check=%(objectname) %(objecttype)', '--buffer'],
    lines,
    async (output) => {
      const chunks: Buffer[] = [];
      for await (const chunk of output) chunks.push(chunk);
      for (const line of Buffer.concat(chunks).toString('latin1').split('\n')) {
        if (line !== '' && !line.endsWith(' missing')) there.push(line.split(' ', 1)[0] ?? '');
      }
    },
  );
  return there;
};
