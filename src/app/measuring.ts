/** Use cases that measure search on this store, and compute the vectors that it compares meanings with. */
import { join } from 'node:path';
import { type EvalRunOptions, runEval } from '../eval/evaluating.js';
import { Fault } from '../events/faults.js';
import { formatReport, reportJson } from '../projections/eval/report.js';
import { removeVectors } from '../state/vector-file.js';
import type { Memory } from '../store/memory.js';
import { makeVectors } from '../store/models/making-vectors.js';

/** Makes the vectors that notes lack; with `again`, all of them anew. Throws Fault 'model-unusable'. */
export const indexMeanings = async (memory: Memory, again: boolean) => {
  const started = performance.now();
  if (again) removeVectors(join(memory.settings.home, 'index'));
  const done = await makeVectors(memory);
  if ('code' in done) throw new Fault('model-unusable', done.message, done.next);
  const { model, notes, made, left, problem } = done;
  if (problem !== undefined)
    throw new Fault('model-unusable', `${problem.message}; ${left} notes are left, ${made} were done`, problem.next);
  return { model, notes, made, ms: Math.round(performance.now() - started) };
};

/** Fixed key order, numbers to 6 decimals. Throws Fault 'eval-set-missing', also if no case is approved. */
export const evaluateStore = async (memory: Memory, options: EvalRunOptions) => {
  const { report, timings, reportFile } = await runEval(memory, options);
  const json: object = JSON.parse(reportJson(report));
  return { report: json, text: formatReport(report), warnings: report.warnings, timings, reportFile };
};
