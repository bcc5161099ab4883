/** Imports this machine's past sessions: each transcript that Claude Code still keeps becomes its session's note. */
import { join } from 'node:path';
import type { ImportProblem } from '../commands/foreign-note.js';
import { projectOfFolder } from '../config/project.js';
import type { AgentState } from '../state/agent-state.js';
import type { Memory } from '../store/memory.js';
import { isTrivial, sessionNote } from './capture/note/session-note.js';
import { readSession } from './capture/read-session.js';
import { withoutCopiedTurns } from './capture/session.js';
import { captureTranscript } from './capturing.js';
import { findTranscripts } from './transcript-files.js';

export type TranscriptsAnswer = {
  readonly imported: number;
  readonly updated: number;
  /** Sessions that were already captured in their present state. */
  readonly skipped: number;
  /** Sessions left out, because nothing in them is worth a note. */
  readonly trivial: number;
  readonly problems: readonly ImportProblem[];
};

export type PlannedSession = {
  /** Missing if the session has no note yet. */
  readonly id?: string;
  readonly title: string;
  readonly project: string;
  readonly change: 'imported' | 'updated';
  /** Path of the transcript. */
  readonly source_key: string;
};

type Outcome = 'imported' | 'updated' | 'skipped' | 'trivial' | { readonly problem: string };

export type TranscriptsPlace = { readonly claudeHome: string; readonly userHome: string };

/** The oldest first: turns that a fork copied already belong to their session. A stopped import continues there. */
export const importTranscripts = (
  memory: Memory,
  state: AgentState,
  place: TranscriptsPlace,
  onProgress?: (done: number, total: number) => void,
): Promise<TranscriptsAnswer> => {
  const importOne = async (path: string): Promise<Outcome> => {
    const asked = { transcript: path, source: 'import', agent: 'claude-code', userHome: place.userHome } as const;
    const known = state.transcript(path);
    const before = known === undefined ? undefined : await memory.sessionNoteId(known.session);
    const done = await captureTranscript(memory, state, asked);
    if (done.status === 'refused') return { problem: done.refusal.message };
    if (done.status === 'trivial') return 'trivial';
    if (done.answer.status === 'unchanged') return 'skipped';
    return before === undefined ? 'imported' : 'updated';
  };
  return forEachTranscript(memory, state, place, importOne, onProgress);
};

/** Tells what each transcript would become, and records nothing. `state` is from earlier imports, if there were any. */
export const planTranscripts = async (
  memory: Memory,
  state: AgentState | undefined,
  place: TranscriptsPlace,
): Promise<TranscriptsAnswer & { readonly planned: readonly PlannedSession[] }> => {
  const planned: PlannedSession[] = [];
  /** Sessions by the turns that this import would already have recorded for them. */
  const taken = new Map<string, string>();
  const planOne = async (path: string): Promise<Outcome> => {
    const whole = await readSession(path);
    const session = withoutCopiedTurns(whole, (uuid) => {
      const owner = state?.sessionOfTurn(uuid) ?? taken.get(uuid);
      return owner !== undefined && owner !== whole.id;
    });
    if (isTrivial(session)) return 'trivial';
    for (const { uuid } of session.turns) if (uuid !== undefined) taken.set(uuid, session.id);
    const id = await memory.sessionNoteId(session.id);
    const { title, body } = sessionNote(session, 'import');
    const before = id === undefined ? undefined : await memory.show(id);
    if (before?.ok === true && before.answer.title === title && before.answer.body === body) return 'skipped';
    const change = id === undefined ? 'imported' : 'updated';
    const project = projectOfFolder(session.cwd ?? process.cwd(), place.userHome, memory.settings.trustedProjects);
    planned.push({ ...(id === undefined ? {} : { id }), title, project, change, source_key: path });
    return change;
  };
  return { ...(await forEachTranscript(memory, state, place, planOne)), planned };
};

/** Passes on every transcript that is new or has changed, and counts what became of them. */
const forEachTranscript = async (
  memory: Memory,
  state: AgentState | undefined,
  { claudeHome }: TranscriptsPlace,
  run: (path: string) => Promise<Outcome>,
  onProgress?: (done: number, total: number) => void,
): Promise<TranscriptsAnswer> => {
  const found = findTranscripts(join(claudeHome, 'projects'));
  const captured = state?.capturedSessions() ?? new Set();
  const counts = { imported: 0, updated: 0, skipped: 0, trivial: 0 };
  const problems: ImportProblem[] = [];
  for (const [at, { path, size }] of found.entries()) {
    onProgress?.(at, found.length);
    const known = state?.transcript(path);
    try {
      if (known !== undefined && known.size === size) {
        const hasNote = captured.has(known.session) || (await memory.sessionNoteId(known.session)) !== undefined;
        counts[hasNote ? 'skipped' : 'trivial'] += 1;
        continue;
      }
      const outcome = await run(path);
      if (typeof outcome === 'string') counts[outcome] += 1;
      else problems.push({ where: path, message: outcome.problem });
    } catch (error) {
      problems.push({ where: path, message: error instanceof Error ? error.message : String(error) });
    }
  }
  onProgress?.(found.length, found.length);
  return { ...counts, problems };
};
