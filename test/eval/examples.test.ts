/** The gate: a change that makes search on the sample notes worse is noticed before it is merged. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runEval } from '../../src/eval/evaluating.js';
import { importPath } from '../../src/import/importing.js';
import type { EvalReport } from '../../src/projections/eval/report.js';
import { openStore, type TestStore } from '../support/store.js';

const examples = join(process.cwd(), 'examples');

describe('search over the sample notes', () => {
  let store: TestStore;
  let report: EvalReport;
  beforeAll(async () => {
    store = openStore();
    await importPath(store.memory, join(examples, 'notes.jsonl'), { format: 'jsonl' });
    report = (await runEval(store.memory, { sets: [join(examples, 'cases.jsonl')] })).report;
  }, 120_000);
  afterAll(() => store.close());

  it('is asked at least 50 questions, and every relevant note is there', () => {
    expect(report.warnings).toEqual([]);
    const { cases, casesWithoutRelevant: without } = report.metrics;
    expect(cases - without).toBeGreaterThanOrEqual(50);
  });

  // Measured values: a change that raises one raises its floor with it.
  it('finds no fewer relevant notes, and ranks them no lower, than before', () => {
    const { hit, recall8, mrr10, ndcg10 } = report.metrics;
    const missed = report.results.filter(({ relevant, firstHitRank: at = 99 }) => relevant.length > 0 && at > 8);
    const named = `missed: ${missed.map(({ query }) => query).join(' | ')}`;
    expect(hit[8], named).toBeGreaterThanOrEqual(1);
    expect(hit[1], named).toBeGreaterThanOrEqual(0.77);
    expect(recall8, named).toBeGreaterThanOrEqual(0.99);
    expect(mrr10, named).toBeGreaterThanOrEqual(0.85);
    expect(ndcg10, named).toBeGreaterThanOrEqual(0.884);
  });
});
