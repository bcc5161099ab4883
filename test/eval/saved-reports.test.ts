import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkReportFiles, compareFiles, writeReportFile } from '../../src/eval/saved-reports-schema.js';

const folder = mkdtempSync(join(tmpdir(), 'anamnesis-reports-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fileOf = (name: string, value: unknown): string => {
  const file = join(folder, name);
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  return file;
};
const runReport = (rank: number) => ({
  metrics: {},
  results: [
    { query: 'q', project: null, relevant: ['x'], ranked: [...Array(rank - 1).fill('n'), 'x'], firstHitRank: rank },
  ],
});
const benchReport = (rank: number) => ({
  sets: {
    one: {
      notes: 3,
      cases: [{ id: '1', query: 'q', relevant: ['x'] }],
      modes: { grep: { ranked: [[...Array(rank - 1).fill('n'), 'x']], timings: { p50Ms: 1, p95Ms: 1 } } },
    },
  },
});

describe('compareFiles', () => {
  it('compares two reports of eval run, as they are saved or printed', () => {
    const [found] = compareFiles(fileOf('a.json', runReport(2)), fileOf('b.json', runReport(1)));
    expect(found).toMatchObject({
      mode: 'keyword',
      cases: 1,
      improved: 1,
      measures: { 'hit@1': { before: 0, after: 1 } },
    });
  });

  it('compares two reports of eval bench, mode by mode', () => {
    const found = compareFiles(fileOf('c.json', benchReport(1)), fileOf('d.json', benchReport(3)));
    expect(found).toMatchObject([
      { mode: 'grep', cases: 1, worsened: 1, losses: [{ set: 'one', before: 1, after: 3 }] },
    ]);
  });

  it.each([
    ['a missing file', join(folder, 'none.json'), /there is no report/],
    ['invalid JSON', fileOf('e.json', '{"results": ['), /is not a saved report/],
    ['JSON of another shape', fileOf('f.json', { results: [{ query: 1 }] }), /is not a saved report/],
    ['a list', fileOf('g.json', [[[]]]), /is not a saved report/],
    ['a folder', folder, /can't be read: it is a folder/],
  ])('refuses %s', (_, file, message) => {
    const other = fileOf('h.json', runReport(1));
    expect(() => compareFiles(other, file)).toThrow(message);
    expect(() => compareFiles(file, other)).toThrow(message);
  });

  it('refuses two reports that have no case in common', () => {
    const run = fileOf('i.json', runReport(1));
    expect(() => compareFiles(run, fileOf('j.json', benchReport(1)))).toThrow(/no case in common/);
    const others = runReport(1).results.map((one) => ({ ...one, query: 'another' }));
    expect(() => compareFiles(run, fileOf('k.json', { results: others }))).toThrow(/no case in common/);
  });
});

describe('a file for a report', () => {
  it('is refused before anything is measured if its folder does not exist', () => {
    mkdirSync(join(folder, 'below'));
    expect(() => checkReportFiles([undefined, join(folder, 'new.json')])).not.toThrow();
    expect(() => checkReportFiles([join(folder, 'nowhere', 'new.json')])).toThrow(/its folder does not exist/);
    expect(() => checkReportFiles([join(folder, 'below')])).toThrow(/it is a folder/);
  });

  it('is written', () => {
    writeReportFile(join(folder, 'new.json'), 'text');
    expect(readFileSync(join(folder, 'new.json'), 'utf8')).toBe('text');
  });
});
