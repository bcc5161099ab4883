/** Eval runs: measures how well search finds what it should in a person's own store. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../events/faults.js';
import type { Timings } from '../projections/eval/bench-report.js';
import { readNoteKeys } from '../projections/eval/note-keys.js';
import { buildReport, type EvalReport, reportJson } from '../projections/eval/report.js';
import { projectKeys } from '../projections/index/query.js';
import type { Memory } from '../store/memory.js';
import { openPool } from '../workers/pool.js';
import { EvalRunCase } from './eval-case-schema.js';
import { findSets, readLines } from './eval-sets.js';
import { indexFileOf, searchAll, timingsOf } from './search-cases.js';

export type EvalRunOptions = {
  /** Files to read cases from; by default memory/eval/*.jsonl. */
  readonly sets?: readonly string[] | undefined;
  readonly includeUnreviewed?: boolean | undefined;
  readonly workers?: number | undefined;
};

export type Evaluation = { readonly report: EvalReport; readonly timings: Timings };

/** Writes `eval-report.json` and `eval-timings.json`. Throws Fault 'eval-set-missing', also if no case would count. */
export const runEval = async (
  memory: Memory,
  options: EvalRunOptions,
): Promise<Evaluation & { readonly reportFile: string }> => {
  const cases = findSets(memory, options.sets).flatMap((file) => readLines(file, (value) => EvalRunCase.parse(value)));
  if (!cases.some(({ approved }) => approved || options.includeUnreviewed === true))
    throw cases.length === 0
      ? new Fault('eval-set-missing', 'the eval set has no case', 'make some: anamnesis eval build')
      : new Fault(
          'eval-set-missing',
          `none of ${cases.length} ${cases.length === 1 ? 'case' : 'cases'} is approved, so nothing was measured`,
          'read and approve them: anamnesis eval approve; or count them as they are: --include-unreviewed',
        );
  const evaluation = await evaluate(memory, cases, options);
  return { ...evaluation, reportFile: writeReport(memory, evaluation) };
};

/** Searches for each case within its project, if it names one. */
export const evaluate = async (
  memory: Memory,
  cases: readonly EvalRunCase[],
  { includeUnreviewed, workers = 2 }: Pick<EvalRunOptions, 'includeUnreviewed' | 'workers'>,
): Promise<Evaluation> => {
  const counted = cases.filter(({ approved }) => approved || includeUnreviewed === true);
  const warnings: string[] = [];
  const gone = new Set<string>();
  const lookup = await memory.liveIndex.ask(readNoteKeys);
  const pool = openPool(workers);
  try {
    const resolved = counted.map((one) => ({
      ...one,
      // A note that is gone stays relevant: otherwise the case would score as if nothing had been lost.
      relevant: one.relevant_ids.map((id) => {
        const found = lookup.idOf(id);
        if (found === undefined) warnings.push(`${JSON.stringify(one.query)}: no note ${id}`);
        if (found === undefined && !lookup.isReplaced(id)) gone.add(id);
        return found ?? id;
      }),
    }));
    const indexFile = indexFileOf(memory);
    const found = await searchAll(pool, indexFile, resolved, {
      mode: 'keyword',
      isFuzzy: true,
    });
    const projects = await memory.liveIndex.ask(projectKeys);
    const injections = await pool.run({
      task: 'view',
      indexFile,
      folders: { portable: memory.journals.portable.folder, local: memory.journals.local.folder },
      projects,
      nowSeconds: Math.floor(Date.now() / 1000),
    });
    const report = buildReport({
      cases: resolved.map(({ query, project, relevant }, at) => ({
        id: String(at),
        query,
        project,
        relevant,
        ranked: creditSuperseders(found[at]?.ranked ?? [], relevant, lookup.replaces),
      })),
      unapproved: cases.length - counted.length,
      gone: gone.size,
      warnings,
      injections,
      corpusUnits: lookup.corpusUnits,
    });
    return { report, timings: timingsOf(found) };
  } finally {
    await pool.close();
  }
};

/** A note that supersedes a relevant one counts as that one: it is what a person should find today. */
const creditSuperseders = (
  ranked: readonly string[],
  relevant: readonly string[],
  replaces: (id: string) => ReadonlySet<string>,
): readonly string[] => {
  const wanted = new Set(relevant);
  const credited = ranked.map((id) =>
    wanted.has(id) ? id : ([...replaces(id)].find((older) => wanted.has(older)) ?? id),
  );
  return [...new Set(credited)];
};

const writeReport = (memory: Memory, { report, timings }: Evaluation): string => {
  const folder = join(memory.settings.home, 'index');
  const file = join(folder, 'eval-report.json');
  writeFileSync(file, reportJson(report), { mode: 0o600 });
  writeFileSync(join(folder, 'eval-timings.json'), `${JSON.stringify(timings, null, 2)}\n`, { mode: 0o600 });
  return file;
};
