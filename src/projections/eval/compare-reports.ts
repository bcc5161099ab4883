/** Compares two saved reports about the same cases, case by case. Pure. */
import { type CasePair, compareRankings, type Differences, isJudged, ranksOf, type Verdict } from './compare.js';
import { ndcgAt } from './metrics.js';

export type SavedCase = {
  /** Set if the cases have names; otherwise query and project identify a case. */
  readonly id?: string | undefined;
  readonly query: string;
  readonly project: string | undefined;
  readonly relevant: readonly string[];
  readonly ranked: readonly string[];
};

/** Cases by mode by set. A report of a person's own store has one set without a name and one mode. */
export type SavedReport = {
  readonly sets: Readonly<Record<string, Readonly<Record<string, readonly SavedCase[]>>>>;
};

/** The rank of the first right note, null if none was found. */
export type ChangedCase = {
  readonly set: string;
  readonly query: string;
  readonly project: string | null;
  readonly before: number | null;
  readonly after: number | null;
};

export type ModeComparison = {
  readonly mode: string;
  /** By nDCG@10, which measures how high the right notes rank. */
  readonly verdict: Verdict;
  /** Cases with a right note that both reports have. */
  readonly cases: number;
  readonly onlyBefore: number;
  readonly onlyAfter: number;
  readonly improved: number;
  readonly worsened: number;
  readonly measures: Differences;
  /** The cases that changed most, at most ten each. */
  readonly losses: readonly ChangedCase[];
  readonly gains: readonly ChangedCase[];
};

/** A comparison for each mode that both reports have; none if they have no mode in common. */
export const compareReports = (before: SavedReport, after: SavedReport): readonly ModeComparison[] => {
  const modesOf = ({ sets }: SavedReport): ReadonlySet<string> =>
    new Set(Object.values(sets).flatMap((modes) => Object.keys(modes)));
  const common = modesOf(after);
  return [...modesOf(before)].filter((mode) => common.has(mode)).map((mode) => compareMode(mode, before, after));
};

type FoundPair = CasePair & Pick<ChangedCase, 'set' | 'query' | 'project'>;

const compareMode = (mode: string, before: SavedReport, after: SavedReport): ModeComparison => {
  const names = [...new Set([...Object.keys(before.sets), ...Object.keys(after.sets)])];
  const groups = names.map((set) => pairUp(set, casesOf(before, set, mode), casesOf(after, set, mode)));
  const measures = compareRankings(groups.map(({ pairs }) => pairs));
  const judged = groups.flatMap(({ pairs }) => pairs).filter(isJudged);
  const changed = judged
    .map((pair) => ({ pair, by: ndcgAt(10)(pair.after) - ndcgAt(10)(pair.before) }))
    .filter(({ by }) => by !== 0)
    .toSorted((a, b) => a.by - b.by);
  const losses = changed.filter(({ by }) => by < 0);
  const gains = changed.filter(({ by }) => by > 0).reverse();
  const shown = (list: typeof changed): readonly ChangedCase[] =>
    list.slice(0, maxShown).map(({ pair }) => toChanged(pair));
  return {
    mode,
    verdict: measures['nDCG@10'].verdict,
    cases: judged.length,
    onlyBefore: groups.reduce((sum, group) => sum + group.onlyBefore, 0),
    onlyAfter: groups.reduce((sum, group) => sum + group.onlyAfter, 0),
    improved: gains.length,
    worsened: losses.length,
    measures,
    losses: shown(losses),
    gains: shown(gains),
  };
};

const maxShown = 10;

const casesOf = ({ sets }: SavedReport, set: string, mode: string): readonly SavedCase[] => {
  const modes = Object.hasOwn(sets, set) ? sets[set] : undefined;
  return modes !== undefined && Object.hasOwn(modes, mode) ? (modes[mode] ?? []) : [];
};

/** Pairs cases with equal names in order. */
const pairUp = (
  set: string,
  before: readonly SavedCase[],
  after: readonly SavedCase[],
): { readonly pairs: readonly FoundPair[]; readonly onlyBefore: number; readonly onlyAfter: number } => {
  const waiting = new Map<string, SavedCase[]>();
  const keyOf = ({ id, query, project }: SavedCase): string =>
    JSON.stringify(id === undefined ? [query, project ?? null] : id);
  for (const one of after) waiting.set(keyOf(one), [...(waiting.get(keyOf(one)) ?? []), one]);
  const pairs = before.flatMap((one): readonly FoundPair[] => {
    const other = waiting.get(keyOf(one))?.shift();
    return other === undefined
      ? []
      : [{ set, query: one.query, project: one.project ?? null, before: one, after: other }];
  });
  return { pairs, onlyBefore: before.length - pairs.length, onlyAfter: after.length - pairs.length };
};

const toChanged = (pair: FoundPair): ChangedCase => {
  const [before, after] = ranksOf(pair);
  return {
    set: pair.set,
    query: pair.query,
    project: pair.project,
    before: before ?? null,
    after: after ?? null,
  };
};
