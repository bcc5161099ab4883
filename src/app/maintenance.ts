/** Use cases for the store as a whole: status, checks, replay, backups, purging and evaluation. */
import { join } from 'node:path';
import type { PromptSets } from '../answers/prompts-schema.js';
import type { ApproveAsked, CaseToApprove } from '../eval/approving-cases.js';
import type { BenchOptions } from '../eval/benching.js';
import type { BuildAsked, BuiltCases, CaseType } from '../eval/building-cases.js';
import type { EvalRunOptions } from '../eval/evaluating.js';
import type { PromptBenchOptions } from '../eval/prompt-bench.js';
import { Fault } from '../events/faults.js';
import type { BackupAnswer, BackupAsked, BackupDone } from '../maintenance/backup/backing-up.js';
import type { RestoreAnswer, RestoreAsked, RestoreDone } from '../maintenance/backup/restoring-backup.js';
import type { CompactAnswer, CompactAsked, CompactedJournal } from '../maintenance/compacting.js';
import type { ReplayAnswer, ReplayAsked } from '../maintenance/replaying.js';
import type { VerifyAnswer } from '../maintenance/verifying.js';
import type { BenchReport, Timings } from '../projections/eval/bench-report.js';
import type { ModeComparison } from '../projections/eval/compare-reports.js';
import type { PurgePlan, PurgeReceipt } from '../purge/purge-answer.js';
import type { PurgeRequest } from '../purge/rule/request.js';
import type { Found } from '../store/reading.js';
import type { PurgeOptions } from './purge-everywhere.js';
import type { Status } from './status.js';
import type { Stores } from './stores.js';

export type {
  BackupDone,
  BenchReport,
  CaseToApprove,
  CaseType,
  CompactAnswer,
  CompactedJournal,
  ModeComparison,
  PromptSets,
  PurgePlan,
  PurgeReceipt,
  PurgeRequest,
  ReplayAnswer,
  RestoreDone,
  Status,
};

export type Evaluated = {
  /** For a program: fixed key order, numbers to 6 decimals. */
  readonly report: object;
  /** For a person. */
  readonly text: string;
  readonly warnings: readonly string[];
  readonly timings: Timings;
  readonly reportFile: string;
};

/** With `mode` 'keyword', measures search by words alone; otherwise with the model in use. */
export type PromptsAsked = Omit<PromptBenchOptions, 'settings'> & { readonly mode?: 'keyword' | undefined };

export type MeaningsIndexed = {
  readonly model: string;
  /** Notes that have vectors, and how many of them were made by this call. */
  readonly notes: number;
  readonly made: number;
  readonly ms: number;
};

export type ReportFiles = {
  /** The file to write the report to, for a later comparison. */
  readonly save?: string | undefined;
};

export type Maintenance = {
  /** Creates the store; `created` is false if there was one. */
  initialise(): Promise<{ readonly root: string; readonly created: boolean }>;
  status(): Promise<Status>;
  /** Returns a sentence once: to a person whose `claude` an earlier version asked unasked. */
  tellOfModels(): Promise<string | undefined>;
  /** Accepts the loss of a missing `local/`. Returns false if it isn't missing. */
  acceptLostLocal(): Promise<boolean>;
  verify(): Promise<VerifyAnswer>;
  replay(asked: ReplayAsked): Promise<ReplayAnswer>;
  /**
   * Makes the vectors that notes lack for the model in use; with `again`, all of them anew. Throws Fault
   * 'model-unusable'.
   */
  indexMeanings(asked: { readonly again?: boolean | undefined }): Promise<MeaningsIndexed>;
  compact(asked: CompactAsked): Promise<CompactAnswer>;
  backUp(asked: BackupAsked): Promise<BackupAnswer>;
  restoreBackup(asked: RestoreAsked): Promise<RestoreAnswer>;
  /** Changes nothing. */
  planPurge(request: PurgeRequest): Promise<Found<PurgePlan>>;
  /** Purges here and on the remote. */
  purge(request: PurgeRequest, options: PurgeOptions): Promise<Found<PurgeReceipt>>;
  /**
   * Throws Fault 'eval-set-missing', also if no case is approved, and 'eval-file-unwritable' before anything is
   * measured.
   */
  evaluate(options: EvalRunOptions & ReportFiles): Promise<Evaluated>;
  /**
   * Measures in throw-away stores, and with the model in use, too, if there is one. Throws Fault 'eval-set-missing',
   * 'model-unusable' and 'eval-file-unwritable'.
   */
  bench(folders: readonly string[], options: Omit<BenchOptions, 'model'> & ReportFiles): Promise<BenchReport>;
  /** Builds cases from portable notes that aren't sensitive. Throws Fault 'eval-file-unwritable'. */
  buildCases(asked: BuildAsked): Promise<BuiltCases>;
  /** Returns the cases that aren't approved yet. Throws Fault 'eval-set-missing'. */
  openCases(asked: ApproveAsked): Promise<readonly CaseToApprove[]>;
  /** See `approveCases`. Throws Fault 'eval-set-missing' and 'eval-file-unwritable'. */
  approveCases(asked: ApproveAsked & { readonly numbers: readonly number[] }): Promise<readonly CaseToApprove[]>;
  /** Compares two reports that `save` wrote. Throws Fault 'eval-set-missing'. */
  compareReports(before: string, after: string): Promise<readonly ModeComparison[]>;
  /** Measures each folder in its own throw-away store. Throws Fault 'eval-set-missing'. */
  benchPrompts(folders: readonly string[], options: PromptsAsked): Promise<PromptSets>;
};

export const openMaintenance = (stores: Stores): Maintenance => ({
  async initialise() {
    const memory = await stores.toWrite();
    return { root: memory.settings.home, created: await memory.initialise() };
  },
  async status() {
    const { readStatus } = await import('./status.js');
    return readStatus(await stores.toWrite());
  },
  async tellOfModels() {
    const { tellOfModels } = await import('./status.js');
    return tellOfModels(await stores.toWrite(), process.env);
  },
  acceptLostLocal: async () => (await stores.toWrite()).acceptLostLocal(),
  async verify() {
    const { verifyStore } = await import('../maintenance/verifying.js');
    return verifyStore(await stores.toWrite());
  },
  async replay(asked) {
    const { replayStore } = await import('../maintenance/replaying.js');
    return replayStore(await stores.toWrite(), asked);
  },
  async indexMeanings({ again }) {
    const { makeVectors } = await import('../store/making-vectors.js');
    const { removeVectors } = await import('../state/vector-file.js');
    const started = performance.now();
    if (again === true) removeVectors(join(stores.settings.home, 'index'));
    const done = await makeVectors(await stores.toRead());
    if ('code' in done) throw new Fault('model-unusable', done.message, done.next);
    const { model, notes, made, left, problem } = done;
    if (problem !== undefined)
      throw new Fault('model-unusable', `${problem.message}; ${left} notes are left, ${made} were done`, problem.next);
    return { model, notes, made, ms: Math.round(performance.now() - started) };
  },
  async compact(asked) {
    const { compactStore } = await import('../maintenance/compacting.js');
    const memory = await stores.toWrite();
    return memory.exists() ? compactStore(memory, asked) : { journals: [], ms: 0 };
  },
  async backUp(asked) {
    const { backUp } = await import('../maintenance/backup/backing-up.js');
    return backUp(await stores.toWrite(), asked, Date.now());
  },
  async restoreBackup(asked) {
    const { restoreBackup } = await import('../maintenance/backup/restoring-backup.js');
    return restoreBackup(await stores.toWrite(), asked);
  },
  async planPurge(asked) {
    const { planPurge } = await import('../purge/purging.js');
    return planPurge(await stores.toWrite(), asked);
  },
  async purge(asked, options) {
    const { purgeEverywhere } = await import('./purge-everywhere.js');
    return purgeEverywhere(await stores.toWrite(), asked, options);
  },
  async evaluate({ save, ...options }) {
    const { checkReportFiles, writeReportFile } = await import('../eval/saved-reports-schema.js');
    checkReportFiles([save]);
    const { runEval } = await import('../eval/evaluating.js');
    const { formatReport, reportJson } = await import('../projections/eval/report.js');
    const { report, timings, reportFile } = await runEval(await stores.toWrite(), options);
    const { warnings } = report;
    if (save !== undefined) writeReportFile(save, reportJson(report));
    const told = { report: JSON.parse(reportJson(report)), text: formatReport(report) };
    return { ...told, warnings, timings, reportFile };
  },
  async bench(folders, options) {
    const { benchFolders } = await import('../eval/benching.js');
    const { home, searchModel: name } = stores.settings;
    return benchFolders(folders, { ...options, model: name === undefined ? undefined : { home, name } });
  },
  async buildCases(asked) {
    const { buildCases } = await import('../eval/building-cases.js');
    return buildCases(await stores.toWrite(), asked);
  },
  async openCases(asked) {
    const { openCases } = await import('../eval/approving-cases.js');
    return openCases(await stores.toWrite(), asked);
  },
  async approveCases(asked) {
    const { approveCases } = await import('../eval/approving-cases.js');
    return approveCases(await stores.toWrite(), asked);
  },
  async compareReports(before, after) {
    const { compareFiles } = await import('../eval/saved-reports-schema.js');
    return compareFiles(before, after);
  },
  async benchPrompts(folders, options) {
    const { benchPrompts } = await import('../eval/prompt-bench.js');
    const { mode, ...others } = options;
    return benchPrompts(folders, { ...others, settings: mode === 'keyword' ? undefined : stores.settings });
  },
});
