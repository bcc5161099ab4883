/** Which refs a purge moves, and which it can only drop. */

import { type GitFolders, runGit } from '../events/git/git-process.js';
import { purgingRef } from './new-history.js';

export type PurgedRef = {
  readonly name: string;
  /** The object that it points to: a commit, or a tag of one. */
  readonly id: string;
  /** The commit behind it; undefined if it is not a commit, or if the ref will be fetched or built again. */
  readonly commit: string | undefined;
};

export type RefMove = {
  readonly name: string;
  readonly before: string;
  /** Undefined deletes the ref. */
  readonly after: string | undefined;
};

/** Reads every ref but HEAD, sorted by name. */
export const readRefs = async (folders: GitFolders): Promise<readonly PurgedRef[]> => {
  const format = '%(objectname) %(objecttype) %(*objecttype) %(*objectname) %(symref) %(refname)';
  const listed = (await runGit(folders, ['for-each-ref', `--format=${format}`])).toString('utf8');
  return listed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [id = '', type = '', peeledType = '', peeled = '', symbolic = '', ...rest] = line.split(' ');
      const name = rest.join(' ');
      const commit = type === 'commit' ? id : peeledType === 'commit' ? peeled : undefined;
      return { name, id, commit: symbolic !== '' || isMadeAgain(name) ? undefined : commit };
    });
};

/** Copies of a remote's refs, refs where sync and purge build, and records of purges that older versions left. */
const isMadeAgain = (name: string): boolean =>
  /^refs\/(?:remotes|replace|prefetch|bisect|anamnesis\/purges)\//.test(name) || builtAgain.has(name);
const builtAgain: ReadonlySet<string> = new Set(['refs/anamnesis/incoming', 'refs/anamnesis/building', purgingRef]);

/** Moves all refs or none, each only from its `before`; returns 'moved' if one has moved meanwhile. Throws GitError. */
export const moveRefs = async (folders: GitFolders, moves: readonly RefMove[]): Promise<'done' | 'moved'> => {
  const now = new Map((await readRefs(folders)).map(({ name, id }) => [name, id]));
  if (moves.some(({ name, before }) => now.get(name) !== before)) return 'moved';
  const lines = moves.map(({ name, before, after }) =>
    after === undefined ? `delete ${name} ${before}` : `update ${name} ${after} ${before}`,
  );
  const settings = ['-c', 'core.fsync=committed,loose-object,reference', '-c', 'core.logAllRefUpdates=false'];
  const input = ['start', ...lines, 'prepare', 'commit', ''].join('\n');
  await runGit(folders, [...settings, 'update-ref', '--no-deref', '--stdin'], [input]);
  return 'done';
};
