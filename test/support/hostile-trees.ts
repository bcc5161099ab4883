/** Trees that no honest program writes, made with git's plumbing, which checks next to nothing. */
import { type GitFolders, runGit } from '../../src/events/git/git-process.js';

export type Entry = { readonly mode: string; readonly id: string };

const text = async (folders: GitFolders, args: readonly string[], input?: Iterable<Buffer | string>): Promise<string> =>
  (await runGit(folders, args, input)).toString('latin1').trim();

export const writeBlob = (folders: GitFolders, content: Buffer | string): Promise<string> =>
  text(folders, ['hash-object', '-w', '--stdin'], [content]);

export const fileOf = async (folders: GitFolders, content: Buffer | string): Promise<Entry> => ({
  mode: '100644',
  id: await writeBlob(folders, content),
});

export const linkTo = async (folders: GitFolders, target: string): Promise<Entry> => ({
  mode: '120000',
  id: await writeBlob(folders, target),
});

export const folderOf = (id: string): Entry => ({ mode: '040000', id });
export const submodule: Entry = { mode: '160000', id: '1'.repeat(40) };

const kindOf = ({ mode }: Entry): string => (mode === '040000' ? 'tree' : mode === '160000' ? 'commit' : 'blob');

/** Writes one tree object, with names that no file system needs to accept. */
export const writeTree = (folders: GitFolders, entries: Iterable<readonly [string, Entry]>): Promise<string> =>
  text(
    folders,
    ['mktree', '-z', '--missing'],
    [Array.from(entries, ([name, entry]) => `${entry.mode} ${kindOf(entry)} ${entry.id}\t${name}\0`).join('')],
  );

/** Writes a tree of one entry, of which git checks nothing at all. */
export const writeRawTree = (folders: GitFolders, name: string, { mode, id }: Entry): Promise<string> =>
  text(
    folders,
    ['hash-object', '-w', '-t', 'tree', '--literally', '--stdin'],
    [Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')])],
  );

/** Writes nested trees for paths, which are split at each slash. */
export const writeTrees = async (folders: GitFolders, entries: Iterable<readonly [string, Entry]>): Promise<string> => {
  const direct: [string, Entry][] = [];
  const below = new Map<string, [string, Entry][]>();
  for (const [path, entry] of entries) {
    const slash = path.indexOf('/');
    if (slash === -1) direct.push([path, entry]);
    else below.set(path.slice(0, slash), [...(below.get(path.slice(0, slash)) ?? []), [path.slice(slash + 1), entry]]);
  }
  for (const [name, children] of below) direct.push([name, folderOf(await writeTrees(folders, children))]);
  return writeTree(folders, direct);
};

/** Makes a commit of another person. */
export const commitTree = (
  folders: GitFolders,
  tree: string,
  parents: readonly string[] = [],
  message = 'hello',
): Promise<string> =>
  text(folders, [
    ...['-c', 'user.name=Mallory', '-c', 'user.email=mallory@example.com'],
    ...['commit-tree', '-m', message, ...parents.flatMap((parent) => ['-p', parent]), tree],
  ]);

/** Reads the entries of a commit, to be changed and written again. */
export const entriesOf = async (folders: GitFolders, commit: string): Promise<Map<string, Entry>> => {
  const output = (await runGit(folders, ['ls-tree', '-r', '-z', commit])).toString('utf8');
  return new Map(
    output
      .split('\0')
      .filter(Boolean)
      .map((line) => {
        const [mode = '', , id = ''] = line.slice(0, line.indexOf('\t')).split(' ');
        return [line.slice(line.indexOf('\t') + 1), { mode, id }];
      }),
  );
};

/** Moves main to a commit of another person that sets these entries, or removes a path (null). */
export const commitForeign = async (
  folders: GitFolders,
  changed: Iterable<readonly [string, Entry | null]>,
): Promise<string> => {
  const head = await text(folders, ['rev-parse', 'refs/heads/main']);
  const entries = await entriesOf(folders, head);
  for (const [path, entry] of changed) {
    if (entry === null) entries.delete(path);
    else entries.set(path, entry);
  }
  const commit = await commitTree(folders, await writeTrees(folders, entries), [head]);
  await runGit(folders, ['update-ref', 'refs/heads/main', commit]);
  return commit;
};
