import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EvalRunCase } from '../../src/eval/eval-case-schema.js';
import { evaluate } from '../../src/eval/evaluating.js';
import { openStore, type TestStore, writeNote } from '../support/store.js';

let store: TestStore;
beforeEach(() => {
  store = openStore();
});
afterEach(() => store.close());

const ask = async (query: string, relevant: readonly string[]) =>
  (await evaluate(store.memory, [EvalRunCase.parse({ query, relevant_ids: relevant })], { workers: 1 })).report;
const write = (title: string, more = {}) => writeNote(store.memory, { title, body: `${title}.\n`, ...more });

describe('evaluate', () => {
  it('counts a relevant note that is gone as not found, and says how many are gone', async () => {
    const gone = await write('Deploy payments by hand');
    const kept = await write('Deploy payments with make');
    await store.memory.perform({ kind: 'forget', id: gone.id });
    const report = await ask('deploy payments', [gone.id, kept.id]);
    expect(report).toMatchObject({ gone: 1, metrics: { cases: 1, casesWithoutRelevant: 0, recall8: 0.5 } });
    expect(report.warnings).toEqual([`"deploy payments": no note ${gone.id}`]);
  });

  it('scores 0 if every relevant note is gone', async () => {
    const gone = await write('Deploy payments by hand');
    await write('Deploy payments with make');
    await store.memory.perform({ kind: 'forget', id: gone.id });
    const report = await ask('deploy payments', [gone.id]);
    expect(report).toMatchObject({ gone: 1, metrics: { casesWithoutRelevant: 0, hit: { 8: 0 }, ndcg10: 0 } });
  });

  it('accepts the note that superseded a relevant one, even if that one is gone', async () => {
    const older = await write('Deploy payments by hand');
    await write('Deploy payments with make', { supersedes: [older.id] });
    expect(await ask('deploy payments', [older.id])).toMatchObject({ gone: 0, metrics: { ndcg10: 1 } });
    await store.memory.perform({ kind: 'forget', id: older.id });
    expect(await ask('deploy payments', [older.id])).toMatchObject({ gone: 0, metrics: { ndcg10: 1 } });
  });
  it('finds the note that superseded a relevant one by the words of that one, as search does', async () => {
    const older = await write('Deploy payments by hand');
    await write('Releases run from the pipeline', { supersedes: [older.id] });
    const report = await ask('deploy payments by hand', [older.id]);
    expect(report).toMatchObject({ results: [{ firstHitRank: 1 }] });
  });
});
