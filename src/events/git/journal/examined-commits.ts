/** Records up to which commit a journal's commits were compared with their trailers, and which of them omit notes. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObjectId } from '../../note/blob-id.js';
import { isUlid } from '../../ulid-form.js';
import { readAtOnce } from '../../worktree/plain-files.js';
import type { ChangedNotes } from './foreign-commits.js';

export type ExaminedCommits = {
  /** This commit and all its ancestors were examined. */
  readonly head: string;
  /** The commits among them that change notes which their trailers don't name. */
  readonly unnamed: ReadonlySet<string>;
  /** The notes that merges change, without merges that change none. */
  readonly merges: ChangedNotes;
};

/** Stored beside the objects, because it is valid only for them. If lost, the next replay writes it again. */
const fileName = 'anamnesis-looked-at';
/** Increase this when the comparison of commits changes. */
const version = '3';

/** Returns undefined when there is no valid record. */
export const readExaminedCommits = (gitDir: string): ExaminedCommits | undefined => {
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

/** Writes the record; a failure is ignored. */
export const writeExaminedCommits = (gitDir: string, { head, unnamed, merges }: ExaminedCommits): void => {
  const path = join(gitDir, fileName);
  const temporary = `${path}.${process.pid}`;
  try {
    const changes = [...merges].flatMap(([commit, notes]) =>
      notes.length === 0 ? [] : [[commit, ...notes].join(' ')],
    );
    writeFileSync(temporary, `${[version, head, ...unnamed, ...changes].join('\n')}\n`);
    renameSync(temporary, path);
  } catch {
    rmSync(temporary, { force: true });
  }
};
