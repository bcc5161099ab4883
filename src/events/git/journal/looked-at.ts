/** Up to which commit the commits of a journal were compared with what they say, and which of them leave notes out. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObjectId } from '../../claims.js';
import { isUlid } from '../../ulid-form.js';
import { readAtOnce } from '../../worktree/plain-files.js';
import type { ChangedNotes } from './foreign-commits.js';

export type LookedAt = {
  /** It and all commits before it were looked at. */
  readonly head: string;
  /** Those of them that change notes which their trailers don't name. */
  readonly unnamed: ReadonlySet<string>;
  /** The notes that merges change, of those that change any. */
  readonly merges: ChangedNotes;
};

/** Beside the objects, since it is true of these alone. Lost, it is made again by the next replay. */
const fileName = 'anamnesis-looked-at';
/** To be raised when commits are compared in another way. */
const version = '3';

/** Undefined where nothing is known. */
export const readLookedAt = (gitDir: string): LookedAt | undefined => {
  let text: string;
  try {
    text = readAtOnce(join(gitDir, fileName), 'latin1');
  } catch {
    return undefined;
  }
  const [first, head = '', ...lines] = text.trimEnd().split('\n');
  const commits = lines.map((line) => line.split(' '));
  const isRead = commits.every(([commit = '', ...notes]) => isObjectId(commit) && notes.every(isUlid));
  if (first !== version || !isObjectId(head) || !isRead) return undefined;
  return {
    head,
    unnamed: new Set(commits.flatMap(([commit = '', ...notes]) => (notes.length === 0 ? [commit] : []))),
    merges: new Map(commits.flatMap(([commit = '', ...notes]) => (notes.length === 0 ? [] : [[commit, notes]]))),
  };
};

/** Does without where the disk doesn't take it. */
export const writeLookedAt = (gitDir: string, { head, unnamed, merges }: LookedAt): void => {
  const path = join(gitDir, fileName);
  const beside = `${path}.${process.pid}`;
  try {
    const changes = [...merges].flatMap(([commit, notes]) =>
      notes.length === 0 ? [] : [[commit, ...notes].join(' ')],
    );
    writeFileSync(beside, `${[version, head, ...unnamed, ...changes].join('\n')}\n`);
    renameSync(beside, path);
  } catch {
    rmSync(beside, { force: true });
  }
};
