import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type BenchOptions, benchSet } from '../../src/eval/benching.js';
import { type ModeResult, reportBench, type SetResult } from '../../src/projections/eval/bench-report.js';

const shared = join(process.cwd(), '../shared/eval');
const missing = !existsSync(shared);
const sets = missing
  ? ['(no set)']
  : readdirSync(shared).filter((name) => existsSync(join(shared, name, 'cases.jsonl')));
/** Sets that take only seconds. */
const quick = ['claude-docs', 'locomo-sessions', 'xquad-en'];
const needs = missing ? ' (skipped: needs ../shared/eval)' : '';

describe.skipIf(missing)(`search on the public sets${needs}`, () => {
  const measure = async (name: string, options: BenchOptions): Promise<SetResult> =>
    reportBench({ [name]: await benchSet(join(shared, name), options) }).sets[name]!;
  const results = new Map<string, Promise<readonly [ModeResult, ModeResult]>>();
  const run = (name: string): Promise<readonly [ModeResult, ModeResult]> => {
    const both =
      results.get(name) ??
      measure(name, { modes: ['keyword', 'bm25'] }).then(({ modes }) => [modes.keyword!, modes.bm25!] as const);
    results.set(name, both);
    return both;
  };

  it.each(sets)(
    '%s: choosing candidates by rare words costs at most 0.005 of hit@8 and nDCG@10',
    async (name) => {
      const [fast, plain] = await run(name);
      expect(fast.hit[8]).toBeGreaterThanOrEqual(plain.hit[8] - 0.005);
      expect(fast.ndcg10).toBeGreaterThanOrEqual(plain.ndcg10 - 0.005);
    },
    120_000,
  );

  it('loses at most 0.012 of hit@8 and nDCG@10 to a typo in every query', async () => {
    const losses = await Promise.all(
      sets
        .filter((name) => quick.includes(name))
        .map(
          async (name) =>
            [(await run(name))[0], (await measure(name, { modes: ['keyword'], typos: 1 })).modes.keyword!] as const,
        ),
    );
    const mean = (of: (result: ModeResult) => number): number =>
      losses.reduce((sum, [right, slipped]) => sum + of(right) - of(slipped), 0) / losses.length;
    expect(mean(({ ndcg10 }) => ndcg10)).toBeLessThanOrEqual(0.012);
    expect(mean(({ hit }) => hit[8])).toBeLessThanOrEqual(0.012);
  }, 240_000);

  it('is at least as good as the measured BM25 baseline on average', async () => {
    const baselines = JSON.parse(readFileSync(join(shared, 'baselines.json'), 'utf8')).sets;
    let ours = 0;
    let theirs = 0;
    for (const name of sets) {
      ours += (await run(name))[0].ndcg10;
      theirs += baselines[name].bm25['ndcg@10'];
    }
    expect(ours / sets.length).toBeGreaterThanOrEqual(theirs / sets.length);
  }, 240_000);
});
