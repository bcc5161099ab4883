/** The state of a store at a glance. Stats every file, and reads only those that changed. */
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { listItems } from '../agents/hooks/spool.js';
import { findProgram } from '../agents/providers/find-program.js';
import { isGone, missingForMs } from '../agents/transcript-files.js';
import type { Status } from '../answers/store-schema.js';
import { inspectTree } from '../commands/worktree/inspect-tree.js';
import { modelsByChoice } from '../config/model-choice.js';
import { readConfigFile } from '../config/settings.js';
import { type JournalName, journalFolder, journalNames } from '../events/note/note.js';
import { currentGeneration } from '../projections/generation.js';
import { countEvents, listEvents } from '../projections/history/query.js';
import { openConflicts, pendingProposals } from '../projections/index/conflicts.js';
import { repeatedIds, skippedFiles } from '../projections/index/query.js';
import { countNotes } from '../projections/index/rows.js';
import { lostLocal, readLostLocal } from '../state/lost-journal.js';
import { askAgentState, passOverDamage } from '../state/state-file.js';
import type { Memory } from '../store/memory.js';
import { readSyncStatus } from '../sync/sync-status.js';

export const readStatus = async (memory: Memory): Promise<Status> => {
  const { settings } = memory;
  await memory.takeInFolders();
  const indexed = (await memory.ask((database) => readIndex(database, settings.machine))) ?? nothingIndexed;
  const { counts } = indexed;
  const files: FilesOfJournal[] = [];
  if (!memory.isEmpty()) for (const name of journalNames) files.push(await readFiles(memory, name));
  const handEdits = files.flatMap(({ edits }) => edits);
  const held = files.reduce((sum, one) => sum + one.held, 0);
  const isLocalLost = !memory.isEmpty() && readLostLocal((await memory.store()).state) !== undefined;
  return {
    root: settings.home,
    db_path: currentGeneration(join(settings.home, 'index')) ?? null,
    machine: settings.machine,
    total: counts.total,
    live: counts.live,
    superseded: counts.total - counts.live,
    events: indexed.events,
    by_type: counts.byType,
    by_project: counts.byProject,
    by_scope: counts.byScope,
    by_workspace: counts.byWorkspace,
    skipped: indexed.skipped.map((file) => ({ ...file, journal: journalFolder[file.journal] })),
    hand_edits: handEdits,
    left: files.flatMap(({ left }) => left),
    repeated_ids: indexed.repeated,
    lost_local: isLocalLost ? lostLocal : null,
    conflicts: indexed.conflicts,
    agents: await readAgents(memory, indexed),
    sync: await readSyncStatus(memory, { recorded: handEdits.length - held, held }),
  };
};

type FilesOfJournal = {
  readonly edits: Status['hand_edits'];
  readonly left: Status['left'];
  /** How many of the edits wait for a person's word. */
  readonly held: number;
};

const readFiles = async (memory: Memory, name: JournalName): Promise<FilesOfJournal> => {
  const store = await memory.store();
  const found = await inspectTree(store, name);
  const journal = journalFolder[name];
  const edited = found.edited.map((path) => ({ journal, path, change: 'edited' as const }));
  const removed = found.deleted.map((path) => ({ journal, path, change: 'removed' as const }));
  const left = found.left.map(({ path, reason }) => ({ journal, path, reason }));
  return {
    edits: [...edited, ...removed],
    left,
    held: found.areHeld ? found.deleted.length : 0,
  };
};

/** Reads everything in one question, so that it reflects one moment and the index catches up only once. */
const readIndex = (database: Database.Database, machine: string) => ({
  counts: countNotes(database),
  events: countEvents(database),
  skipped: skippedFiles(database),
  repeated: repeatedIds(database),
  conflicts: openConflicts(database, {}, 0).total,
  lastCapture: listEvents(database, { kind: 'session.captured', machine }, 1)[0]?.at,
  proposals: pendingProposals(database, {}, 0).total,
});

type Indexed = ReturnType<typeof readIndex>;

const readAgents = async (
  { settings: { home } }: Memory,
  { lastCapture, proposals }: Indexed,
): Promise<Status['agents']> => {
  const since = Date.now() - missingForMs;
  const expected =
    (await askAgentState({ home }, (state) => state.expectedTranscripts(since)).catch(passOverDamage)) ?? [];
  const today = new Date().toISOString().slice(0, 10);
  return {
    last_capture: lastCapture ?? null,
    spool: listItems(join(home, 'spool')).length,
    missing_transcripts: expected.filter(({ path }) => isGone(path)).length,
    model_calls_today: (await askAgentState({ home }, (state) => state.callsOn(today)).catch(passOverDamage)) ?? 0,
    proposals,
  };
};

/** Remembers that it told. Says nothing where `learn_judges` is set or no `claude` is on PATH. */
export const tellOfModels = async (memory: Memory, environment: NodeJS.ProcessEnv): Promise<string | undefined> => {
  if (!memory.exists() || readConfigFile(memory.settings.home)['learn_judges'] !== undefined) return undefined;
  if (findProgram('claude', { platform: process.platform, environment }) === undefined) return undefined;
  const { state } = await memory.store();
  if (state.fact(toldOfModels) !== undefined) return undefined;
  state.setFact(toldOfModels, 'yes');
  return modelsByChoice;
};

const toldOfModels = 'told-of-models';

const nothingIndexed: Indexed = {
  counts: { total: 0, live: 0, byType: {}, byProject: {}, byScope: {}, byWorkspace: {} },
  events: 0,
  skipped: [],
  repeated: [],
  conflicts: 0,
  lastCapture: undefined,
  proposals: 0,
};
