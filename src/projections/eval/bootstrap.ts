/** How far a mean may be from the true one: the percentile bootstrap (Efron, 1979), seeded. Pure. */

export type Interval = { readonly low: number; readonly high: number };

export const defaultDraws = 10_000;

/**
 * The 95 % interval of each measure's mean. Each group is resampled separately, and the groups' means have equal
 * weight, as in the mean of several sets. A group has one row per case with one number per measure; all rows have the
 * same length. Groups without rows are left out. Takes about a tenth of a second for 1,000 rows of five measures.
 */
export const bootstrapMeans = (
  groups: readonly (readonly (readonly number[])[])[],
  { draws = defaultDraws, seed = 1 }: { readonly draws?: number; readonly seed?: number } = {},
): readonly Interval[] => {
  const filled = groups.filter((rows) => rows.length > 0);
  const measures = filled[0]?.[0]?.length ?? 0;
  const random = randomFrom(seed);
  const means = Array.from({ length: measures }, () => new Float64Array(draws));
  for (const rows of filled) addDraws(means, rows, 1 / filled.length, random);
  return means.map((values) => {
    values.sort();
    const outside = Math.floor(0.025 * draws);
    return { low: values[outside] ?? 0, high: values[draws - 1 - outside] ?? 0 };
  });
};

/** Resamples the rows once per draw for all measures, so that the numbers of one case stay together. */
const addDraws = (
  means: readonly Float64Array[],
  rows: readonly (readonly number[])[],
  weight: number,
  random: () => number,
): void => {
  const count = rows.length;
  const columns = means.map((_, measure) => Float64Array.from(rows, (row) => row[measure] ?? 0));
  const drawn = new Uint32Array(count);
  const draws = means[0]?.length ?? 0;
  for (let draw = 0; draw < draws; draw += 1) {
    for (let i = 0; i < count; i += 1) drawn[i] = random() * count;
    for (const [measure, column] of columns.entries()) {
      let sum = 0;
      for (let i = 0; i < count; i += 1) sum += column[drawn[i] ?? 0] ?? 0;
      const ofMeasure = means[measure];
      if (ofMeasure !== undefined) ofMeasure[draw] = (ofMeasure[draw] ?? 0) + (sum / count) * weight;
    }
  }
};

/** Numbers from 0 to below 1, the same for the same seed on every machine (Mulberry32). */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
};
