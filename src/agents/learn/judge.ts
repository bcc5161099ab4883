/** Finds the lessons in a few exchanges: by the forms, and by the first model that answers, if one was named. */
import type { HttpProblem } from '../../http/request-json.js';
import type { Provider } from '../providers/provider.js';
import { parseAnswer } from './answer.js';
import { lessonsByForms } from './explicit.js';
import type { Exchange, Lesson, RelatedNote } from './learned.js';
import { buildJudgePrompt } from './prompt.js';
import { isWrittenByMachine } from './prose.js';

export type JudgeCall = {
  readonly provider: string;
  readonly ok: boolean;
  /** `unavailable`: no model was reached, and nothing was spent. */
  readonly problem: HttpProblem | undefined;
  /** One line without keys; '' when all went well. */
  readonly message: string;
};

export type Judgement = {
  readonly lessons: readonly Lesson[];
  readonly calls: readonly JudgeCall[];
};

export type JudgeOptions = {
  /** Also ask for lessons that take several exchanges. */
  readonly deep: boolean;
  /** Shown to a judge: leave out notes that must not leave the machine. */
  readonly related: readonly RelatedNote[];
  readonly providers: readonly Provider[];
  /** Asked before each call of a model; false leaves the judgement to the forms. */
  readonly mayCall: () => boolean;
};

/**
 * Lessons in the forms come first: paying for a model must not turn a note into a proposal. Models are skipped
 * while unavailable, or if they refuse or answer something else.
 */
export const judgeExchanges = async (
  exchanges: readonly Exchange[],
  { deep, related, providers, mayCall }: JudgeOptions,
): Promise<Judgement> => {
  const stated = lessonsByForms(exchanges);
  const worthy = exchanges.filter((exchange) => isWorthJudging(exchange, deep));
  const calls: JudgeCall[] = [];
  if (worthy.length === 0) return { lessons: stated, calls };
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
      const judged = answer.lessons.map((lesson) => ({ ...lesson, judge, isPlain: false }));
      return { lessons: [...stated, ...judged], calls };
    }
    calls.push({ provider: judge, ok: false, problem: 'unusable', message: answer.message });
  }
  return { lessons: stated, calls };
};

/** A model that has to be loaded first takes half of it. */
const timeoutMs = 60_000;
/** Five lessons of 400 characters with their keywords are about 900 tokens; a deep pass finds longer ones. */
const shallowTokens = 1500;
const deepTokens = 2500;

/** Skips "ok", "go on" and what a program wrote, at no cost; a deep pass also judges what the agent found out. */
const isWorthJudging = ({ prompt, reply }: Exchange, deep: boolean): boolean =>
  !isWrittenByMachine(prompt) && (prompt.trim().length >= 10 || (deep && reply.trim().length >= 200));
