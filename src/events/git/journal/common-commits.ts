/** The newest commits that pairs of commits have in common, for many pairs out of one reading of the history. Pure. */
import type { LoggedCommit } from '../../logged-event.js';

/** Commits by number, parents before their children. */
export type CommitGraph = {
  readonly hashes: readonly string[];
  readonly numberOf: ReadonlyMap<string, number>;
  /** The parents of commit n stand in `parents` from `begins[n]` up to `begins[n + 1]`. */
  readonly begins: readonly number[];
  readonly parents: readonly number[];
};

export type CommitPair = readonly [one: string, other: string];

/**
 * Takes a commit after all of its parents that belong to the graph: what is missing, as behind a shallow clone, is no parent.
 */
export const openGraph = () => {
  const hashes: string[] = [];
  const numberOf = new Map<string, number>();
  const begins = [0];
  const parents: number[] = [];
  return {
    add: (commit: Pick<LoggedCommit, 'hash' | 'parents'>): void => {
      for (const parent of commit.parents) {
        const number = numberOf.get(parent);
        if (number !== undefined) parents.push(number);
      }
      numberOf.set(commit.hash, hashes.length);
      hashes.push(commit.hash);
      begins.push(parents.length);
    },
    graph: { hashes, numberOf, begins, parents } satisfies CommitGraph,
  };
};

/**
 * Tells of each commit that a pair has in common and that is before no other one of these, as `git merge-base --all` does: pairs by
 * their place in the list, commits in no order. Commits are looked at from the newest on, by the graph and not by their times,
 * each once for 32 pairs, until nothing is left that leads to another one. Memory: 12 bytes for each commit.
 */
export const findCommon = (
  graph: CommitGraph,
  pairs: readonly CommitPair[],
  take: (pair: number, commit: string) => void,
): void => {
  const numbered = pairs.map(([one, other], pair) => {
    const [first = -1, second = -1] = [graph.numberOf.get(one), graph.numberOf.get(other)];
    return { pair, first, second, newest: Math.max(first, second) };
  });
  // Pairs that lie near one another share most of their way.
  numbered.sort((a, b) => a.newest - b.newest);
  const look = openLook(graph);
  for (let from = 0; from < numbered.length; from += pairsAtOnce) {
    const some = numbered.slice(from, from + pairsAtOnce);
    look(some, (at, commit) => take(some[at]?.pair ?? -1, commit));
  }
};

/** The bits of a number. */
const pairsAtOnce = 32;

type NumberedPair = { readonly first: number; readonly second: number; readonly newest: number };

const openLook = ({ hashes, begins, parents }: CommitGraph) => {
  /** By commit, a bit for each pair: what the one side has, what the other has, and what is before a commit of both. */
  const ones = new Int32Array(hashes.length);
  const others = new Int32Array(hashes.length);
  const passed = new Int32Array(hashes.length);
  /** Commits still to be looked at that may lead to a common one. */
  let open = 0;
  let oldest = 0;
  const mark = (at: number, one: number, other: number, pass: number): void => {
    const [inOne = 0, inOther = 0, isPassed = 0] = [ones[at], others[at], passed[at]];
    const wasOpen = ((inOne | inOther) & ~isPassed) !== 0;
    const isOpen = ((inOne | one | inOther | other) & ~(isPassed | pass)) !== 0;
    ones[at] = inOne | one;
    others[at] = inOther | other;
    passed[at] = isPassed | pass;
    open += Number(isOpen) - Number(wasOpen);
    oldest = Math.min(oldest, at);
  };
  return (pairs: readonly NumberedPair[], take: (pair: number, commit: string) => void): void => {
    let at = pairs.at(-1)?.newest ?? -1;
    oldest = at;
    for (const [pair, { first, second }] of pairs.entries()) {
      if (first >= 0) mark(first, 1 << pair, 0, 0);
      if (second >= 0) mark(second, 0, 1 << pair, 0);
    }
    for (; open > 0; at -= 1) {
      const [one = 0, other = 0, pass = 0] = [ones[at], others[at], passed[at]];
      if ((one | other) === 0) continue;
      if (((one | other) & ~pass) !== 0) open -= 1;
      ones[at] = 0;
      others[at] = 0;
      passed[at] = 0;
      const common = one & other;
      for (let found = common & ~pass; found !== 0; found &= found - 1)
        take(31 - Math.clz32(found & -found), hashes[at] ?? '');
      const end = begins[at + 1] ?? 0;
      for (let link = begins[at] ?? 0; link < end; link += 1) mark(parents[link] ?? 0, one, other, pass | common);
    }
    if (at >= oldest) for (const marks of [ones, others, passed]) marks.fill(0, oldest, at + 1);
  };
};
