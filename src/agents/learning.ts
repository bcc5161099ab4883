/** Learns notes from what was said in a session: judge, compare with what is known, record. */
import { createHash } from 'node:crypto';
import { isCommandId } from '../commands/write-path/command-id.js';
import type { AgentState } from '../state/agent-state.js';
import type { Memory } from '../store/memory.js';
import { type Exchange, readLastExchanges } from './capture/read-session.js';
import { judgeExchanges } from './learn/judge.js';
import { type Lesson, noteTypeOfLesson, type RelatedNote, tagsOfLesson } from './learn/learned.js';
import { type LearnStep, planLessons } from './learn/plan.js';
import type { Models } from './models.js';

export type LearnAsked = {
  readonly session: string;
  readonly transcript: string;
  readonly project: string;
  readonly agent: string | undefined;
  /** Number of exchanges queued since the last time. */
  readonly queued: number;
  /** Size of the transcript when the newest of them ended: later prompts are still being answered. -1: not known. */
  readonly size: number;
  /** The agent's last message, in case the transcript doesn't contain it yet. */
  readonly lastReply: string;
};

export type LearnPorts = { readonly models: Pick<Models, 'ask'>; readonly nowMs: () => number };

export type LessonCounts = { readonly written: number; readonly proposed: number; readonly confirmed: number };

/** Number of exchanges that are judged together; every fifth exchange of a session makes the pass deep. */
const passSize = 5;
const maxExchanges = 20;
/** Judges are shown less, but secrets are masked before that cut: half a secret could not be recognised. */
const maxCharsPerReply = 12_000;

/** Each exchange is judged once, however often it is queued. */
export const learnFromSession = async (
  memory: Memory,
  state: AgentState,
  asked: LearnAsked,
  ports: LearnPorts,
): Promise<LessonCounts> => {
  const count = Math.min(maxExchanges, Math.max(passSize, asked.queued));
  // One more, because the last one may still be under way.
  const found = await readLastExchanges(asked.transcript, { count: count + 1, maxChars: maxCharsPerReply });
  const read = found.filter(({ offset }) => asked.size < 0 || offset < asked.size).slice(-count);
  const last = read.at(-1);
  const exchanges =
    last !== undefined && last.reply === '' ? [...read.slice(0, -1), { ...last, reply: asked.lastReply }] : read;
  // Not just the number queued: the next prompt may already be there when the worker starts.
  const fresh = exchanges.filter((one) => !state.isJudged(nameOf(asked.session, one)));
  const learned = { written: 0, proposed: 0, confirmed: 0 };
  for (let at = 0; at < fresh.length; at += passSize) {
    const chunk = fresh.slice(at, at + passSize);
    const counts = chunk.map(() => state.countExchange(asked.session, ports.nowMs()));
    const deep = counts.some((number) => number % passSize === 0);
    // Every fifth exchange is judged together with the four before it: together they may say more.
    const together = deep && chunk.length < passSize ? withPrevious(exchanges, chunk) : chunk;
    const done = await learnFrom(memory, together, deep, asked, ports.models);
    learned.written += done.written;
    learned.proposed += done.proposed;
    learned.confirmed += done.confirmed;
    for (const one of chunk) state.setJudged(nameOf(asked.session, one), ports.nowMs());
  }
  return learned;
};

const withPrevious = (all: readonly Exchange[], chunk: readonly Exchange[]): readonly Exchange[] => {
  const last = chunk.at(-1);
  const end = last === undefined ? 0 : all.indexOf(last) + 1;
  return all.slice(Math.max(0, end - passSize), end);
};

const nameOf = (session: string, { uuid, prompt }: Exchange): string => `${session}/${uuid ?? hashOf(prompt)}`;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

const learnFrom = async (
  memory: Memory,
  exchanges: readonly Exchange[],
  deep: boolean,
  asked: LearnAsked,
  models: Pick<Models, 'ask'>,
): Promise<LessonCounts> => {
  const said = exchanges.map(({ prompt, reply }) => `${prompt}\n${reply}`).join('\n');
  const related = await findRelated(memory, said, asked.project);
  const lessons = await judgeExchanges(exchanges, { deep, related, models });
  const relatedByLesson = new Map<Lesson, readonly RelatedNote[]>();
  for (const lesson of lessons) {
    const found = await findRelated(memory, `${lesson.title} ${lesson.text}`, asked.project);
    relatedByLesson.set(lesson, [...found, ...related.filter(({ id }) => !found.some((one) => one.id === id))]);
  }
  const steps = planLessons(lessons, (lesson) => relatedByLesson.get(lesson) ?? [], {
    session: asked.session,
  });
  const lastTurn = exchanges.at(-1)?.uuid ?? hashOf(said);
  const learned = { written: 0, proposed: 0, confirmed: 0 };
  for (const step of steps) {
    const source = `${asked.session}/${step.lesson.turn ?? lastTurn}`;
    const done = await record(memory, step, source, asked);
    if (done !== undefined) learned[done] += 1;
  }
  return learned;
};

const record = async (
  memory: Memory,
  step: LearnStep,
  source: string,
  { project, session, agent }: LearnAsked,
): Promise<keyof LessonCounts | undefined> => {
  const { lesson } = step;
  const name = `${source}:${hashOf(step.kind === 'confirm' ? step.id : lesson.text)}`;
  const commandId = isCommandId(`learn:${name}`) ? `learn:${name}` : `learn:${hashOf(name)}`;
  const asker = { session, agent, commandId };
  if (step.kind === 'confirm') {
    const reason = `learned again in session ${session}`;
    const answer = await memory.perform({ kind: 'confirm', id: step.id, reason }, asker);
    return answer.status === 'recorded' ? 'confirmed' : undefined;
  }
  const answer = await memory.perform(
    {
      kind: 'write',
      type: noteTypeOfLesson(lesson),
      title: lesson.title,
      body: `${lesson.text}\n`,
      project,
      scope: 'portable',
      tags: tagsOfLesson(lesson),
      keywords: lesson.keywords,
      supersedes: [],
      proposes: step.proposes,
      untrusted: !lesson.isPlain,
      confidence: lesson.confidence,
      source: 'session-end',
      model: lesson.judge,
      sourceKey: `learned:${name}`,
    },
    asker,
  );
  if (answer.status !== 'recorded') return undefined;
  return step.proposes.length > 0 || !lesson.isPlain ? 'proposed' : 'written';
};

/** Returns notes of the project and of `global` that could say the same or the opposite, except episodic ones. */
const findRelated = async (memory: Memory, text: string, project: string): Promise<readonly RelatedNote[]> => {
  const ids = new Set<string>();
  for (const key of new Set([project, 'global'])) {
    const { hits } = await memory.search(text, { project: key, k: maxRelated });
    for (const { id, type } of hits) if (type !== 'episodic') ids.add(id);
  }
  const related: RelatedNote[] = [];
  for (const id of ids) {
    const shown = await memory.show(id);
    if (!shown.ok) continue;
    const { title, body = '', confidence, scope, prov_session: session, ...rest } = shown.answer;
    // A judge may be on another machine.
    if (scope === 'machine-local' || rest.sensitive === true) continue;
    related.push({ id, title, body, confidence, session, untrusted: rest.untrusted === true });
  }
  return related;
};

const maxRelated = 5;
