/** Finds the merge bases of many pairs of commits in one reading of the history. Pure. */
import type { LoggedCommit } from '../../logged-event.js';

/** Commits by number, parents before children. */
export type CommitGraph = {
  readonly hashes: readonly string[];
  readonly numberOf: ReadonlyMap<string, number>;
  /** The parents of commit n are in `parents` from `begins[n]` up to `begins[n + 1]`. */
  readonly begins: readonly number[];
  readonly parents: readonly number[];
};

export type CommitPair = readonly [one: string, other: string];

/**
 * Builds a graph. Commits must be added after their parents; a parent that wasn't added (behind a shallow clone) is
 * ignored.
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
 * Calls `take` with each merge base of each pair, as `git merge-base --all` finds them: pairs by their index, commits
 * in no order. Walks commits from the newest, by the graph and not by their times, once for every 32 pairs, until no
 * open commit can lead to another base. Memory: 12 bytes per commit.
 */
export const findMergeBases = (
  graph: CommitGraph,
  pairs: readonly CommitPair[],
  take: (pair: number, commit: string) => void,
): void => {
  const numbered = pairs.map(([one, other], pair) => {
    const [first = -1, second = -1] = [graph.numberOf.get(one), graph.numberOf.get(other)];
    return { pair, first, second, newest: Math.max(first, second) };
  });
  // Neighbouring pairs share most of their walk.
  numbered.sort((a, b) => a.newest - b.newest);
  const look = openLook(graph);
  for (let from = 0; from < numbered.length; from += pairsAtOnce) {
    const some = numbered.slice(from, from + pairsAtOnce);
    look(some, (at, commit) => take(some[at]?.pair ?? -1, commit));
  }
};

/** One bit of a 32-bit integer per pair. */
const pairsAtOnce = 32;

type NumberedPair = { readonly first: number; readonly second: number; readonly newest: number };

const openLook = ({ hashes, begins, parents }: CommitGraph) => {
  /** Bits by commit, one per pair: reached from one side, reached from the other, ancestor of a common commit. */
  const ones = new Int32Array(hashes.length);
  const others = new Int32Array(hashes.length);
  const passed = new Int32Array(hashes.length);
  /** Number of commits still to visit that may lead to a common one. */
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
