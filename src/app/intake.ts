/** Use cases for bringing things in: other programs' files, agents' sessions and edits made by hand. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CaptureAnswer, CaptureRequest } from '../agents/capturing.js';
import type { WorkReport } from '../agents/working.js';
import type { ImportedJson as ImportJson } from '../answers/note-schema.js';
import type { ImportProblem } from '../commands/foreign-note.js';
import { tellCopies } from '../commands/importing/copied-notes.js';
import { type Refusal, valueInvalid } from '../commands/refusals.js';
import type { ImportFormat } from '../commands/source-keys.js';
import type { Reconciled, ReconcileOptions } from '../commands/worktree/reconcile.js';
import { claudeHomeOf, readConfig, userHome } from '../config/settings.js';
import { isDenied } from '../events/environment-faults.js';
import { type JournalFolder, type JournalName, journalFolder, journalNames, type Scope } from '../events/note/note.js';
import { statGiven } from '../files/given-file.js';
import type { ImportAnswer, Progress as ImportProgress, TakenNotes } from '../import/import-items.js';
import type { WatchTimes } from '../import/watching.js';
import type { AgentState } from '../state/agent-state.js';
import type { Answer, Memory } from '../store/memory.js';
import type { Found } from '../store/reading.js';
import type { NoteChange } from './store-diff.js';
import type { Stores } from './stores.js';

export type { ImportProgress, WorkReport };

export type ImportAsked = {
  /** The path's format; detected if not given. */
  readonly format?: ImportFormat | undefined;
  /** For notes that name no project, and for all notes of a folder. */
  readonly project?: string | undefined;
  /** The scope of all notes; if not given, each has the one that its source says. */
  readonly scope?: Scope | undefined;
  /** The name of the source, if it isn't that of the folder or file. */
  readonly source?: string | undefined;
  /** Claude Code's folder, if not the one that the environment names. */
  readonly claudeHome?: string | undefined;
  readonly claudeMd?: boolean | undefined;
  /** Only reports what would be done. */
  readonly dryRun?: boolean | undefined;
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
};

export type WatchAsked = Pick<ImportAsked, 'format' | 'project' | 'scope' | 'source' | 'onProgress'> & {
  readonly signal: AbortSignal;
  readonly onImport: (done: Imported) => Promise<void>;
  readonly onGone: (isGone: boolean) => void;
  /** Reports the error that stopped one import; the next check tries again. */
  readonly onTrouble: (message: string) => void;
  readonly times?: Partial<WatchTimes> | undefined;
};

export type Imported = {
  readonly format: ImportFormat | 'transcripts';
  readonly answer: Exclude<Answer, { readonly status: 'refused' }>;
  readonly problems: readonly ImportProblem[];
  /** For transcripts: sessions left out because nothing in them is worth a note. */
  readonly trivial?: number | undefined;
  /** For a dry run only. */
  readonly planned?: readonly PlannedNote[] | undefined;
} & Pick<ImportAnswer, 'passed' | 'moved' | 'missing'>;

export type PlannedNote = NonNullable<ImportJson['planned']>[number];

type FileInJournal = { readonly journal: JournalFolder; readonly path: string };

export type Adopted = {
  readonly events: readonly { readonly id: string; readonly kind: string; readonly subject: string }[];
  /** The note changes in these events. If the version before equals the one after, the file was renamed. */
  readonly changes: readonly NoteChange[];
  /** Files saved from an older version, merged with what was recorded since. */
  readonly merged: readonly FileInJournal[];
  readonly masked: Reconciled['masked'];
  readonly left: readonly (FileInJournal & { readonly reason: string })[];
  readonly held_deletions: readonly (FileInJournal & {
    readonly replaced_by?: string | undefined;
  })[];
  readonly put_back: readonly FileInJournal[];
  /** Text that stays in one journal's history after a file was moved by hand to the other. */
  readonly warnings: readonly string[];
};

export type Intake = {
  /** Records one event. Without a path, imports Claude Code's own memory. */
  import(path: string | undefined, asked: ImportAsked): Promise<Found<Imported>>;
  /**
   * Follows a folder of markdown until the signal aborts: imports it now and whenever its files change. Refused
   * immediately if the first import is.
   */
  watch(path: string, asked: WatchAsked): Promise<Found<void>>;
  /** Imports Claude Code's past sessions, with an event for each, so the answer itself shows none. */
  importTranscripts(asked: Pick<ImportAsked, 'claudeHome' | 'onProgress' | 'dryRun'>): Promise<Found<Imported>>;
  capture(asked: Omit<CaptureRequest, 'userHome'>): Promise<CaptureAnswer>;
  /** Records changes made by hand. Creates the store if there is none. */
  adopt(deletions: ReconcileOptions['deletions']): Promise<Adopted>;
  /** Carries out the work that hooks queued. */
  work(): Promise<WorkReport>;
};

export const openIntake = (stores: Stores): Intake => ({
  async import(path, { format, project, scope, source, claudeHome, claudeMd, dryRun, onProgress }) {
    if (path !== undefined) {
      if (hasNoEnd(path, format))
        return { ok: false, refusal: valueInvalid('path', 'a file or a folder, not a pipe or device', path) };
      const { importPath } = await import('../import/importing.js');
      const asked = { format, project, scope, source, claudeMd, dryRun, onProgress, needsProject: true };
      return imported(await importPath(await stores.toWrite(), path, asked));
    }
    const folder = findClaudeHome(claudeHome);
    if (!folder.ok) return folder;
    const { importNative } = await import('../import/importing-native.js');
    const claude = { claudeHome: folder.answer, userHome: userHome(), claudeMd: claudeMd === true };
    const asked = { ...claude, scope, dryRun, onProgress };
    return imported(await importNative(await stores.toWrite(), asked));
  },
  async watch(path, { format, project, scope, source, onProgress, signal, onImport, onGone, onTrouble, times }) {
    const { importPath } = await import('../import/importing.js');
    const { watchFolder } = await import('../import/watching.js');
    const { describeError } = await import('../state/environment-probe.js');
    const memory = await stores.toWrite();
    if (statGiven(path)?.isDirectory() !== true)
      return { ok: false, refusal: valueInvalid('path', 'a folder of markdown to watch', path) };
    const taken: TakenNotes = new Map();
    const ending = new AbortController();
    let refusal: Refusal | undefined;
    const onChange = async (): Promise<void> => {
      const asked = { format, project, scope, source, onProgress, taken, needsProject: true };
      const done = imported(await importPath(memory, path, asked));
      if (!done.ok) {
        if (taken.size > 0) return onTrouble(done.refusal.message);
        refusal = done.refusal;
        return ending.abort();
      }
      await onImport(done.answer);
    };
    const tell = (error: unknown): void => onTrouble(describeError(error, memory.settings.home));
    const until = AbortSignal.any([signal, ending.signal]);
    await watchFolder(path, { signal: until, onChange, onGone, onTrouble: tell, times });
    return refusal === undefined ? { ok: true, answer: undefined } : { ok: false, refusal };
  },
  async importTranscripts({ claudeHome, onProgress, dryRun }) {
    const folder = findClaudeHome(claudeHome);
    if (!folder.ok) return folder;
    if (dryRun === true) {
      const { planTranscripts } = await import('../agents/importing-transcripts.js');
      const memory = await stores.toWrite();
      const { problems, trivial, planned, ...counts } = await withKnownState(memory, (state) =>
        planTranscripts(memory, state, { claudeHome: folder.answer, userHome: userHome() }),
      );
      const answer = {
        status: 'unchanged',
        event: undefined,
        note: undefined,
        masked: [],
        warnings: [],
        counts,
      } as const;
      return { ok: true, answer: { ...nothingElse, format: 'transcripts', answer, problems, trivial, planned } };
    }
    const { importTranscripts } = await import('../agents/importing-transcripts.js');
    const memory = await stores.toWrite();
    return withAgentState(memory, async (state) => {
      const place = { claudeHome: folder.answer, userHome: userHome() };
      const { problems, trivial, ...counts } = await importTranscripts(memory, state, place, (done, total) =>
        onProgress?.({ done, total, stage: 'recording' }),
      );
      const status = counts.imported + counts.updated === 0 ? 'unchanged' : 'recorded';
      const answer = { status, event: undefined, note: undefined, masked: [], warnings: [], counts } as const;
      return { ok: true, answer: { ...nothingElse, format: 'transcripts', answer, problems, trivial } };
    });
  },
  async capture(asked) {
    const { captureTranscript } = await import('../agents/capturing.js');
    const memory = await stores.toWrite();
    return withAgentState(memory, (state) =>
      captureTranscript(memory, state, { ...asked, userHome: userHome() }).catch((error: unknown) => {
        if (!isUnreadable(error)) throw error;
        const refusal = valueInvalid('transcript', 'a file that can be read', `${asked.transcript} (${error.code})`);
        return { status: 'refused', refusal };
      }),
    );
  },
  async adopt(deletions) {
    const memory = await stores.toWrite();
    // A folder of notes that isn't a repository yet is adopted while the journals are created.
    const made = await memory.initialise();
    const before = made ? await memory.events({ kind: 'hand.adopted' }, journalNames.length) : [];
    const reconciled = await memory.adopt(deletions);
    const inEach = <Item>(of: (one: Reconciled, journal: JournalFolder) => readonly Item[]): readonly Item[] =>
      journalNames.flatMap((name) => of(reconciled[name], journalFolder[name]));
    const events = [...before, ...inEach(({ event }) => (event === undefined ? [] : [event]))];
    return {
      events,
      ...(await changesOf(memory, events)),
      merged: inEach(({ merged }, journal) => merged.map((path) => ({ journal, path }))),
      masked: inEach(({ masked }) => masked),
      left: (await Promise.all(journalNames.map((name) => leftIn(memory, name, reconciled[name].left)))).flat(),
      held_deletions: inEach(({ heldDeletions, heldReplaced }, journal) => {
        const byPath = new Map(heldReplaced.map((one) => [one.path, one]));
        return heldDeletions.map((path) => {
          const one = byPath.get(path);
          if (one === undefined) return { journal, path };
          return { journal, path, replaced_by: one.by };
        });
      }),
      put_back: inEach(({ putBack }, journal) => putBack.map((path) => ({ journal, path }))),
    };
  },
  async work() {
    const { work } = await import('../agents/working.js');
    const memory = await stores.toWrite();
    return work(memory, {
      config: readConfig(memory.settings.home, process.env),
      environment: process.env,
      userHome: userHome(),
      claudeHome: claudeHomeOf(process.env),
      nowMs: Date.now,
    });
  },
});

/** True for a device, and for a pipe unless its given format is one that is read whole and up to a limit. */
const hasNoEnd = (path: string, format: ImportFormat | undefined): boolean => {
  const stat = statGiven(path);
  if (stat === undefined || stat.isFile() || stat.isDirectory()) return false;
  return !stat.isFIFO() || format === undefined || !pipeFormats.has(format);
};

const pipeFormats: ReadonlySet<ImportFormat> = new Set(['markdown', 'basic-memory', 'mcp-memory']);

/** True for what looks like a file but can't be read as one, such as some entries of /proc. */
const isUnreadable = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && error.syscall === 'read' && !isDenied(error);

const changesOf = async (memory: Memory, events: Adopted['events']): Promise<Pick<Adopted, 'changes' | 'warnings'>> => {
  if (events.length === 0) return { changes: [], warnings: [] };
  const { describeAdoptedChanges } = await import('./adopted-changes.js');
  return describeAdoptedChanges(memory, events);
};

const leftIn = async (memory: Memory, name: JournalName, left: Reconciled['left']): Promise<Adopted['left']> => {
  const told = await tellCopies(await memory.store(), name, left);
  return told.map((file) => ({ journal: journalFolder[name], ...file }));
};

const findClaudeHome = (given: string | undefined): Found<string> => {
  const folder = given === undefined ? claudeHomeOf(process.env) : resolve(given);
  return statGiven(folder)?.isDirectory() === true
    ? { ok: true, answer: folder }
    : {
        ok: false,
        refusal: {
          ...valueInvalid('claude-home', 'a folder that exists', given ?? folder),
          ...(given === undefined ? { message: `Claude Code has no folder here: ${folder} doesn't exist` } : {}),
          next: 'name the folder with --claude-home DIR, or something else to import: anamnesis import PATH',
        },
      };
};

const imported = (done: ImportAnswer | Refusal): Found<Imported> => {
  if ('message' in done) return { ok: false, refusal: done };
  const { answer, ...rest } = done;
  if (answer.status === 'refused') return { ok: false, refusal: answer.refusal };
  return { ok: true, answer: { ...rest, answer } };
};

/** Empty fields for sources that aren't a folder of files. */
const nothingElse = { passed: [], moved: [], missing: [] } as const;

/** Opens the session state only if its file exists: a dry run doesn't create it. */
const withKnownState = async <Result>(
  memory: Memory,
  run: (state: AgentState | undefined) => Promise<Result>,
): Promise<Result> => {
  const file = join(memory.settings.home, 'agents.db');
  if (!existsSync(file)) return run(undefined);
  const { openAgentState } = await import('../state/agent-state.js');
  const state = openAgentState(file);
  try {
    return await run(state);
  } finally {
    state.close();
  }
};

const withAgentState = async <Result>(memory: Memory, run: (state: AgentState) => Promise<Result>): Promise<Result> => {
  const { openAgentState } = await import('../state/agent-state.js');
  await memory.initialise();
  const state = openAgentState(join(memory.settings.home, 'agents.db'));
  try {
    return await run(state);
  } finally {
    state.close();
  }
};
