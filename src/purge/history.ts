/** Walks all commits reachable from given tips, oldest first, with the changes of each against its first parent. */
import { parseCommit, type RawCommit, readFields, readObjects } from '../events/git/git-objects.js';
import { pipeThroughGit } from '../events/git/git-pipe.js';
import { everyChange, type GitFolders, runGit } from '../events/git/git-process.js';

/** `path` is git's raw bytes as latin1, since git paths have no encoding. Without `after`, the path was removed. */
export type RawChange = { readonly path: string; readonly mode: string; readonly after: string | undefined };

export type WalkedCommit = { readonly id: string; readonly commit: RawCommit; readonly changes: readonly RawChange[] };

/** Parents before children, ordered by history alone; returns the count. One commit at a time. Throws GitError. */
export const walkHistory = async (
  folders: GitFolders,
  tips: readonly string[],
  visit: (commit: WalkedCommit) => Promise<void>,
): Promise<number> => {
  if (tips.length === 0) return 0;
  const order = [...plain, 'rev-list', '--topo-order', '--reverse', '--parents', '--stdin'];
  const lines = (
    await runGit(
      folders,
      order,
      tips.map((tip) => `${tip}\n`),
    )
  )
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '');
  const ids = lines.map((line) => line.split(' ', 1)[0] ?? '');
  // diff-tree compares a line of two commits as child and parent, whatever other parents the commit has.
  const pairs = lines.map((line) => line.split(' ').slice(0, 2).join(' '));
  const diff = [
    ...plain,
    'diff-tree',
    '--stdin',
    '--always',
    '--root',
    '-r',
    '-z',
    '--raw',
    '--no-abbrev',
    ...everyChange,
  ];
  await pipeThroughGit(folders, [...plain, 'cat-file', '--batch', '--buffer'], linesOf(ids), (commits) =>
    pipeThroughGit(folders, diff, linesOf(pairs), async (differences) => {
      const changesNext = readChanges(readFields(differences));
      for await (const { id, type, bytes } of readObjects(commits)) {
        if (type !== 'commit') throw new Error(`git has no commit ${id}`);
        const { value } = await changesNext.next();
        if (value === undefined || value.id !== id) throw new Error(`git returned a commit other than ${id}`);
        await visit({ id, commit: parseCommit(bytes), changes: value.changes });
      }
      // Drain the output so that git doesn't block on it.
      await changesNext.next();
    }),
  );
  return ids.length;
};

/** Makes git read the commits themselves, not what a person's `git replace` puts in their place. */
const plain = ['--no-replace-objects'];

function* linesOf(texts: readonly string[]): Generator<string> {
  for (const text of texts) yield `${text}\n`;
}

type CommitChanges = { readonly id: string; readonly changes: readonly RawChange[] };

async function* readChanges(fields: AsyncGenerator<string>): AsyncGenerator<CommitChanges> {
  let id = '';
  let changes: RawChange[] = [];
  for (let next = await fields.next(); next.done !== true; next = await fields.next()) {
    const field = next.value.trimStart();
    if (field.startsWith(':')) {
      const [, mode = '', , after = ''] = field.slice(1).split(' ');
      const path = await fields.next();
      const isGone = /^0+$/.test(mode);
      changes.push({ path: path.done === true ? '' : path.value, mode, after: isGone ? undefined : after });
      continue;
    }
    if (field === '') continue;
    if (id !== '') yield { id, changes };
    id = field.split(' ', 1)[0] ?? '';
    changes = [];
  }
  if (id !== '') yield { id, changes };
}
