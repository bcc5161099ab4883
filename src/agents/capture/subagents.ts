/** Subagents of a session: what each was asked, what it did and what it returned. */

import { cleanText, clip, oneLine } from '../transcript/clip.js';
import type { AssistantEntry, ConversationEntry, ToolResult, ToolUse, UserEntry } from '../transcript/entry.js';
import { maxPromptUnits } from '../transcript/prompts.js';
import type { RawText } from '../transcript/raw-text.js';
import { wasNotRun } from './failures.js';
import { nextReply, noReply, outcomeOfReply, type Reply } from './reply.js';
import { maxOutcomeUnits, type Subagent } from './session.js';
import { type Deeds, newDeeds, type ToolLog } from './tool-log.js';

/** Facts about a subagent from its own lines. Filled in file order. */
export type Trace = Deeds & {
  id: string;
  type: string | undefined;
  /** A few words from the agent that started it. */
  description: string | undefined;
  /** The tool call that started it. */
  toolUseId: string | undefined;
  prompt: string;
  reply: Reply;
  atMs: number | undefined;
};

/** A call of the tool that starts a subagent, in the session's own lines. */
export type Launch = {
  readonly toolUseId: string;
  readonly type: string | undefined;
  readonly description: string | undefined;
  readonly prompt: string;
  readonly startedIn: string | undefined;
  readonly atMs: number | undefined;
  agentId: string | undefined;
  answer: string;
};

export const maxSubagents = 200;
const maxTaskUnits = 300;

export const newTrace = (id: string): Trace => ({
  id,
  type: undefined,
  description: undefined,
  toolUseId: undefined,
  prompt: '',
  reply: noReply,
  atMs: undefined,
  ...newDeeds(),
});

/** `log` belongs to the transcript that contains the lines. */
export const traceEntry = (trace: Trace, entry: ConversationEntry, log: ToolLog): void => {
  if (entry.kind === 'user') {
    trace.atMs ??= entry.atMs;
    if (trace.prompt === '' && entry.mayBePrompt) trace.prompt = cleanText(entry.text.masked(), maxPromptUnits);
    for (const result of entry.results) log.result(result);
  } else {
    trace.reply = nextReply(trace.reply, entry);
    for (const use of entry.uses) log.use(use, trace);
  }
};

/** True if it is empty, or the program's own: warming up the cache, summarising for a compaction. */
export const isInternal = ({ type, prompt, reply, files }: Trace): boolean =>
  type === '' ||
  (prompt === '' && reply.texts.length === 0 && files.length === 0) ||
  prompt === 'Warmup' ||
  prompt.startsWith('Your task is to create a detailed summary of the conversation so far');

export class Launches {
  readonly #launchById = new Map<string, Launch>();

  use({ id, name, input }: ToolUse, { atMs }: AssistantEntry, startedIn: string | undefined): void {
    if ((name !== 'Task' && name !== 'Agent') || this.#launchById.size >= maxSubagents) return;
    this.#launchById.set(id, {
      toolUseId: id,
      type: shortText(input('subagent_type')),
      description: shortText(input('description')),
      prompt: cleanText(input('prompt')?.masked() ?? '', maxPromptUnits),
      startedIn,
      atMs,
      agentId: undefined,
      answer: '',
    });
  }

  result({ toolUseId, text }: ToolResult, { resultAgentId }: UserEntry): void {
    const launch = this.#launchById.get(toolUseId);
    if (launch === undefined) return;
    const answer = text.masked();
    if (wasNotRun(answer)) {
      this.#launchById.delete(toolUseId);
    } else {
      launch.agentId = resultAgentId;
      launch.answer = answer.startsWith('Async agent launched') ? '' : clip(answerIn(answer), maxOutcomeUnits);
    }
  }

  list(): readonly Launch[] {
    return [...this.#launchById.values()];
  }
}

/** Returns one subagent for each trace and for each launch without a trace, in the order of their start. */
export const listSubagents = (
  traces: readonly Trace[],
  launches: readonly Launch[],
  shownPath: (path: string) => string,
): readonly Subagent[] => {
  const left = new Set(launches);
  const matched = traces.map((trace) => {
    const launch =
      [...left].find((one) => one.toolUseId === trace.toolUseId || one.agentId === trace.id) ??
      [...left].find((one) => one.agentId === undefined && one.prompt !== '' && one.prompt === trace.prompt);
    if (launch !== undefined) left.delete(launch);
    return { trace, launch };
  });
  const unmatched = [...left].map((launch) => ({ trace: newTrace(launch.agentId ?? launch.toolUseId), launch }));
  return [...matched, ...unmatched]
    .map(({ trace, launch }) => ({
      atMs: trace.atMs ?? launch?.atMs ?? 0,
      subagent: toSubagent(trace, launch, shownPath),
    }))
    .toSorted((a, b) => a.atMs - b.atMs || (a.subagent.id < b.subagent.id ? -1 : 1))
    .map(({ subagent }) => subagent)
    .slice(0, maxSubagents);
};

const toSubagent = (trace: Trace, launch: Launch | undefined, shownPath: (path: string) => string): Subagent => ({
  id: trace.id,
  type: trace.type ?? launch?.type,
  task: clip(trace.description ?? launch?.description ?? oneLine(trace.prompt || (launch?.prompt ?? '')), maxTaskUnits),
  outcome: outcomeOfReply(trace.reply) || (launch?.answer ?? ''),
  files: [...new Set(trace.files.map(shownPath))].toSorted(),
  startedIn: launch?.startedIn,
});

/** Removes the lines that the program adds for the agent that reads the answer. */
const answerIn = (text: string): string =>
  cleanText(text, 4 * maxOutcomeUnits)
    .replace(/(?<!\n)\n+agentId: [^\n]*(?:\n<usage>[\s\S]*)?$/, '')
    .trim();

/** Returns undefined when there is no text; keeps '', which marks an internal subagent. */
export const shortText = (text: RawText | undefined): string | undefined =>
  text === undefined ? undefined : oneLine(cleanText(text.masked(), 200));
