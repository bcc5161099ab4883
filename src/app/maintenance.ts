/** Looking after the store as a whole: status, checks, replay, backups, purging and evaluation. */
import type { BenchOptions, BenchResult, EvalRunOptions, Timings } from '../eval/evaluating.js';
import type { BackupAnswer, BackupAsked, BackupDone } from '../maintenance/backup/backing-up.js';
import type { RestoreAnswer, RestoreAsked, RestoreDone } from '../maintenance/backup/restoring-backup.js';
import type { CompactAnswer, CompactAsked, CompactedJournal } from '../maintenance/compacting.js';
import type { ReplayAnswer, ReplayAsked } from '../maintenance/replaying.js';
import type { VerifyAnswer } from '../maintenance/verifying.js';
import type { PurgePlan, PurgeReceipt } from '../purge/purge-answer.js';
import type { PurgeAsked } from '../purge/purging.js';
import type { Found } from '../store/reading.js';
import type { SyncOptions } from '../sync/syncing.js';
import type { Status } from './status.js';
import type { Stores } from './stores.js';

export type {
  BackupDone,
  BenchResult,
  CompactAnswer,
  CompactedJournal,
  PurgeAsked,
  PurgePlan,
  PurgeReceipt,
  ReplayAnswer,
  RestoreDone,
  Status,
};

export type Evaluated = {
  /** For a program: one key order, numbers to 6 decimals. */
  readonly report: object;
  /** For a person. */
  readonly text: string;
  readonly warnings: readonly string[];
  readonly timings: Timings;
  readonly reportFile: string;
};

export type Maintenance = {
  /** Makes the store; `created` is false where there was one. */
  initialise(): Promise<{ readonly root: string; readonly created: boolean }>;
  status(): Promise<Status>;
  verify(): Promise<VerifyAnswer>;
  replay(asked: ReplayAsked): Promise<ReplayAnswer>;
  compact(asked: CompactAsked): Promise<CompactAnswer>;
  backUp(asked: BackupAsked): Promise<BackupAnswer>;
  restoreBackup(asked: RestoreAsked): Promise<RestoreAnswer>;
  /** Looks, and changes nothing. */
  planPurge(asked: PurgeAsked): Promise<Found<PurgePlan>>;
  /** Here and on the remote. */
  purge(asked: PurgeAsked, options: Pick<SyncOptions, 'interactive'>): Promise<Found<PurgeReceipt>>;
  /** Throws Fault 'eval-set-missing'. */
  evaluate(options: EvalRunOptions): Promise<Evaluated>;
  /**
   * In a throw-away store of its own; with the model in use, too, where there is one. Throws Fault 'eval-set-missing' and
   * 'model-unusable'.
   */
  bench(folder: string, options: BenchOptions): Promise<BenchResult>;
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
  async verify() {
    const { verifyStore } = await import('../maintenance/verifying.js');
    return verifyStore(await stores.toWrite());
  },
  async replay(asked) {
    const { replayStore } = await import('../maintenance/replaying.js');
    return replayStore(await stores.toWrite(), asked);
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
  async evaluate(options) {
    const { runEval } = await import('../eval/evaluating.js');
    const { formatReport, reportJson } = await import('../projections/eval/report.js');
    const { report, timings, reportFile } = await runEval(await stores.toWrite(), options);
    const { warnings } = report;
    return { report: JSON.parse(reportJson(report)), text: formatReport(report), warnings, timings, reportFile };
  },
  async bench(folder, options) {
    const { benchSet } = await import('../eval/evaluating.js');
    const { home, searchModel: name } = stores.settings;
    return benchSet(folder, { ...options, model: name === undefined ? undefined : { home, name } });
  },
});
