/** Measures search on a set of notes and cases, in every mode side by side. */
import { basename, resolve } from 'node:path';
import { isRunModel } from '../embedding/installed-models.js';
import { openModel } from '../embedding/model-cache.js';
import type { StaticModel } from '../embedding/static-model.js';
import { Fault } from '../events/faults.js';
import {
  type BenchMode,
  type BenchReport,
  type BenchRun,
  type ModeRun,
  reportBench,
} from '../projections/eval/bench-report.js';
import { staticMaker } from '../store/models/making-vectors.js';
import type { EvalHow, EvalMeaning } from '../workers/eval-cases.js';
import { openPool } from '../workers/pool.js';
import { readSetCases, withSetStore } from './bench-sets.js';
import { EvalBenchCase } from './eval-case-schema.js';
import { indexFileOf, searchAll, timingsOf } from './search-cases.js';
import { withTypo } from './typos.js';

export type { BenchReport };

export type BenchOptions = {
  /** By default all that can be measured: `hybrid` needs a model. */
  readonly modes?: readonly BenchMode[] | undefined;
  /** False leaves words that are in no note uncorrected. */
  readonly fuzzy?: boolean | undefined;
  /** Seed for one typo in a word of each query; the same seed makes the same typos. */
  readonly typos?: number | undefined;
  /** The model for `hybrid`, which belongs to this store. */
  readonly model?: Pick<EvalMeaning, 'home' | 'name'> | undefined;
};

export const benchFolders = async (folders: readonly string[], options: BenchOptions): Promise<BenchReport> => {
  const runs: Record<string, BenchRun> = {};
  for (const folder of folders) {
    const name = basename(resolve(folder));
    runs[Object.hasOwn(runs, name) ? folder : name] = await benchSet(folder, options);
  }
  return reportBench(runs);
};

/** Imports a folder of notes.jsonl and cases.jsonl into a temporary store and searches each case within its project. */
export const benchSet = async (folder: string, options: BenchOptions = {}): Promise<BenchRun> => {
  const { typos, model } = options;
  const modes = options.modes ?? [
    'keyword',
    ...(model === undefined || isRunModel(model.home, model.name) ? [] : withModel),
    'bm25',
    'grep',
  ];
  const opened = modes.some((mode) => withModel.some((one) => one === mode)) ? openOrFault(model) : undefined;
  const read = readSetCases(folder, (value) => EvalBenchCase.parse(value));
  return withSetStore(folder, async (memory, lookup) => {
    const cases = read.map((one, at) => ({
      ...one,
      query: typos === undefined ? one.query : withTypo(one.query, typos, at),
      relevant: [...new Set(one.relevant.flatMap((key) => lookup.idOf(key) ?? key))],
    }));
    const casesWithUnknownNote = cases.filter(({ relevant }) =>
      relevant.some((id) => lookup.idOf(id) === undefined),
    ).length;
    const { portable, local } = memory.journals;
    const folders = { portable: portable.folder, local: local.folder };
    const isFuzzy = options.fuzzy !== false;
    const howOf = (mode: BenchMode): EvalHow => {
      if (mode === 'bm25') return { mode };
      if (mode === 'grep') return { mode, folders };
      return mode !== 'keyword' && model !== undefined
        ? { mode, isFuzzy, meaning: { ...model, folders } }
        : { mode: 'keyword', isFuzzy };
    };
    if (opened !== undefined && modes.includes('semantic')) await (await memory.vectors()).catchUp(staticMaker(opened));
    const pool = openPool(1);
    try {
      const runs: Partial<Record<BenchMode, ModeRun>> = {};
      // One after the other, because each is timed.
      for (const mode of modes) {
        const found = await searchAll(pool, indexFileOf(memory), cases, howOf(mode));
        runs[mode] = { ranked: found.map(({ ranked }) => ranked), timings: timingsOf(found) };
      }
      return { notes: lookup.count, cases, casesWithUnknownNote, modes: runs };
    } finally {
      await pool.close();
    }
  });
};

/** Modes that need a model. */
const withModel = ['hybrid', 'semantic'] as const;

/** Called before anything is measured, because a thread that fails later says less. */
const openOrFault = (model: BenchOptions['model']): StaticModel => {
  if (model === undefined) {
    throw new Fault('model-unusable', 'no model is in use', 'choose one: anamnesis model use NAME');
  }
  const opened = openModel(model.home, model.name);
  if (!opened.ok) throw new Fault('model-unusable', opened.problem.message, opened.problem.next);
  return opened.value;
};
