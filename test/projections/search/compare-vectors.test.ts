import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packVectors } from '../../../src/embedding/packed-vectors.js';
import { compareVectors, nearestPassage, type VectorSegment } from '../../../src/projections/search/compare-vectors.js';

const dimension = 4;
const nearestNotes = (segments: readonly VectorSegment[], query: Float32Array) =>
  compareVectors(segments, query).nearest();
const segmentOf = (id: number, notes: readonly (readonly (readonly number[])[])[]): VectorSegment => ({
  id,
  counts: Uint32Array.from(notes, (passages) => passages.length),
  ...packVectors(notes.flat(), dimension),
});
const cosineOf = ({ values, scales }: VectorSegment, passage: number, query: Float32Array): number =>
  query.reduce((sum, value, at) => sum + value * (values[passage * dimension + at] ?? 0) * (scales[passage] ?? 0), 0);

const vector = fc.array(fc.integer({ min: -100, max: 100 }), { minLength: dimension, maxLength: dimension });
const note = fc.array(vector, { minLength: 1, maxLength: 3 });
const segments = fc
  .array(fc.array(note, { maxLength: 300 }), { maxLength: 4 })
  .map((all) => all.map((notes, at) => segmentOf(3 * at + 1, notes)));

describe('the nearest notes', () => {
  it('are those of an exhaustive scan of all passages, nearest first', () => {
    fc.assert(
      fc.property(segments, vector, (all, asked) => {
        const query = Float32Array.from(asked);
        // Half a step of the query's quantisation, for each of four numbers up to 100.
        const rounding = (400 * Math.max(...asked.map(Math.abs))) / 4095 / 2 + 1e-3;
        const expected = all.flatMap((segment) => {
          let passage = 0;
          return [...segment.counts].flatMap((count, place) => {
            const cosines = Array.from({ length: count }, () => cosineOf(segment, passage++, query));
            const best = Math.max(...cosines);
            return best > rounding ? [{ segment: segment.id, place, best }] : [];
          });
        });
        const found = [...nearestNotes(all, query)];
        const cosines = found.map(({ cosine }) => cosine);
        expect(cosines).toEqual(cosines.toSorted((a, b) => b - a));
        const byPlace = new Map(found.map((near) => [`${near.segment} ${near.place}`, near.cosine]));
        expect(byPlace.size).toBe(found.length);
        for (const { segment, place, best } of expected)
          expect(Math.abs((byPlace.get(`${segment} ${place}`) ?? Number.NaN) - best)).toBeLessThanOrEqual(rounding);
      }),
    );
  });

  it('are near by one of their passages, which can be looked up', () => {
    const filled = segments.filter((all) => all.some(({ counts }) => counts.length > 0));
    fc.assert(
      fc.property(filled, vector, (all, asked) => {
        const query = Float32Array.from(asked);
        for (const { segment, place, cosine } of nearestNotes(all, query)) {
          const found = all.find(({ id }) => id === segment) as VectorSegment;
          const passage = nearestPassage(all, { segment, place }, query) as number;
          expect(passage).toBeLessThan(found.counts[place] as number);
          const first = [...found.counts.slice(0, place)].reduce((sum, count) => sum + count, 0);
          const values = found.values.slice((first + passage) * dimension, (first + passage + 1) * dimension);
          const one = { ...found, counts: Uint32Array.of(1), values, scales: found.scales.slice(first + passage) };
          expect([...nearestNotes([one], query)][0]?.cosine).toBeCloseTo(cosine, 4);
        }
      }),
    );
    expect(nearestPassage([], { segment: 1, place: 0 }, Float32Array.of(1, 0, 0, 0))).toBeUndefined();
  });

  it('can be read to the last of any number', () => {
    const many = segmentOf(
      7,
      Array.from({ length: 3000 }, (_, at) => [[1, 0.01 + at / 3000, 0, 0]]),
    );
    const found = [...nearestNotes([many], Float32Array.from([0, 1, 0, 0]))];
    expect(found).toHaveLength(3000);
    expect(found[0]).toMatchObject({ segment: 7, place: 2999 });
    expect(new Set(found.map(({ place }) => place)).size).toBe(3000);
  });

  it('leave out orthogonal vectors and the contents of a damaged file', () => {
    const [across, damaged] = [segmentOf(1, [[[1, 0, 0, 0]]]), segmentOf(2, [[[0, 1, 0, 0]]])];
    damaged.scales[0] = Number.NaN;
    expect([...nearestNotes([across, damaged], Float32Array.from([0, 1, 0, 0]))]).toEqual([]);
    expect([...nearestNotes([across], new Float32Array(dimension))]).toEqual([]);
    const short: VectorSegment = { ...across, counts: Uint32Array.from([5000]) };
    expect([...nearestNotes([short], Float32Array.from([1, 0, 0, 0]))]).toHaveLength(1);
    expect([...nearestNotes([], Float32Array.from([1, 0, 0, 0]))]).toEqual([]);
  });
});
