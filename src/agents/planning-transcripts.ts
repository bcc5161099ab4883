/** A dry run of importing past sessions: tells what each transcript would become and records nothing. */
import { join } from 'node:path';
import { projectOfFolder } from '../config/project.js';
import type { AgentState } from '../state/agent-state.js';
import type { Memory } from '../store/memory.js';
import { isTrivial, sessionNote } from './capture/note/session-note.js';
import { readSession } from './capture/read-session.js';
import { withoutCopiedTurns } from './capture/session.js';
import type { TranscriptsAnswer } from './importing-transcripts.js';
import { findTranscripts } from './transcript-files.js';

export type PlannedSession = {
  /** Missing if the session has no note yet. */
  readonly id?: string;
  readonly title: string;
  readonly project: string;
  readonly change: 'imported' | 'updated';
  /** Path of the transcript. */
  readonly source_key: string;
};

export type TranscriptsPlan = TranscriptsAnswer & { readonly planned: readonly PlannedSession[] };

/** Reads every transcript that is new or has changed. `state` is from earlier imports, if there were any. */
export const planTranscripts = async (
  memory: Memory,
  state: AgentState | undefined,
  { claudeHome, userHome }: { readonly claudeHome: string; readonly userHome: string },
): Promise<TranscriptsPlan> => {
  const counts = { imported: 0, updated: 0, skipped: 0, trivial: 0 };
  const planned: PlannedSession[] = [];
  const captured = state?.capturedSessions() ?? new Set();
  /** Sessions by the turns that this import would already have recorded for them. */
  const taken = new Map<string, string>();
  const problems: { readonly where: string; readonly message: string }[] = [];
  for (const { path, size } of findTranscripts(join(claudeHome, 'projects'))) {
    const known = state?.transcript(path);
    if (known !== undefined && known.size === size) {
      const isNoted = captured.has(known.session) || (await memory.sessionNoteId(known.session)) !== undefined;
      counts[isNoted ? 'skipped' : 'trivial'] += 1;
      continue;
    }
    try {
      const whole = await readSession(path);
      const session = withoutCopiedTurns(whole, (uuid) => {
        const owner = state?.sessionOfTurn(uuid) ?? taken.get(uuid);
        return owner !== undefined && owner !== whole.id;
      });
      if (isTrivial(session)) {
        counts.trivial += 1;
        continue;
      }
      for (const { uuid } of session.turns) if (uuid !== undefined) taken.set(uuid, session.id);
      const id = await memory.sessionNoteId(session.id);
      const { title, body } = sessionNote(session, 'import');
      const before = id === undefined ? undefined : await memory.show(id);
      if (before?.ok === true && before.answer.title === title && before.answer.body === body) {
        counts.skipped += 1;
        continue;
      }
      const change = id === undefined ? 'imported' : 'updated';
      const project = projectOfFolder(session.cwd ?? process.cwd(), userHome, memory.settings.trustedProjects);
      planned.push({ ...(id === undefined ? {} : { id }), title, project, change, source_key: path });
      counts[change] += 1;
    } catch (error) {
      problems.push({ where: path, message: error instanceof Error ? error.message : String(error) });
    }
  }
  return { ...counts, problems, planned };
};
