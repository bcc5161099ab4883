/** Eval runs: how well search finds what it should, on a person's own store and on public sets. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { openModel } from '../embedding/models-folder.js';
import { Fault } from '../events/faults.js';
import { importPath } from '../import/importing.js';
import { type Metrics, measure, percentile } from '../projections/eval/metrics.js';
import { readNoteKeys } from '../projections/eval/note-keys.js';
import { buildReport, type EvalReport, reportJson } from '../projections/eval/report.js';
import { currentGeneration } from '../projections/generation.js';
import { projectKeys } from '../projections/index/query.js';
import { defaultFuzzyThreshold } from '../projections/search/corrections.js';
import { type Memory, openMemory } from '../store/memory.js';
import { thresholdOf } from '../store/searching.js';
import type { EvalMeaning, EvalTask } from '../workers/eval-cases.js';
import { openPool, type Pool } from '../workers/pool.js';
import { EvalBenchCase, EvalRunCase } from './eval-case-schema.js';
import { withTypo } from './typos.js';

export type EvalRunOptions = {
  /** Files to take cases from; memory/eval/*.jsonl when left out. */
  readonly sets?: readonly string[] | undefined;
  readonly includeUnreviewed?: boolean | undefined;
  readonly workers?: number | undefined;
};

export type Timings = { readonly p50Ms: number; readonly p95Ms: number };

const depth = 10;

/**
 * Searches for each case within its project, if it names one, and writes `eval-report.json` and, apart from it,
 * `eval-timings.json` into the index folder. Throws Fault 'eval-set-missing'.
 */
export const runEval = async (
  memory: Memory,
  options: EvalRunOptions,
): Promise<{ readonly report: EvalReport; readonly timings: Timings; readonly reportFile: string }> => {
  const files = findSets(memory, options.sets);
  const warnings: string[] = [];
  const cases = files
    .flatMap((file) => readLines(file, (value) => EvalRunCase.parse(value)))
    .filter(({ approved }) => approved || options.includeUnreviewed === true);
  const lookup = await memory.liveIndex.ask(readNoteKeys);
  const pool = openPool(options.workers ?? 2);
  try {
    const resolved = cases.map((one) => ({
      ...one,
      relevant: one.relevant_ids.flatMap((id) => {
        const found = lookup.idOf(id);
        if (found === undefined) warnings.push(`${JSON.stringify(one.query)}: no note ${id}`);
        return found ?? [];
      }),
    }));
    const indexFile = indexFileOf(memory);
    const found = await searchAll(pool, indexFile, resolved, { fuzzyThreshold: defaultFuzzyThreshold });
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
      warnings,
      injections,
      corpusUnits: lookup.corpusUnits,
    });
    const timings = timingsOf(found.map(({ ms }) => ms));
    const reportFile = writeReport(memory, report, timings);
    return { report, timings, reportFile };
  } finally {
    await pool.close();
  }
};

export type BenchOptions = {
  /** The query that asks for every word as it is typed. */
  readonly plain?: boolean | undefined;
  /** False leaves words that stand in no note. */
  readonly fuzzy?: boolean | undefined;
  /** Makes one slip in a word of each query; the same seed makes the same ones. */
  readonly typos?: number | undefined;
  /** Measures search with this model of this store, too. */
  readonly model?: Pick<EvalMeaning, 'home' | 'name'> | undefined;
};

export type BenchResult = Metrics &
  Timings & {
    readonly notes: number;
    /** The same cases with the model. */
    readonly hybrid?: Metrics & Timings;
  };

/** Imports a folder of notes.jsonl and cases.jsonl into a throw-away store and searches each case within its project. */
export const benchSet = async (folder: string, options: BenchOptions = {}): Promise<BenchResult> => {
  checkModel(options.model);
  const notesFile = firstFile(folder, ['notes.jsonl', 'notes.jsonl.gz']);
  const casesFile = firstFile(folder, ['cases.jsonl', 'cases.jsonl.gz']);
  const home = mkdtempSync(join(tmpdir(), 'anamnesis-bench-'));
  const memory = openMemory({ home, machine: 'bench', user: 'self' });
  const pool = openPool(1);
  try {
    const imported = await importPath(memory, notesFile, { format: 'jsonl' });
    if (!('answer' in imported)) throw new Fault('eval-set-missing', imported.message, imported.next);
    const { typos, plain, model } = options;
    const cases = readLines(casesFile, (value) => EvalBenchCase.parse(value)).map((one, at) =>
      typos === undefined ? one : { ...one, query: withTypo(one.query, typos, at) },
    );
    const lookup = await memory.liveIndex.ask(readNoteKeys);
    const { portable, local } = memory.journals;
    const folders = { portable: portable.folder, local: local.folder };
    const run = async (how: Pick<EvalTask, 'plain' | 'fuzzyThreshold' | 'meaning'>): Promise<Metrics & Timings> => {
      const found = await searchAll(pool, indexFileOf(memory), cases, how);
      const metrics = measure(
        cases.map(({ id, relevant }, at) => ({
          id,
          relevant: [...new Set(relevant.flatMap((key) => lookup.idOf(key) ?? key))],
          ranked: found[at]?.ranked ?? [],
        })),
      );
      return { ...metrics, ...timingsOf(found.map(({ ms }) => ms)) };
    };
    const fuzzyThreshold = thresholdOf(options);
    const byWords = { notes: lookup.count, ...(await run({ plain, fuzzyThreshold })) };
    return model === undefined
      ? byWords
      : { ...byWords, hybrid: await run({ fuzzyThreshold, meaning: { ...model, folders } }) };
  } finally {
    await pool.close();
    await memory.finish();
    rmSync(home, { recursive: true, force: true });
  }
};

const findSets = (memory: Memory, given: readonly string[] | undefined): readonly string[] => {
  if (given !== undefined && given.length > 0) {
    for (const file of given) if (!existsSync(file)) throw missingSet(`there is no eval set ${file}`);
    return given.map((file) => resolve(file));
  }
  const folder = join(memory.journals.portable.folder, 'eval');
  const files = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.jsonl'))
        .sort()
    : [];
  if (files.length === 0) throw missingSet(`there is no eval set in ${folder}`);
  return files.map((name) => join(folder, name));
};

const giveSet = 'give one: anamnesis eval run --eval-set FILE (docs/recall.md has the format)';

const missingSet = (message: string, next = giveSet): Fault => new Fault('eval-set-missing', message, next);

const firstFile = (folder: string, names: readonly string[]): string => {
  const found = names.map((name) => join(folder, name)).find((file) => existsSync(file) && statSync(file).isFile());
  if (found === undefined)
    throw missingSet(`${folder} has no ${names[0]}`, 'name a folder that has one: anamnesis eval bench FOLDER');
  return found;
};

/** Parsed lines of a JSONL file; a bad line is a Fault that names file and line. */
const readLines = <Value>(file: string, parse: (value: unknown) => Value): readonly Value[] => {
  const bytes = readFileSync(file);
  const text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('utf8');
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    try {
      return [parse(JSON.parse(line))];
    } catch (cause) {
      throw new Fault(
        'eval-set-missing',
        `${file}:${at + 1} is not an eval case`,
        'docs/recall.md has the format of a case',
        { cause },
      );
    }
  });
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

const batchSize = 100;

/** Before anything is measured: a thread that fails later says less. */
const checkModel = (model: BenchOptions['model']): void => {
  const opened = model === undefined ? undefined : openModel(model.home, model.name);
  if (opened?.ok === false) throw new Fault('model-unusable', opened.problem.message, opened.problem.next);
};

const searchAll = async (
  pool: Pool,
  indexFile: string,
  cases: readonly { readonly query: string; readonly project?: string | undefined }[],
  how: Pick<EvalTask, 'plain' | 'fuzzyThreshold' | 'meaning'> = {},
): Promise<readonly { readonly ranked: string[]; readonly ms: number }[]> => {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const batches: Promise<{ ranked: string[]; ms: number }[]>[] = [];
  for (let at = 0; at < cases.length; at += batchSize) {
    const part = cases.slice(at, at + batchSize).map(({ query, project }) => ({ query, project }));
    batches.push(pool.run({ task: 'eval', indexFile, cases: part, k: depth, nowSeconds, ...how }));
  }
  return (await Promise.all(batches)).flat();
};

const indexFileOf = (memory: Memory): string => {
  const file = currentGeneration(join(memory.settings.home, 'index'));
  if (file === undefined) throw new Fault('store-missing', 'there is no index yet', 'run: anamnesis replay');
  return file;
};

const timingsOf = (ms: readonly number[]): Timings => ({ p50Ms: percentile(ms, 50), p95Ms: percentile(ms, 95) });

const writeReport = (memory: Memory, report: EvalReport, timings: Timings): string => {
  const folder = join(memory.settings.home, 'index');
  const file = join(folder, 'eval-report.json');
  writeFileSync(file, reportJson(report), { mode: 0o600 });
  writeFileSync(join(folder, 'eval-timings.json'), `${JSON.stringify(timings, null, 2)}\n`, { mode: 0o600 });
  return file;
};
