import { describe, expect, it } from 'vitest';
import { compareReports, type SavedCase, type SavedReport } from '../../../src/projections/eval/compare-reports.js';

const one = (query: string, rank: number, more: Partial<SavedCase> = {}): SavedCase => ({
  query,
  project: undefined,
  relevant: ['x'],
  ranked: Array.from({ length: 10 }, (_, at) => (at + 1 === rank ? 'x' : `n${at}`)),
  ...more,
});
const report = (cases: readonly SavedCase[], mode = 'keyword'): SavedReport => ({ sets: { '': { [mode]: cases } } });
const queries = Array.from({ length: 8 }, (_, at) => `q${at}`);

describe('compareReports', () => {
  it('compares the cases that both have, and counts the others', () => {
    const [found] = compareReports(
      report([...queries.map((query) => one(query, 2)), one('gone', 1)]),
      report([one('new', 1), one('newer', 1), ...queries.map((query) => one(query, 1)).reverse()]),
    );
    expect(found).toMatchObject({
      mode: 'keyword',
      verdict: 'better',
      cases: 8,
      onlyBefore: 1,
      onlyAfter: 2,
      improved: 8,
      worsened: 0,
    });
  });

  it('lists the largest changes: lost notes first, then those that fell', () => {
    const [found] = compareReports(
      report([one('fell', 1), one('lost', 1, { project: 'p' }), one('same', 1), one('rose', 3)]),
      report([one('fell', 2), one('lost', 11, { project: 'p' }), one('same', 1), one('rose', 1)]),
    );
    expect(found?.losses).toEqual([
      { set: '', query: 'lost', project: 'p', before: 1, after: null },
      { set: '', query: 'fell', project: null, before: 1, after: 2 },
    ]);
    expect(found?.gains).toEqual([{ set: '', query: 'rose', project: null, before: 3, after: 1 }]);
  });

  it('keeps apart cases that ask the same in two projects, or twice', () => {
    const asked = [one('q', 1, { project: 'a' }), one('q', 2, { project: 'b' }), one('q', 3), one('q', 4)];
    const [found] = compareReports(report(asked), report(asked));
    expect(found).toMatchObject({ cases: 4, improved: 0, worsened: 0, onlyBefore: 0, onlyAfter: 0 });
  });

  it('matches a case by its id even if its query was changed', () => {
    const [found] = compareReports(report([one('right', 1, { id: '7' })]), report([one('wrnog', 3, { id: '7' })]));
    expect(found).toMatchObject({ cases: 1, worsened: 1 });
  });

  it('compares the modes that both have, each separately', () => {
    const both = { sets: { s: { keyword: [one('q', 1)], grep: [one('q', 2)] } } };
    const other = { sets: { s: { hybrid: [one('q', 1)], grep: [one('q', 1)] } } };
    expect(compareReports(both, other).map(({ mode, improved }) => [mode, improved])).toEqual([['grep', 1]]);
    expect(compareReports(report([]), report([], 'hybrid'))).toEqual([]);
  });

  it('is not misled by a set or a query named like a built-in property', () => {
    const before = { sets: { constructor: { toString: [one('__proto__', 1)] } } };
    expect(compareReports(before, { sets: {} })).toEqual([]);
    expect(compareReports(before, before)[0]).toMatchObject({ mode: 'toString', cases: 1 });
  });
});
