/** Reports as `--save` writes them, validated when they are read back, because anyone may change the files. */
import * as z from 'zod';
import type { SavedReport } from '../projections/eval/compare-reports.js';

const ids = z.array(z.string()).readonly();

/** `eval run --save`, and its `--json`. */
const SavedRun = z.object({
  results: z.array(z.object({ query: z.string(), project: z.string().nullish(), relevant: ids, ranked: ids })),
});

/** `eval bench --save`. */
const SavedBench = z.object({
  sets: z.record(
    z.string(),
    z.object({
      cases: z.array(z.object({ id: z.string(), query: z.string(), project: z.string().nullish(), relevant: ids })),
      modes: z.record(z.string(), z.object({ ranked: z.array(ids) })),
    }),
  ),
});

/** Returns undefined if the value is not a saved report. */
export const readSaved = (value: unknown): SavedReport | undefined => {
  const run = SavedRun.safeParse(value);
  if (run.success) {
    const cases = run.data.results.map((one) => ({ ...one, project: one.project ?? undefined }));
    return { sets: { '': { keyword: cases } } };
  }
  const bench = SavedBench.safeParse(value);
  if (!bench.success) return undefined;
  const sets = Object.entries(bench.data.sets).map(([name, { cases, modes }]) => {
    const byMode = Object.entries(modes).map(([mode, { ranked }]) => [
      mode,
      cases.map((one, at) => ({ ...one, project: one.project ?? undefined, ranked: ranked[at] ?? [] })),
    ]);
    return [name, Object.fromEntries(byMode)];
  });
  return { sets: Object.fromEntries(sets) };
};
