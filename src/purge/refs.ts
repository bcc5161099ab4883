/** Which refs a purge moves, and which it can only drop. */

import { acceptedRef, formerRef, rescuePrefix } from '../events/git/branch.js';
import { type GitFolders, runGit } from '../events/git/git-process.js';
import { branch } from '../events/git/journal-ref.js';
import { isSharedRef } from '../events/git/remote/shared-refs.js';
import { purgingRef } from './new-history.js';
import { purgedMark, purgeText, type TextMatcher } from './rule/matcher.js';

export type PurgedRef = {
  readonly name: string;
  /** The object that it points to. */
  readonly id: string;
  /** The commit behind it; undefined if it is not a commit, or if the ref will be fetched or built again. */
  readonly commit: string | undefined;
  readonly isTag: boolean;
};

export type RefMove = {
  readonly name: string;
  readonly before: string;
  readonly after: string | undefined;
  /** Undefined where the name stays. */
  readonly newName?: string | undefined;
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
      const isTag = type === 'tag';
      return { name, id, commit: symbolic !== '' || isFetchedAgain(name) ? undefined : commit, isTag };
    });
};

/** Copies of a remote's refs, and the refs where sync and purge build: they are recreated when needed. */
const isFetchedAgain = (name: string): boolean =>
  /^refs\/(?:remotes|replace|prefetch|bisect)\//.test(name) || builtAgain.has(name);
const builtAgain: ReadonlySet<string> = new Set(['refs/anamnesis/incoming', 'refs/anamnesis/building', purgingRef]);

/**
 * Returns another name, not in `taken`, for a ref that a person named with the text. Main and the program's own refs
 * keep their names, without which sync would not find them.
 */
export const newNameOf = (name: string, matcher: TextMatcher | undefined, taken: ReadonlySet<string>): string => {
  if (matcher === undefined || ownRefs.has(name) || isSharedRef(name) || matcher.spans(name).length === 0) return name;
  const prefix = prefixes.find((start) => name.startsWith(start)) ?? 'refs/';
  const purged = prefix + purgeText(name.slice(prefix.length), matcher).text.replaceAll(purgedMark, 'purged');
  // A text that begins in the prefix is still there.
  const target = matcher.spans(purged).length === 0 ? purged : `${prefix}purged`;
  let free = target;
  for (let n = 2; taken.has(free); n += 1) free = `${target}-${n}`;
  return free;
};

const ownRefs: ReadonlySet<string> = new Set([branch, acceptedRef, formerRef]);
const prefixes: readonly string[] = ['refs/heads/', 'refs/tags/', rescuePrefix, 'refs/'];

/** Writes an annotated tag again for another commit, purged and without its signature. Returns its id. */
export const rewriteTag = async (
  folders: GitFolders,
  id: string,
  commit: string,
  name: string,
  matcher: TextMatcher | undefined,
): Promise<string> => {
  const tag = (await runGit(folders, ['cat-file', 'tag', id])).toString('utf8');
  const end = tag.indexOf('\n\n');
  const tagger =
    tag
      .slice(0, end)
      .split('\n')
      .find((line) => line.startsWith('tagger ')) ?? '';
  const message = tag.slice(end + 2).replace(/-----BEGIN (?:PGP|SSH) SIGNATURE-----.*$/s, '');
  const head = `object ${commit}\ntype commit\ntag ${name.replace(/^refs\/tags\//, '')}`;
  const text = `${head}\n${tagger === '' ? '' : `${purge(tagger, matcher)}\n`}\n${purge(message, matcher)}`;
  return (await runGit(folders, ['hash-object', '-t', 'tag', '-w', '--stdin'], [text])).toString('latin1').trim();
};

const purge = (text: string, matcher: TextMatcher | undefined): string =>
  matcher === undefined ? text : purgeText(text, matcher).text;

/**
 * Moves all refs or none, each only from its `before`; returns 'moved' if one has moved meanwhile. Deletes a ref
 * without `after`. Throws GitError.
 */
export const moveRefs = async (folders: GitFolders, moves: readonly RefMove[]): Promise<'done' | 'moved'> => {
  const now = new Map((await readRefs(folders)).map(({ name, id }) => [name, id]));
  if (moves.some(({ name, before }) => before !== '' && now.get(name) !== before)) return 'moved';
  const lines = moves.flatMap(({ name, before, after, newName }) => {
    if (after === undefined) return [`delete ${name} ${before}`];
    if (newName !== undefined && newName !== name) return [`create ${newName} ${after}`, `delete ${name} ${before}`];
    return [`update ${name} ${after} ${before === '' ? '0'.repeat(after.length) : before}`];
  });
  const settings = ['-c', 'core.fsync=committed,loose-object,reference', '-c', 'core.logAllRefUpdates=false'];
  const input = ['start', ...lines, 'prepare', 'commit', ''].join('\n');
  await runGit(folders, [...settings, 'update-ref', '--no-deref', '--stdin'], [input]);
  return 'done';
};
