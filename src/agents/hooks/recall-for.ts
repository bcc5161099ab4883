/** Notes for a session, a prompt or a subagent: the project's injected notes, and those relevant to the prompt. */
import { join } from 'node:path';
import { explainIgnored, findProject } from '../../config/project.js';
import { isDenied } from '../../events/environment-faults.js';
import type { NoteId } from '../../events/note/note.js';
import { AgentState, openAgentState } from '../../state/agent-state.js';
import { Reading } from '../../store/reading.js';
import { notLookedUp, offeredIn, type TraceEntry, trace } from '../../store/trace-file.js';
import type { HookContext } from './hook-context.js';
import {
  type ContextEvent,
  formatCaptured,
  formatContext,
  maxRecallBytes,
  measureInLine,
  partBreak,
  roomFor,
} from './output.js';
import type { HookPayload } from './payload.js';
import { searchTextOf, typedTextOf } from './prompt.js';

export const recallFor = async (event: ContextEvent, payload: HookPayload, around: HookContext): Promise<string> => {
  const { home } = around.settings;
  const reading = new Reading(around.settings);
  try {
    if (!reading.exists()) return '';
    const state = openTolerantState(join(home, 'agents.db'), around.log);
    try {
      const parts = await new ContextParts(event, payload, around, reading, state).gather();
      return formatContext(event, parts);
    } finally {
      state.close();
    }
  } finally {
    reading.close();
    if (event === 'SessionStart') around.startWorker();
  }
};

/** If the disk is full or read-only, a session still gets its notes, but may get some again: they aren't remembered. */
const openTolerantState = (file: string, log: (line: string) => void): AgentState => {
  const orElse = <Answer>(fallback: Answer, run: () => Answer): Answer => {
    try {
      return run();
    } catch (error) {
      if (!isDenied(error)) throw error;
      log(`hook: ${file} can't be written: ${error instanceof Error ? error.message : String(error)}`);
      return fallback;
    }
  };
  const state = orElse(undefined, () => openAgentState(file)) ?? openAgentState(':memory:');
  const { serve, give, expectTranscript } = AgentState.prototype;
  return Object.assign(state, {
    serve: (...asked: Parameters<typeof serve>) => orElse(undefined, () => serve.apply(state, asked)),
    give: (...asked: Parameters<typeof give>) => orElse(true, () => give.apply(state, asked)),
    expectTranscript: (...asked: Parameters<typeof expectTranscript>) =>
      orElse(undefined, () => expectTranscript.apply(state, asked)),
  });
};

class ContextParts {
  readonly #event: ContextEvent;
  readonly #payload: HookPayload;
  readonly #around: HookContext;
  readonly #reading: Reading;
  readonly #state: AgentState;
  readonly #project: string;
  readonly #ignored: string | undefined;
  readonly #parts: string[] = [];
  #room: number;
  /** Notes that the session wrote itself, which it knows. */
  #mine: readonly NoteId[] = [];

  constructor(event: ContextEvent, payload: HookPayload, around: HookContext, reading: Reading, state: AgentState) {
    this.#event = event;
    this.#payload = payload;
    this.#around = around;
    this.#reading = reading;
    this.#state = state;
    const folder = payload.cwd === '' ? process.cwd() : payload.cwd;
    const found = findProject(folder, { userHome: around.userHome, trusted: around.settings.trustedProjects });
    this.#project = found.key;
    this.#ignored = explainIgnored(found);
    this.#room = roomFor(event);
  }

  async gather(): Promise<readonly string[]> {
    const { session, source, agentType } = this.#payload;
    this.#mine = await this.#reading.sessionNoteIds(session);
    // Internal helpers, such as the one that compacts, have no type.
    if (this.#event === 'SubagentStart' && agentType !== '') await this.#inject({ fresh: false });
    if (this.#event === 'SessionStart') {
      await this.#logIgnored();
      if (source === 'compact') await this.#addCaptured();
      await this.#inject({ fresh: source !== 'resume' });
    }
    if (this.#event === 'UserPromptSubmit') await this.#answerPrompt();
    return this.#parts;
  }

  async #answerPrompt(): Promise<void> {
    const { session, transcript, prompt, source } = this.#payload;
    const { config, nowMs } = this.#around;
    if (session !== '' && transcript !== '') this.#state.expectTranscript(transcript, session, nowMs());
    const typed = typedTextOf(prompt, source);
    const searched = config.recall ? searchTextOf(typed) : '';
    // The other half is for the notes that are relevant to the prompt.
    if (session !== '' && !this.#state.isServed(session))
      await this.#inject({ fresh: false }, searched === '' ? this.#room : Math.floor(this.#room / 2));
    const offered = searched === '' ? { mode: notLookedUp, notes: [] } : await this.#recall(searched);
    if (typed !== '') this.#trace({ by: 'recall', query: typed, ...offered });
  }

  /** Adds the notes that are relevant to the prompt, and returns them for the trace. */
  async #recall(prompt: string): Promise<ReturnType<typeof offeredIn>> {
    const { session } = this.#payload;
    const given = this.#state.given(session);
    const { text, ids, notes, maybe, explain } = await this.#reading.recall(prompt, {
      project: this.#project,
      k: this.#around.config.recallNotes,
      exclude: new Set([...given, ...this.#mine]),
      told: new Set([...given].flatMap((id) => (id.startsWith(told) ? [id.slice(told.length)] : []))),
      maxBytes: maxRecallBytes,
      budget: this.#room,
      measure: measureInLine,
    });
    const named = maybe.map(({ id }) => `${told}${id}`);
    // A prompt that is sent twice at the same time gets its notes once.
    const isFirst = session === '' || this.#state.give(session, [...ids, ...named], this.#around.nowMs());
    if (!isFirst) return { notes: [] };
    this.#add(text);
    return offeredIn(notes, explain, maybe);
  }

  async #inject(options: { readonly fresh: boolean }, most = this.#room): Promise<void> {
    const { session, source } = this.#payload;
    // A resumed session still has the notes it was given: Claude Code keeps the old contexts and adds the new one.
    const known = this.#event === 'SessionStart' && source === 'resume' ? this.#state.given(session) : undefined;
    const { text, ids } = await this.#reading.inject(this.#project, {
      k: this.#around.config.injectNotes,
      budget: Math.min(this.#room, most),
      measure: measureInLine,
      exclude: new Set(this.#mine),
      known,
      reader: 'agent',
    });
    this.#add(text);
    if (text !== '') this.#trace({ by: 'inject', notes: ids.map((id) => [id, null]) });
    if (session !== '' && this.#event !== 'SubagentStart')
      this.#state.serve(session, ids, { ...options, nowMs: this.#around.nowMs() });
  }

  /** The session's own note, captured before its context was compacted. */
  async #addCaptured(): Promise<void> {
    const own = await this.#reading.sessionNoteId(this.#payload.session);
    const head = own === undefined ? undefined : await this.#reading.head(own);
    // One that a commit made with git claims was not captured.
    if (head?.claimed === false) this.#add(formatCaptured(head, Math.floor(this.#room / 2)));
  }

  async #logIgnored(): Promise<void> {
    if (this.#ignored === undefined) return;
    // The message quotes a file that someone else may have written.
    const { maskText } = await import('../../events/note/mask-text.js');
    this.#around.log(maskText(`hook ${this.#event}: ${this.#ignored}`));
  }

  #add(text: string): void {
    if (text === '') return;
    this.#parts.push(text);
    this.#room -= measureInLine(text) + measureInLine(partBreak);
  }

  #trace(traced: Pick<TraceEntry, 'by' | 'query' | 'mode' | 'notes'>): void {
    const { settings, client } = this.#around;
    const { session } = this.#payload;
    const where = { ...settings, session: session === '' ? undefined : session };
    trace(where, { ...traced, agent: client, project: this.#project });
  }
}

/** Prefix of the id of a note whose title alone was given to a session. */
const told = 'maybe:';
