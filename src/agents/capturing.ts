/** Captures an agent's transcript as the one note of its session. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Refusal, valueInvalid } from '../commands/refusals.js';
import type { CaptureSource } from '../commands/source-keys.js';
import { projectOfFolder } from '../config/project.js';
import type { AgentState } from '../state/agent-state.js';
import type { Answer, Memory } from '../store/memory.js';
import { factsOf, isTrivial, sessionNote } from './capture/note/session-note.js';
import { readSession } from './capture/read-session.js';
import { type Session, withoutCopiedTurns } from './capture/session.js';
import { summarise } from './learn/summary.js';
import type { Models } from './models.js';

export type CaptureRequest = {
  readonly transcript: string;
  readonly source: CaptureSource;
  /** Defaults to the project of the session's folder. */
  readonly project?: string | undefined;
  readonly agent?: string | undefined;
  readonly userHome: string;
  /** Summary of a compaction that the transcript may not contain yet. */
  readonly compactSummary?: string | undefined;
  /** May word the note; without one that answers, the rules do. */
  readonly models?: Models | undefined;
};

export type CaptureAnswer =
  | { readonly status: 'captured'; readonly session: string; readonly answer: Exclude<Answer, { status: 'refused' }> }
  /** Nothing worth a note was said or done in it. */
  | { readonly status: 'trivial'; readonly session: string }
  | { readonly status: 'refused'; readonly refusal: Refusal };

/** Reads the whole transcript; records nothing in the journal when the session says nothing new. */
export const captureTranscript = async (
  memory: Memory,
  state: AgentState,
  asked: CaptureRequest,
): Promise<CaptureAnswer> => {
  const path = resolve(asked.transcript);
  const before = statSync(path, { throwIfNoEntry: false });
  if (before?.isFile() !== true) {
    return {
      status: 'refused',
      refusal: valueInvalid('transcript', 'a transcript file that exists', asked.transcript),
    };
  }
  const whole = withSummary(await readSession(path), asked.compactSummary ?? '');
  // A fork begins with the turns of the session it came from.
  const session = withoutCopiedTurns(whole, (uuid) => {
    const owner = state.sessionOfTurn(uuid);
    return owner !== undefined && owner !== whole.id;
  });
  const remember = (): void =>
    state.setTranscript({ path, session: session.id, bytes: whole.bytes, size: before.size }, Date.now());
  if (isTrivial(session)) {
    remember();
    return { status: 'trivial', session: session.id };
  }
  const { models } = asked;
  const worded = models === undefined || models.isEmpty ? undefined : await summarise(models, factsOf(session));
  const note = sessionNote(session, asked.source, worded);
  const answer = await memory.perform(
    {
      kind: 'capture',
      session: session.id,
      title: note.title,
      body: note.body,
      model: worded?.model,
      tags: note.tags,
      project:
        asked.project ?? projectOfFolder(session.cwd ?? process.cwd(), asked.userHome, memory.settings.trustedProjects),
      startedAtMs: session.startedAtMs ?? Math.trunc(before.mtimeMs),
      lastTurnAtMs: session.endedAtMs ?? Math.trunc(before.mtimeMs),
    },
    { session: session.id, agent: asked.agent },
  );
  if (answer.status === 'refused') return answer;
  // Only now, so that a capture that was killed is repeated.
  state.addTurns(
    session.id,
    session.turns.flatMap(({ uuid }) => uuid ?? []),
  );
  remember();
  return { status: 'captured', session: session.id, answer };
};

const withoutAnalysis = (summary: string): string => {
  const start = summary.indexOf('<analysis>');
  const end = summary.indexOf('</analysis>', start);
  return start === -1 || end === -1 ? summary : summary.slice(0, start) + summary.slice(end + '</analysis>'.length);
};

const withSummary = (session: Session, summary: string): Session => {
  // The hook gets the model's whole answer, analysis included; the transcript only the text between the tags.
  const text = /<summary>([\s\S]*?)(?:<\/summary>|$)/.exec(summary)?.[1] ?? withoutAnalysis(summary);
  return text.trim() === '' || session.compactions.length > 0
    ? session
    : { ...session, compactions: [text.trim()], endsCompacted: true };
};
