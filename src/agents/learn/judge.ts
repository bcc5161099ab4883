/** Asks one judge after the other what a few exchanges teach. */
import type { HttpProblem } from '../../http/request-json.js';
import type { Provider } from '../providers/provider.js';
import { parseAnswer } from './answer.js';
import { judgeByPhrases } from './heuristics.js';
import type { Exchange, Lesson, RelatedNote } from './learned.js';
import { buildJudgePrompt } from './prompt.js';
import { isWrittenByMachine } from './prose.js';

export type JudgeCall = {
  readonly provider: string;
  readonly ok: boolean;
  /** `unavailable` reached no model and cost nothing. */
  readonly problem: HttpProblem | undefined;
  /** One line without keys; '' when all went well. */
  readonly message: string;
};

export type Judgement = {
  /** `endpoint:<model>`, `claude:<model>`, `ollama:<model>`, or `heuristic`. */
  readonly judge: string;
  readonly lessons: readonly Lesson[];
  readonly calls: readonly JudgeCall[];
};

export type JudgeOptions = {
  /** Ask for lessons that take several exchanges too. */
  readonly deep: boolean;
  /** Shown to a judge: leave out what must not leave the machine. */
  readonly related: readonly RelatedNote[];
  readonly providers: readonly Provider[];
  /** Asked before each call of a model; false leaves the rest to the phrases. */
  readonly mayCall: () => boolean;
};

/**
 * The first judge that gives a usable answer has the word, also when it found nothing. Who is not there, refuses or
 * answers something else is passed over; phrases come last and always work.
 */
export const judgeExchanges = async (
  exchanges: readonly Exchange[],
  { deep, related, providers, mayCall }: JudgeOptions,
): Promise<Judgement> => {
  const worthy = exchanges.filter((exchange) => isWorthJudging(exchange, deep));
  const calls: JudgeCall[] = [];
  if (worthy.length === 0) return { judge: heuristic, lessons: [], calls };
  const { system, prompt, said, noteByLabel, turnByNumber } = buildJudgePrompt(worthy, { deep, related });
  for (const provider of providers) {
    if (!mayCall()) break;
    const maxTokens = deep ? deepTokens : shallowTokens;
    const completion = await provider.complete({ system, prompt, maxTokens, timeoutMs });
    const judge = `${provider.name}:${provider.model}`;
    if (!completion.ok) {
      calls.push({ provider: judge, ok: false, problem: completion.problem, message: completion.message });
      continue;
    }
    const answer = parseAnswer(completion.text, { deep, noteByLabel, turnByNumber, said });
    if (answer.kind === 'lessons') {
      calls.push({ provider: judge, ok: true, problem: undefined, message: '' });
      return { judge, lessons: answer.lessons, calls };
    }
    calls.push({ provider: judge, ok: false, problem: 'unusable', message: answer.message });
  }
  return { judge: heuristic, lessons: judgeByPhrases(worthy), calls };
};

const heuristic = 'heuristic';
/** A model that was not loaded yet takes half of it. */
const timeoutMs = 60_000;
/** Five lessons of 400 characters with their keywords are about 900 tokens; seven kinds find longer ones. */
const shallowTokens = 1500;
const deepTokens = 2500;

/** "ok", "go on" and what a program wrote cost nothing; a deep pass also looks at what the agent found out. */
const isWorthJudging = ({ prompt, reply }: Exchange, deep: boolean): boolean =>
  !isWrittenByMachine(prompt) && (prompt.trim().length >= 10 || (deep && reply.trim().length >= 200));
