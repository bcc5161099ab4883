/** Saves reports in files and compares them later. */
import { statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { Fault } from '../events/faults.js';
import { readGivenFile } from '../files/given-file.js';
import { compareReports, type ModeComparison, type SavedReport } from '../projections/eval/compare-reports.js';

export type { ModeComparison };

/** Throws Fault 'eval-set-missing' if a file is not a report or the two have no case in common. */
export const compareFiles = (before: string, after: string): readonly ModeComparison[] => {
  const comparisons = compareReports(readReport(before), readReport(after));
  if (comparisons.length === 0 || comparisons.every(({ cases, onlyBefore }) => cases === 0 && onlyBefore > 0)) {
    throw new Fault(
      'eval-set-missing',
      `${before} and ${after} have no case in common`,
      'compare two reports about the same cases',
    );
  }
  return comparisons;
};

/** Called before anything is measured, so that minutes of work don't end in a mistyped path. */
export const checkReportFiles = (files: readonly (string | undefined)[]): void => {
  for (const file of files) {
    if (file === undefined) continue;
    const folder = statSync(dirname(resolve(file)), { throwIfNoEntry: false });
    if (folder?.isDirectory() !== true) throw notWritable(file, 'its folder does not exist');
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) throw notWritable(file, 'it is a folder');
  }
};

export const writeReportFile = (file: string, text: string): void => {
  try {
    writeFileSync(file, text);
  } catch (cause) {
    throw notWritable(file, cause instanceof Error ? cause.message : String(cause), cause);
  }
};

const notWritable = (file: string, why: string, cause?: unknown): Fault =>
  new Fault('eval-file-unwritable', `${file} can't be written: ${why}`, 'give a file in a folder that exists', {
    cause,
  });

const saveOne = 'save one: anamnesis eval run --save FILE, or anamnesis eval bench FOLDER --save FILE';

const readReport = (file: string): SavedReport => {
  const read = readGivenFile(file, maxReportBytes);
  if (!read.ok) {
    const message = read.problem === 'missing' ? `there is no report ${file}` : `${file} can't be read: ${read.why}`;
    throw new Fault('eval-set-missing', message, saveOne);
  }
  const report = readSaved(parseJson(read.bytes.toString('utf8')));
  if (report === undefined) throw new Fault('eval-set-missing', `${file} is not a saved report`, saveOne);
  return report;
};

/** A report has a few hundred bytes for each query. */
const maxReportBytes = 256 * 1024 * 1024;

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

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
const readSaved = (value: unknown): SavedReport | undefined => {
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
