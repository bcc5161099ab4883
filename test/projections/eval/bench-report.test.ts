import { describe, expect, it } from 'vitest';
import { type BenchRun, reportBench } from '../../../src/projections/eval/bench-report.js';

const timings = { p50Ms: 1, p95Ms: 2 };
const ranking = (rank: number): readonly string[] =>
  Array.from({ length: 10 }, (_, at) => (at + 1 === rank ? 'x' : `n${at}`));
const cases = (count: number, category?: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => ({ id: `${at}`, query: 'q', relevant: ['x'], category: category?.(at) }));
const run = (
  count: number,
  ranks: Partial<Record<keyof BenchRun['modes'], number>>,
  category?: (at: number) => string,
): BenchRun => ({
  notes: 7,
  cases: cases(count, category),
  modes: Object.fromEntries(
    Object.entries(ranks).map(([mode, rank]) => [mode, { ranked: cases(count).map(() => ranking(rank)), timings }]),
  ),
});

describe('reportBench', () => {
  it('compares every mode with the first one', () => {
    const { sets, mean } = reportBench({ a: run(20, { keyword: 3, hybrid: 1, grep: 20 }) });
    const { keyword, hybrid, grep } = sets['a']!.modes;
    expect(keyword?.gain).toBeUndefined();
    expect(hybrid?.gain).toMatchObject({ before: 0.5, after: 1, difference: 0.5, verdict: 'better' });
    expect(grep?.gain).toMatchObject({ difference: -0.5, verdict: 'worse' });
    expect(mean).toBeUndefined();
  });

  it('counts the cases that ask for a missing note, if there are any', () => {
    const measured = run(2, { keyword: 1 });
    expect(reportBench({ a: measured }).sets['a']).not.toHaveProperty('casesWithUnknownNote');
    expect(reportBench({ a: { ...measured, casesWithUnknownNote: 0 } }).sets['a']).not.toHaveProperty(
      'casesWithUnknownNote',
    );
    expect(reportBench({ a: { ...measured, casesWithUnknownNote: 1 } }).sets['a']).toMatchObject({
      casesWithUnknownNote: 1,
    });
  });

  it('measures each category, sorted by name, if cases have one', () => {
    const set = reportBench({ a: run(5, { keyword: 1 }, (at) => (at < 2 ? 'why' : 'error')) }).sets['a']!;
    expect(Object.entries(set.modes.keyword?.categories ?? {}).map(([name, { cases }]) => [name, cases])).toEqual([
      ['error', 3],
      ['why', 2],
    ]);
    expect(reportBench({ a: run(5, { keyword: 1 }) }).sets['a']!.modes.keyword).not.toHaveProperty('categories');
  });

  it('weights every set equally in the mean, which covers only the modes that all sets have', () => {
    const { mean } = reportBench({ a: run(1, { keyword: 1, hybrid: 1 }), b: run(99, { keyword: 3 }) });
    expect(Object.keys(mean ?? {})).toEqual(['keyword']);
    expect(mean?.keyword).toMatchObject({ ndcg10: 0.75, hit8: 1, p50Ms: 1, interval: { low: 0.75, high: 0.75 } });
  });

  it('returns the same report for the same measurements', () => {
    const runs = { a: run(9, { keyword: 2, hybrid: 1 }) };
    expect(reportBench(structuredClone(runs))).toEqual(reportBench(runs));
  });
});
