/** Use cases for bringing things in: other programs' files and agents' sessions, also as the last steps of `init`. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CaptureAnswer, CaptureRequest } from '../agents/capturing.js';
import type { WorkReport } from '../agents/working.js';
import type { ImportedJson as ImportJson } from '../answers/note-schema.js';
import { type Refusal, valueInvalid } from '../commands/refusals.js';
import type { ImportFormat } from '../commands/source-keys.js';
import { claudeHomeOf, readConfig, userHome } from '../config/settings.js';
import type { Scope } from '../events/note/note.js';
import { statGiven } from '../files/given-file.js';
import type { ImportAnswer, Progress as ImportProgress } from '../import/import-items.js';
import type { WatchTimes } from '../import/watching.js';
import type { FirstSteps } from '../setup/init.js';
import type { AgentState } from '../state/agent-state.js';
import { type Answer, type Memory, unchanged } from '../store/memory.js';
import type { Lookup } from '../store/reading.js';

export type { ImportProgress };

type ImportRequest = {
  /** The path's format; detected if not given. */
  readonly format?: ImportFormat | undefined;
  /** For notes that name no project, and for all notes of a folder. */
  readonly project?: string | undefined;
  /** The scope of all notes; if not given, each has the one that its source says. */
  readonly scope?: Scope | undefined;
  /** The name of the source, if it isn't that of the folder or file. */
  readonly source?: string | undefined;
  /** Not the person's own words: offered to no agent until they are reviewed. */
  readonly untrusted?: boolean | undefined;
  /** Claude Code's folder, if not the one that the environment names. */
  readonly claudeHome?: string | undefined;
  readonly claudeMd?: boolean | undefined;
  /** Only reports what would be done. */
  readonly dryRun?: boolean | undefined;
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
};

type WatchRequest = Pick<ImportRequest, 'format' | 'project' | 'scope' | 'source' | 'untrusted' | 'onProgress'> & {
  readonly signal: AbortSignal;
  readonly onImport: (done: ImportResult) => Promise<void>;
  readonly onGone: (isGone: boolean) => void;
  /** Reports the error that stopped one import; the next check tries again. */
  readonly onTrouble: (message: string) => void;
  readonly times?: Partial<WatchTimes> | undefined;
};

export type ImportResult = Omit<ImportAnswer, 'format' | 'answer' | 'planned'> & {
  readonly format: ImportFormat | 'transcripts';
  readonly answer: Exclude<Answer, { readonly status: 'refused' }>;
  /** For transcripts: sessions left out because nothing in them is worth a note. */
  readonly trivial?: number | undefined;
  /** For a dry run only. */
  readonly planned?: ImportJson['planned'] | undefined;
};

/** Records one event. Without a path, imports Claude Code's own memory. */
export const importNotes = async (
  memory: Memory,
  path: string | undefined,
  { claudeHome, claudeMd, ...request }: ImportRequest,
): Promise<Lookup<ImportResult>> => {
  if (path !== undefined) {
    if (hasNoEnd(path))
      return { ok: false, refusal: valueInvalid('path', 'a file or a folder, not a pipe or device', path) };
    const { importPath } = await import('../import/importing.js');
    return imported(await importPath(memory, path, { ...request, claudeMd, needsProject: true }));
  }
  const folder = findClaudeHome(claudeHome);
  if (!folder.ok) return folder;
  const { importNative } = await import('../import/import-items.js');
  const { scope, dryRun, onProgress } = request;
  const claude = { claudeHome: folder.answer, userHome: userHome(), claudeMd: claudeMd === true };
  return imported(await importNative(memory, { ...claude, scope, dryRun, onProgress }));
};

/** Imports a folder of markdown now and on changes, until the signal aborts. Refused if the first import is. */
export const watchNotes = async (
  memory: Memory,
  path: string,
  { signal, onImport, onGone, onTrouble, times, ...request }: WatchRequest,
): Promise<Lookup<void>> => {
  const { importPath } = await import('../import/importing.js');
  const { watchFolder } = await import('../import/watching.js');
  const { describeError } = await import('../state/environment-probe.js');
  if (statGiven(path)?.isDirectory() !== true)
    return { ok: false, refusal: valueInvalid('path', 'a folder of markdown to watch', path) };
  let hasImported = false;
  const ending = new AbortController();
  let refusal: Refusal | undefined;
  const onChange = async (): Promise<void> => {
    const done = imported(await importPath(memory, path, { ...request, needsProject: true }));
    if (done.ok) {
      hasImported = true;
      return onImport(done.answer);
    }
    if (hasImported) return onTrouble(done.refusal.message);
    refusal = done.refusal;
    ending.abort();
  };
  const tell = (error: unknown): void => onTrouble(describeError(error, memory.settings.home));
  const until = AbortSignal.any([signal, ending.signal]);
  await watchFolder(path, { signal: until, onChange, onGone, onTrouble: tell, times });
  return refusal === undefined ? { ok: true, answer: undefined } : { ok: false, refusal };
};

/** Imports Claude Code's past sessions, with an event for each, so the answer itself shows none. */
export const importSessions = async (
  memory: Memory,
  { claudeHome, onProgress, dryRun = false }: Pick<ImportRequest, 'claudeHome' | 'onProgress' | 'dryRun'>,
): Promise<Lookup<ImportResult>> => {
  const folder = findClaudeHome(claudeHome);
  if (!folder.ok) return folder;
  const homes = { claudeHome: folder.answer, userHome: userHome() };
  // A dry run doesn't create the file of the sessions' state.
  const { problems, trivial, planned, ...counts } = dryRun
    ? await (existsSync(agentStateOf(memory)) ? withAgentState : withoutState)(memory, async (state) =>
        (await import('../agents/importing-transcripts.js')).planTranscripts(memory, state, homes),
      )
    : await withAgentState(memory, async (state) => {
        const { importTranscripts } = await import('../agents/importing-transcripts.js');
        const report = (done: number, total: number): void => onProgress?.({ done, total, stage: 'recording' });
        return { ...(await importTranscripts(memory, state, homes, report)), planned: undefined };
      });
  const status = dryRun || counts.imported + counts.updated === 0 ? 'unchanged' : 'recorded';
  const nothing = { passed: [], moved: [], missing: [] };
  const answer = { ...unchanged, status, counts } as const;
  return { ok: true, answer: { ...nothing, format: 'transcripts', answer, problems, trivial, planned } };
};

export const captureSession = (memory: Memory, asked: Omit<CaptureRequest, 'userHome'>): Promise<CaptureAnswer> =>
  withAgentState(memory, async (state) => {
    const { captureTranscript } = await import('../agents/capturing.js');
    return captureTranscript(memory, state, { ...asked, userHome: userHome() });
  });

export const workOffSpool = async (memory: Memory): Promise<WorkReport> => {
  const { work } = await import('../agents/working.js');
  return work(memory, {
    config: readConfig(memory.settings.home, process.env),
    environment: process.env,
    userHome: userHome(),
    claudeHome: claudeHomeOf(process.env),
    nowMs: Date.now,
  });
};

/** True for a device and for a pipe. */
const hasNoEnd = (path: string): boolean => {
  const stat = statGiven(path);
  return stat !== undefined && !stat.isFile() && !stat.isDirectory();
};

const findClaudeHome = (given: string | undefined): Lookup<string> => {
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

const imported = (done: ImportAnswer | Refusal): Lookup<ImportResult> => {
  if ('message' in done) return { ok: false, refusal: done };
  const { answer, ...rest } = done;
  if (answer.status === 'refused') return { ok: false, refusal: answer.refusal };
  return { ok: true, answer: { ...rest, answer } };
};

const agentStateOf = ({ settings }: Memory): string => join(settings.home, 'agents.db');

const withoutState = <Result>(_: Memory, run: (state: undefined) => Promise<Result>): Promise<Result> => run(undefined);

const withAgentState = async <Result>(memory: Memory, run: (state: AgentState) => Promise<Result>): Promise<Result> => {
  const { openAgentState } = await import('../state/agent-state.js');
  await memory.initialise();
  const state = openAgentState(agentStateOf(memory));
  try {
    return await run(state);
  } finally {
    state.close();
  }
};

/** `isAsked` tells whether a person at a terminal may be asked for a passphrase. */
export const firstSteps = (isAsked: () => boolean): FirstSteps => ({
  async firstImport(memory) {
    const { importNative } = await import('../import/import-items.js');
    const { answer } = await importNative(memory, {
      claudeHome: claudeHomeOf(process.env),
      userHome: userHome(),
      claudeMd: readConfig(memory.settings.home, process.env).importClaudeMd,
    });
    if (answer.status === 'refused') throw new Error(answer.refusal.message);
    const { imported = 0, updated = 0, skipped = 0 } = answer.counts ?? {};
    return { imported, updated, skipped };
  },
  async firstSync(memory) {
    const { findRemote, setRemote } = await import('../sync/remote.js');
    const { syncStore } = await import('../sync/syncing.js');
    const remote = findRemote(memory);
    if (remote !== undefined && 'url' in remote && remote.source === 'config.json') await setRemote(memory, remote.url);
    const { trouble, detail } = await syncStore(memory, { interactive: isAsked() });
    if (trouble !== null) throw new Error(`${detail}; ${trouble.next}`);
    return { detail };
  },
});
