/** The state of a store at a glance. Stats every file, and reads only those that changed. */
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { listItems } from '../agents/hooks/spool.js';
import { findProgram } from '../agents/providers/find-program.js';
import { isGone, missingForMs } from '../agents/transcript-files.js';
import { tellCopies } from '../commands/importing/copied-notes.js';
import { inspectTree } from '../commands/worktree/inspect-tree.js';
import { modelsByChoice } from '../config/model-choice.js';
import { readConfigFile } from '../config/settings.js';
import { type JournalFolder, journalFolder, journalNames, type NoteId } from '../events/note/note.js';
import { currentGeneration } from '../projections/generation.js';
import { countEvents, listEvents } from '../projections/history/query.js';
import { openConflicts, supersedeRings } from '../projections/index/conflicts.js';
import { countNotes } from '../projections/index/counts.js';
import { pendingProposals } from '../projections/index/proposals.js';
import { filesOfNote, inBothScopes, repeatedIds, type SkippedFile, skippedFiles } from '../projections/index/query.js';
import { lostLocal, readLostLocal } from '../state/lost-journal.js';
import { askAgentState, passOverDamage } from '../state/state-file.js';
import type { Memory } from '../store/memory.js';
import { readSyncStatus, type SyncStatus } from '../sync/sync-status.js';

export type UnreadableFile = Omit<SkippedFile, 'journal'> & { readonly journal: JournalFolder };

/** `replaced`: the only file of a note now says that it is another note. */
type HandChange = 'edited' | 'removed' | 'replaced';

export type Status = {
  readonly root: string;
  readonly db_path: string | null;
  readonly machine: string;
  readonly total: number;
  readonly live: number;
  readonly superseded: number;
  readonly events: number;
  readonly by_type: Readonly<Record<string, number>>;
  readonly by_project: Readonly<Record<string, number>>;
  readonly by_scope: Readonly<Record<string, number>>;
  readonly by_workspace: Readonly<Record<string, number>>;
  /** Files in a journal that are not readable notes. */
  readonly skipped: readonly UnreadableFile[];
  /** Changes made by hand that no event records yet. */
  readonly hand_edits: readonly {
    readonly journal: JournalFolder;
    readonly path: string;
    readonly change: HandChange;
    /** If replaced: the note that the file says it is now. */
    readonly replaced_by?: NoteId | undefined;
  }[];
  /** Files that were left alone, with the reason. */
  readonly left: readonly { readonly journal: JournalFolder; readonly path: string; readonly reason: string }[];
  readonly repeated_ids: readonly string[];
  /** Set if the folder of the machine-local notes is gone: a sentence, and what to do. */
  readonly lost_local: { readonly message: string; readonly next: string } | null;
  /** Notes that are machine-local here but portable on another machine; the machine-local ones are shown. */
  readonly in_both: readonly NoteId[];
  /** Conflict copies that a person has yet to resolve. */
  readonly conflicts: number;
  /** Notes that supersede each other, which two machines can cause: `visible` is the one shown. */
  readonly supersede_cycles: readonly { readonly ids: readonly NoteId[]; readonly visible: NoteId }[];
  readonly agents: {
    /** The last capture of a session on this machine; in the format of notes. */
    readonly last_capture: string | null;
    /** Items that hooks queued and no worker has carried out. */
    readonly spool: number;
    /** Sessions that were not captured because their transcripts are nowhere. */
    readonly missing_transcripts: number;
    /** Model calls for learning and capture since midnight UTC. */
    readonly model_calls_today: number;
    /** Proposed supersessions that a person has yet to review. */
    readonly proposals: number;
  };
  readonly sync: SyncStatus;
};

export const readStatus = async (memory: Memory): Promise<Status> => {
  const { settings, journals } = memory;
  await memory.takeInFolders();
  const empty = !journalNames.some((name) => journals[name].exists());
  const indexed = empty
    ? nothingIndexed
    : await memory.liveIndex.ask((database) => readIndex(database, settings.machine));
  const { counts } = indexed;
  const handEdits: Status['hand_edits'][number][] = [];
  const left: { journal: JournalFolder; path: string; reason: string }[] = [];
  let held = 0;
  if (!empty) {
    const store = await memory.store();
    for (const name of journalNames) {
      const found = await inspectTree(store, name);
      handEdits.push(
        ...found.edited.map((path) => {
          const by = found.replaced.find((one) => one.path === path)?.by;
          const file = { journal: journalFolder[name], path };
          return by === undefined
            ? { ...file, change: 'edited' as const }
            : { ...file, change: 'replaced' as const, replaced_by: by };
        }),
        ...found.deleted.map((path) => ({ journal: journalFolder[name], path, change: 'removed' as const })),
      );
      if (found.areHeld) held += found.deleted.length + found.replaced.length;
      const told = await tellCopies(store, name, found.left);
      left.push(...told.map(({ path, reason }) => ({ journal: journalFolder[name], path, reason })));
    }
  }
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
    skipped: indexed.skipped.map((file) => ({
      ...file,
      journal: journalFolder[file.journal],
    })),
    hand_edits: handEdits,
    left,
    repeated_ids: indexed.repeated,
    lost_local: !empty && readLostLocal((await memory.store()).state) !== undefined ? lostLocal : null,
    in_both: indexed.inBoth,
    conflicts: indexed.conflicts,
    supersede_cycles: indexed.cycles,
    agents: await readAgents(memory, indexed),
    sync: await readSyncStatus(memory, { recorded: handEdits.length - held, held }),
  };
};

/** Reads everything in one question, so that it reflects one moment and the index catches up only once. */
const readIndex = (database: Database.Database, machine: string) => ({
  counts: countNotes(database),
  events: countEvents(database),
  skipped: skippedFiles(database),
  repeated: repeatedIds(database),
  inBoth: inBothScopes(database).map(({ id }) => id),
  conflicts: openConflicts(database, {}, 0).total,
  cycles: supersedeRings(database).map(({ ids, newest }) => ({
    ids,
    // A note outside the cycle may have superseded all of its notes.
    visible: filesOfNote(database, newest)[0]?.supersededBy ?? newest,
  })),
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
  inBoth: [],
  conflicts: 0,
  cycles: [],
  lastCapture: undefined,
  proposals: 0,
};
