/** The eval report. Its bytes depend on notes and cases alone: no clock, no timing, no machine. */
import { firstHitRank, type Metrics, mean, measure, median, type RankedCase } from './metrics.js';

export type EvalCase = RankedCase & { readonly query: string; readonly project: string | undefined };

/** Lengths are in UTF-16 units, as `text.length` gives them. */
export type EvalInput = {
  readonly cases: readonly EvalCase[];
  /** Number of cases left out because nobody has approved them. */
  readonly unapproved: number;
  /** Right notes that are not in the store, which count as not found. */
  readonly gone: number;
  readonly warnings: readonly string[];
  /** Size of the notes that a session in each project gets when it starts. */
  readonly injections: readonly { readonly project: string; readonly units: number }[];
  /** All notes together: the cost of giving a session everything. */
  readonly corpusUnits: number;
};

export type CaseResult = {
  readonly query: string;
  readonly project: string | undefined;
  readonly relevant: readonly string[];
  readonly ranked: readonly string[];
  readonly firstHitRank: number | undefined;
};

export type InjectionSize = { readonly project: string; readonly tokens: number };

export type EvalReport = {
  readonly metrics: Metrics;
  /** In the order of the cases. */
  readonly results: readonly CaseResult[];
  readonly unapproved: number;
  readonly gone: number;
  readonly warnings: readonly string[];
  readonly injection: {
    readonly perProject: readonly InjectionSize[];
    readonly meanTokens: number;
    readonly medianTokens: number;
    readonly corpusTokens: number;
  };
};

export const buildReport = ({ cases, unapproved, gone, warnings, injections, corpusUnits }: EvalInput): EvalReport => {
  const perProject = injections
    .map(({ project, units }) => ({ project, tokens: tokensOf(units) }))
    .toSorted((a, b) => byCodeUnits(a.project, b.project) || a.tokens - b.tokens);
  const tokens = perProject.map((size) => size.tokens);
  return {
    metrics: measure(cases),
    results: cases.map(({ query, project, relevant, ranked }) => ({
      query,
      project,
      relevant,
      ranked,
      firstHitRank: firstHitRank({ relevant, ranked }),
    })),
    unapproved,
    gone,
    warnings,
    injection: {
      perProject,
      meanTokens: mean(tokens),
      medianTokens: median(tokens),
      corpusTokens: tokensOf(corpusUnits),
    },
  };
};

/** Plain text for a person, without colours, ending in a newline. */
export const formatReport = (report: EvalReport): string =>
  [metricsLines(report), missedLines(report), injectionLines(report), warningLines(report)]
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');

/** The report for a program: numbers rounded to 6 decimals, null for undefined. */
export const reportJson = (report: EvalReport): string => {
  const toJson = (_key: string, value: unknown): unknown =>
    value === undefined ? null : typeof value === 'number' ? Math.round(value * 1e6) / 1e6 : value;
  return `${JSON.stringify(report, toJson, 2)}\n`;
};

/** How many notes a search shows by default: a relevant note below this rank is missed. */
const shownRanks = 8;
const listedMisses = 10;

const metricsLines = ({ metrics, unapproved, gone }: EvalReport): string[] => {
  const judged = metrics.cases - metrics.casesWithoutRelevant;
  const without = metrics.casesWithoutRelevant;
  const left = without === 0 ? '' : ' (left out of the means)';
  const heading = [
    `Eval: ${counted(metrics.cases, 'query', 'queries')}, ${without} without a relevant note${left}`,
    ...(unapproved === 0
      ? []
      : [
          `left out ${counted(unapproved, 'case', 'cases')} that nobody has approved (--include-unreviewed counts them)`,
        ]),
    ...(gone === 0
      ? []
      : [
          `${counted(gone, 'right note is', 'right notes are')} not in the store (gone, or never there): counted as not found`,
        ]),
  ];
  if (judged === 0) return [...heading, '', '  nothing was measured'];
  const columns: readonly (readonly [string, number])[] = [
    ['hit@1', metrics.hit[1]],
    ['hit@3', metrics.hit[3]],
    ['hit@5', metrics.hit[5]],
    ['hit@8', metrics.hit[8]],
    ['Recall@8', metrics.recall8],
    ['MRR@10', metrics.mrr10],
    ['nDCG@10', metrics.ndcg10],
  ];
  const row = (cellOf: (column: readonly [string, number]) => string): string =>
    columns.map((column) => `  ${cellOf(column).padStart(Math.max(column[0].length, 6))}`).join('');
  return [...heading, '', row(([name]) => name), row(([, value]) => value.toFixed(4))];
};

const missedLines = ({ metrics, results }: EvalReport): string[] => {
  const judged = metrics.cases - metrics.casesWithoutRelevant;
  if (judged === 0) return [];
  const missed = results.filter(
    ({ relevant, firstHitRank: rank }) => relevant.length > 0 && (rank === undefined || rank > shownRanks),
  );
  const heading = `Missed: ${missed.length} of ${judged}, no relevant note in the first ${shownRanks}`;
  if (missed.length === 0) return [heading];
  const listed = missed.slice(0, listedMisses).map(({ query, project, firstHitRank: rank }) => {
    const found = rank === undefined ? 'not found' : `rank ${rank}`;
    return `  ${found.padEnd(9)}  ${oneLine(query)}${project === undefined ? '' : `  [${oneLine(project)}]`}`;
  });
  const more = missed.length - listed.length;
  return [heading, '', ...listed, ...(more > 0 ? [`  and ${more} more`] : [])];
};

const injectionLines = ({ injection }: EvalReport): string[] => {
  const { perProject, meanTokens, medianTokens, corpusTokens } = injection;
  const projects = counted(perProject.length, 'project', 'projects');
  const heading = `Injection: ${projects}, mean ${meanTokens.toFixed(1)} tokens, median ${medianTokens.toFixed(1)}; all notes ${corpusTokens}`;
  if (perProject.length === 0) return [heading];
  const width = Math.max('tokens'.length, ...perProject.map(({ tokens }) => String(tokens).length));
  // The names come last: padding would not line up after one with wide characters.
  const rows = perProject.map(({ project, tokens }) => `  ${String(tokens).padStart(width)}  ${oneLine(project)}`);
  return [heading, '', `  ${'tokens'.padStart(width)}  project`, ...rows];
};

const warningLines = ({ warnings }: EvalReport): string[] =>
  warnings.length === 0 ? [] : ['Warnings:', '', ...warnings.map((warning) => `  ${oneLine(warning)}`)];

/** A synced case is somebody else's text: a line break or an escape sequence in it must not reach the terminal. */
const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** An estimate: a tokenizer would be slower, bound to one model, and no nearer for another. */
const tokensOf = (units: number): number => Math.ceil(units / 4);

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
