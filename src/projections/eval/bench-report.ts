/** Reports measured sets in numbers: every mode, its gain over the first one, and each category. Pure. */
import { bootstrapMean, compareRankings, type Difference, type Interval } from './compare.js';
import { type Metrics, mean, measure, ndcgAt, type RankedCase } from './metrics.js';

/** In the order in which they are measured and shown; the others are compared with the first. */
export const benchModes = ['keyword', 'hybrid', 'semantic', 'bm25', 'grep'] as const;
export type BenchMode = (typeof benchModes)[number];

export type Timings = { readonly p50Ms: number; readonly p95Ms: number };

export type BenchCase = {
  readonly id: string;
  readonly query: string;
  readonly project?: string | undefined;
  readonly category?: string | undefined;
  readonly relevant: readonly string[];
};

/** Ranked note ids per case, in the order of the cases. */
export type ModeRun = { readonly ranked: readonly (readonly string[])[]; readonly timings: Timings };

/** The raw measurements; everything else is derived from them. */
export type BenchRun = {
  readonly notes: number;
  readonly cases: readonly BenchCase[];
  /** Cases that name a relevant note which is not in the set; it counts as not found. */
  readonly casesWithUnknownNote?: number | undefined;
  readonly modes: Readonly<Partial<Record<BenchMode, ModeRun>>>;
};

export type ModeResult = Metrics &
  Timings & {
    /** The 95 % interval of nDCG@10. */
    readonly interval: Interval;
    /** Over the first mode, which has none. */
    readonly gain?: Difference;
    readonly categories?: Readonly<Record<string, Metrics>>;
  };

export type SetResult = Pick<Metrics, 'cases' | 'casesWithoutRelevant'> & {
  readonly notes: number;
  /** Left out if there are none. */
  readonly casesWithUnknownNote?: number;
  readonly modes: Readonly<Partial<Record<BenchMode, ModeResult>>>;
};

export type BenchMean = {
  readonly ndcg10: number;
  readonly hit8: number;
  readonly interval: Interval;
  readonly p50Ms: number;
  readonly gain?: Difference;
};

export type BenchReport = {
  readonly sets: Readonly<Record<string, SetResult>>;
  /** Of several sets, with equal weight. */
  readonly mean?: Readonly<Partial<Record<BenchMode, BenchMean>>>;
};

export const reportBench = (runs: Readonly<Record<string, BenchRun>>): BenchReport => {
  const sets = Object.fromEntries(Object.entries(runs).map(([name, run]) => [name, reportSet(run)]));
  const all = Object.values(runs);
  return all.length < 2 ? { sets } : { sets, mean: meanOf(all, Object.values(sets)) };
};

const modesOf = (runs: readonly BenchRun[]): readonly BenchMode[] =>
  benchModes.filter((mode) => runs.every((run) => run.modes[mode] !== undefined));

const reportSet = (run: BenchRun): SetResult => {
  const modes: Partial<Record<BenchMode, ModeResult>> = {};
  const [first] = modesOf([run]);
  for (const mode of modesOf([run])) {
    const ranked = rankedBy(run, mode);
    const categories = byCategory(run, ranked);
    modes[mode] = {
      ...measure(ranked),
      ...timingsOf(run, mode),
      interval: intervalOf([ranked]),
      ...(mode === first || first === undefined ? {} : { gain: gainOf([run], first, mode) }),
      ...(categories === undefined ? {} : { categories }),
    };
  }
  const { notes, cases, casesWithUnknownNote: unknown = 0 } = run;
  const warned = unknown === 0 ? {} : { casesWithUnknownNote: unknown };
  const casesWithoutRelevant = cases.filter(({ relevant }) => relevant.length === 0).length;
  return { notes, cases: cases.length, casesWithoutRelevant, ...warned, modes };
};

const emptyResult: ModeResult = { ...measure([]), p50Ms: 0, p95Ms: 0, interval: { low: 0, high: 0 } };

const meanOf = (
  runs: readonly BenchRun[],
  sets: readonly SetResult[],
): Readonly<Partial<Record<BenchMode, BenchMean>>> => {
  const means: Partial<Record<BenchMode, BenchMean>> = {};
  const modes = modesOf(runs);
  const [first] = modes;
  for (const mode of modes) {
    const results = sets.map((set) => set.modes[mode] ?? emptyResult);
    means[mode] = {
      ndcg10: mean(results.map(({ ndcg10 }) => ndcg10)),
      hit8: mean(results.map(({ hit }) => hit[8])),
      interval: intervalOf(runs.map((run) => rankedBy(run, mode))),
      p50Ms: mean(results.map(({ p50Ms }) => p50Ms)),
      ...(mode === first || first === undefined ? {} : { gain: gainOf(runs, first, mode) }),
    };
  }
  return means;
};

const gainOf = (runs: readonly BenchRun[], first: BenchMode, mode: BenchMode): Difference =>
  compareRankings(
    runs.map((run) => {
      const after = rankedBy(run, mode);
      return rankedBy(run, first).map((before, at) => ({ before, after: after[at] ?? before }));
    }),
  );

const intervalOf = (groups: readonly (readonly RankedCase[])[]): Interval =>
  bootstrapMean(groups.map((cases) => cases.filter(({ relevant }) => relevant.length > 0).map(ndcgAt(10))));

const rankedBy = ({ cases, modes }: BenchRun, mode: BenchMode): readonly RankedCase[] =>
  cases.map(({ id, relevant }, at) => ({ id, relevant, ranked: modes[mode]?.ranked[at] ?? [] }));

const timingsOf = ({ modes }: BenchRun, mode: BenchMode): Timings => modes[mode]?.timings ?? { p50Ms: 0, p95Ms: 0 };

/** Undefined if the cases have no categories. Ordered by name. */
const byCategory = (
  { cases }: BenchRun,
  ranked: readonly RankedCase[],
): Readonly<Record<string, Metrics>> | undefined => {
  const names = [...new Set(cases.flatMap(({ category }) => category ?? []))].sort();
  if (names.length === 0) return undefined;
  return Object.fromEntries(
    names.map((name) => [name, measure(ranked.filter((_, at) => cases[at]?.category === name))]),
  );
};
