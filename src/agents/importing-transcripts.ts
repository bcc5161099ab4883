/** Imports this machine's past sessions: each transcript that Claude Code still keeps becomes its session's note. */
import { join } from 'node:path';
import type { ImportProblem } from '../commands/foreign-note.js';
import type { AgentState } from '../state/agent-state.js';
import type { Memory } from '../store/memory.js';
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

/**
 * Imports the oldest first, so that the turns a fork copied already belong to the session they are from. Finishes each
 * transcript before the next: if it is stopped halfway, the next run continues there.
 */
export const importTranscripts = async (
  memory: Memory,
  state: AgentState,
  options: {
    readonly claudeHome: string;
    readonly userHome: string;
    readonly onProgress?: ((done: number, total: number) => void) | undefined;
  },
): Promise<TranscriptsAnswer> => {
  const found = findTranscripts(join(options.claudeHome, 'projects'));
  const counts = { imported: 0, updated: 0, skipped: 0, trivial: 0 };
  const captured = state.capturedSessions();
  const problems: ImportProblem[] = [];
  for (const [at, { path, size }] of found.entries()) {
    options.onProgress?.(at, found.length);
    const known = state.transcript(path);
    const before = known === undefined ? undefined : await memory.sessionNoteId(known.session);
    if (known !== undefined && known.size === size) {
      counts[before !== undefined || captured.has(known.session) ? 'skipped' : 'trivial'] += 1;
      continue;
    }
    try {
      const { userHome } = options;
      const done = await captureTranscript(memory, state, {
        transcript: path,
        source: 'import',
        agent: 'claude-code',
        userHome,
      });
      if (done.status === 'refused') problems.push({ where: path, message: done.refusal.message });
      else if (done.status === 'trivial') counts.trivial += 1;
      else if (done.answer.status === 'unchanged') counts.skipped += 1;
      else counts[before === undefined ? 'imported' : 'updated'] += 1;
    } catch (error) {
      problems.push({ where: path, message: error instanceof Error ? error.message : String(error) });
    }
  }
  options.onProgress?.(found.length, found.length);
  return { ...counts, problems };
};
