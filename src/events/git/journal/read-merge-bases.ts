/** Reads the merge bases of the sides of merges in as few git calls as possible. */
import { splitLines } from '../blob-stream.js';
import { mergeBases } from '../commit-range.js';
import { type GitFolders, streamGit } from '../git-process.js';
import { type CommitGraph, type CommitPair, findMergeBases, openGraph } from './merge-bases.js';

/**
 * Returns, for each merge (given by its sides), the merge bases of its first side with each other side: the first
 * `most` by hash. A few pairs take one git call each, which reads little; more of them take one call that reads the
 * whole history of the sides, because whoever pushes decides how many merges there are.
 */
export const readCommonBases = async (
  folders: GitFolders,
  merges: readonly (readonly string[])[],
  most: number,
): Promise<readonly (readonly string[])[]> => {
  const asked = merges.flatMap(([first = '', ...others], merge) =>
    others.map((other) => ({ merge, pair: [first, other] as const })),
  );
  const found = merges.map((): string[] => []);
  const take = (merge: number, commit: string): void => keepFirst(found[merge] ?? [], commit, most);
  if (asked.length <= fewPairs) {
    for (const { merge, pair } of asked) for (const commit of await mergeBases(folders, ...pair)) take(merge, commit);
    return found;
  }
  const pairs = asked.map(({ pair }) => pair);
  findMergeBases(await readGraph(folders, pairs), pairs, (at, commit) => take(asked[at]?.merge ?? -1, commit));
  return found;
};

/** A git call takes as long as reading a few hundred commits. */
const fewPairs = 32;

/** Inserts the commit into the sorted list, without duplicates, and keeps at most `most` of them. */
const keepFirst = (kept: string[], commit: string, most: number): void => {
  if (kept.length === most && (kept.at(-1) ?? '') < commit) return;
  const at = kept.findIndex((one) => one >= commit);
  if (kept[at] === commit) return;
  kept.splice(at === -1 ? kept.length : at, 0, commit);
  if (kept.length > most) kept.pop();
};

const readGraph = async (folders: GitFolders, pairs: readonly CommitPair[]): Promise<CommitGraph> => {
  const { graph, add } = openGraph();
  const take = splitLines((line) => {
    const [hash = '', ...parents] = line.split(' ');
    add({ hash, parents });
  });
  const sides = [...new Set(pairs.flat())].map((side) => `${side}\n`);
  const args = ['rev-list', '--parents', '--topo-order', '--reverse', '--stdin'];
  await streamGit(folders, args, take, [sides.join('')]);
  return graph;
};
