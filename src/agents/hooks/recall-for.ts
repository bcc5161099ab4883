/** Notes for a session, a prompt or a subagent: the project's injected notes, and those relevant to the prompt. */
import { join } from 'node:path';
import { explainIgnored, findProject } from '../../config/project.js';
import { isDenied } from '../../events/environment-faults.js';
import { type AgentState, openAgentState } from '../../state/agent-state.js';
import { type HandEdited, noteHandEdits } from '../../state/hand-edited.js';
import { openReading, type Reading } from '../../store/reading.js';
import { notLookedUp, offeredIn, type Traced, trace } from '../../store/trace-file.js';
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
  const edited: HandEdited[] = [];
  const reading = openReading(around.settings, (journal, path) => edited.push({ journal, path }));
  try {
    if (!reading.exists()) return '';
    const state = openTolerantState(join(home, 'agents.db'), around.log);
    try {
      const parts = await gather(event, payload, around, reading, state);
      if (edited.length > 0) await noteHandEdits(home, edited);
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
  return {
    ...state,
    serve: (session, notes, options) => orElse(undefined, () => state.serve(session, notes, options)),
    give: (session, notes, nowMs) => orElse(true, () => state.give(session, notes, nowMs)),
    expectTranscript: (path, session, nowMs) => orElse(undefined, () => state.expectTranscript(path, session, nowMs)),
  };
};

const gather = async (
  event: ContextEvent,
  payload: HookPayload,
  { settings, config, userHome, nowMs, log, client }: HookContext,
  reading: Reading,
  state: AgentState,
): Promise<readonly string[]> => {
  const { session, source } = payload;
  const found = findProject(payload.cwd === '' ? process.cwd() : payload.cwd, {
    userHome,
    trusted: settings.trustedProjects,
  });
  const project = found.key;
  const ignored = event === 'SessionStart' ? explainIgnored(found) : undefined;
  if (ignored !== undefined) {
    // The message quotes a file that someone else may have written.
    const { maskText } = await import('../../events/note/mask-text.js');
    log(maskText(`hook ${event}: ${ignored}`));
  }
  let room = roomFor(event);
  const parts: string[] = [];
  const add = (text: string): void => {
    if (text === '') return;
    parts.push(text);
    room -= measureInLine(text) + measureInLine(partBreak);
  };
  const keep = (traced: Pick<Traced, 'by' | 'query' | 'mode' | 'notes'>): void =>
    trace({ ...settings, session: session === '' ? undefined : session }, { ...traced, agent: client, project });
  const own = await reading.sessionNoteId(session);
  // A session already knows the notes that it wrote itself.
  const mine = await reading.sessionNoteIds(session);
  const inject = async (options: { readonly fresh: boolean }, most = room): Promise<void> => {
    if (own !== undefined && event === 'SessionStart' && source === 'compact') {
      const head = await reading.head(own);
      if (head !== undefined) add(formatCaptured(head, Math.floor(room / 2)));
    }
    // A resumed session still has the notes it was given: Claude Code keeps the old contexts and adds the new one.
    const known = event === 'SessionStart' && source === 'resume' ? state.given(session) : undefined;
    const { text, ids } = await reading.inject(project, {
      k: config.injectNotes,
      budget: Math.min(room, most),
      measure: measureInLine,
      exclude: new Set(mine),
      known,
      reader: 'agent',
    });
    add(text);
    if (text !== '') keep({ by: 'inject', notes: ids.map((id) => [id, null]) });
    if (session !== '' && event !== 'SubagentStart') state.serve(session, ids, { ...options, nowMs: nowMs() });
  };

  if (event === 'SubagentStart') {
    // Internal helpers, such as the one that compacts, have no type.
    if (payload.agentType !== '') await inject({ fresh: false });
    return parts;
  }
  if (event === 'SessionStart') {
    await inject({ fresh: source !== 'resume' });
    return parts;
  }
  if (session !== '' && payload.transcript !== '') state.expectTranscript(payload.transcript, session, nowMs());
  const typed = typedTextOf(payload.prompt, source);
  const prompt = config.recall ? searchTextOf(typed) : '';
  // The other half is for the notes that are relevant to the prompt.
  if (session !== '' && !state.isServed(session))
    await inject({ fresh: false }, prompt === '' ? room : Math.floor(room / 2));
  let offered: ReturnType<typeof offeredIn> = { notes: [] };
  if (prompt !== '') {
    const given = state.given(session);
    const { text, ids, notes, maybe, explain } = await reading.recall(prompt, {
      project,
      k: config.recallNotes,
      exclude: new Set([...given, ...mine]),
      told: new Set([...given].flatMap((id) => (id.startsWith(told) ? [id.slice(told.length)] : []))),
      maxBytes: maxRecallBytes,
      budget: room,
      measure: measureInLine,
    });
    const named = maybe.map(({ id }) => `${told}${id}`);
    // A prompt that is sent twice at the same time gets its notes once.
    const isFirst = session === '' || state.give(session, [...ids, ...named], nowMs());
    if (isFirst) {
      add(text);
      offered = offeredIn(notes, explain, maybe);
    }
  }
  if (typed !== '') keep({ by: 'recall', query: typed, ...(prompt === '' ? { mode: notLookedUp } : {}), ...offered });
  return parts;
};

/** Prefix of the id of a note whose title alone was given to a session. */
const told = 'maybe:';
