import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BenchRun, type ModeRun, reportBench } from '../../../src/projections/eval/bench-report.js';
import { type ChartPoint, chartPoints, drawChart } from '../../../src/projections/eval/chart.js';
import { anyCharacter } from '../../support/any-character.js';

const run = (rank: number, p50Ms: number): ModeRun => ({
  ranked: [Array.from({ length: 10 }, (_, at) => (at + 1 === rank ? 'x' : `n${at}`))],
  timings: { p50Ms, p95Ms: p50Ms * 2 },
});
const setOf = (modes: BenchRun['modes']): BenchRun => ({
  notes: 20,
  cases: [{ id: 'c', query: 'q', relevant: ['x'] }],
  modes,
});
const point = (fields: Partial<ChartPoint>): ChartPoint => ({
  label: 'one',
  mode: 'keyword',
  latencyMs: 2,
  quality: 0.7,
  low: 0.6,
  high: 0.8,
  isMain: true,
  ...fields,
});
/** Returns the centres of the marks for measured points, not of those in the legend. */
const circles = (svg: string): readonly (readonly [number, number])[] =>
  [...svg.matchAll(/<g><title>[^<]*<\/title><circle cx="([\d.-]+)" cy="([\d.-]+)"/g)].map(([, x, y]) => [
    Number(x),
    Number(y),
  ]);

describe('chartPoints', () => {
  it('has a point for each set and mode, and highlights the means', () => {
    const report = reportBench({
      a: setOf({ keyword: run(1, 2), bm25: run(2, 1) }),
      b: setOf({ keyword: run(1, 4), bm25: run(1, 1) }),
    });
    const points = chartPoints(report);
    expect(points.map(({ label, isMain }) => [label, isMain])).toEqual([
      ['a, keyword', false],
      ['a, bm25', false],
      ['b, keyword', false],
      ['b, bm25', false],
      ['mean of all sets, keyword', true],
      ['mean of all sets, bm25', true],
    ]);
    expect(points[4]).toMatchObject({ quality: 1, latencyMs: 3, low: 1, high: 1 });
  });

  it('highlights the points of a single set', () => {
    expect(chartPoints(reportBench({ a: setOf({ keyword: run(1, 2) }) })).map(({ isMain }) => isMain)).toEqual([true]);
  });
});

describe('drawChart', () => {
  it('puts the faster point further left and the better one further up', () => {
    const [fast, slow] = circles(drawChart('t', [point({ latencyMs: 1 }), point({ latencyMs: 30, quality: 0.78 })]));
    expect(fast![0]).toBeLessThan(slow![0]);
    expect(fast![1]).toBeGreaterThan(slow![1]);
  });

  it('keeps every mark within the picture, whatever was measured', () => {
    const anyPoint = fc
      .record({
        latencyMs: fc.oneof(fc.constant(0), fc.double({ min: 1e-6, max: 1e5, noNaN: true })),
        quality: fc.double({ min: 0, max: 1, noNaN: true }),
        isMain: fc.boolean(),
      })
      .map((fields) => point({ ...fields, low: fields.quality * 0.9, high: Math.min(1, fields.quality * 1.1) }));
    fc.assert(
      fc.property(fc.array(anyPoint, { maxLength: 12 }), (points) => {
        const svg = drawChart('t', points);
        expect(svg).not.toMatch(/NaN|Infinity|undefined/);
        expect(circles(svg)).toHaveLength(points.length);
        for (const [x, y] of circles(svg)) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x).toBeLessThanOrEqual(760);
          expect(y).toBeGreaterThanOrEqual(0);
          expect(y).toBeLessThanOrEqual(480);
        }
      }),
    );
  });

  it('is well-formed with any name: markup is escaped and characters that XML forbids are left out', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (name) => {
        const svg = drawChart(`<script>alert("${name}")</script>`, [point({ label: `${name}]]>&amp;'` })]);
        expect(svg).not.toContain('<script');
        const texts = svg.replace(
          /<\/?(?:svg|title|rect|text|line|circle|path|g)(?: [a-zA-Z0-9-]+="[^"<&]*")*\/?>/g,
          '',
        );
        expect(texts).not.toMatch(/[<>"']|&(?!#\d+;)|[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/);
        expect(texts.isWellFormed()).toBe(true);
      }),
    );
  });

  it('puts the labels of overlapping points in different places', () => {
    const svg = drawChart('t', [point({}), point({ mode: 'hybrid', latencyMs: 2.01 }), point({ mode: 'bm25' })]);
    const labels = [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)" fill="#[0-9a-f]{6}">(?:keyword|hybrid|bm25) 0/g)];
    expect(new Set(labels.map(([, x, y]) => `${x} ${y}`)).size).toBe(3);
  });
});
