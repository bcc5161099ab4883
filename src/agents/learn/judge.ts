/** Finds the lessons in a few exchanges: by the forms, and by the first model that answers, if one was named. */
import type { Models } from '../models.js';
import { isWrittenByMachine } from '../transcript/prose.js';
import { parseLessons } from './answer.js';
import { lessonsByForms } from './explicit.js';
import type { Exchange, Lesson, RelatedNote } from './learned.js';
import { buildJudgePrompt } from './prompt.js';

export type JudgeOptions = {
  /** Also ask for lessons that take several exchanges. */
  readonly deep: boolean;
  /** Shown to a judge: leave out notes that must not leave the machine. */
  readonly related: readonly RelatedNote[];
  readonly models: Pick<Models, 'ask'>;
};

/** Lessons in the forms come first: paying for a model must not turn a note into a proposal. */
export const judgeExchanges = async (
  exchanges: readonly Exchange[],
  { deep, related, models }: JudgeOptions,
): Promise<readonly Lesson[]> => {
  const stated = lessonsByForms(exchanges);
  const worthy = exchanges.filter((exchange) => isWorthJudging(exchange, deep));
  if (worthy.length === 0) return stated;
  const { system, prompt, ...shown } = buildJudgePrompt(worthy, { deep, related });
  const maxTokens = deep ? deepTokens : shallowTokens;
  const answer = await models.ask({ system, prompt, maxTokens }, (text) => parseLessons(text, { deep, ...shown }));
  if (answer === undefined) return stated;
  return [...stated, ...answer.value.map((lesson) => ({ ...lesson, judge: answer.model, isPlain: false }))];
};

/** Five lessons of 400 characters with their keywords are about 900 tokens; a deep pass finds longer ones. */
const shallowTokens = 1500;
const deepTokens = 2500;

/** Skips "ok", "go on" and what a program wrote, at no cost; a deep pass also judges what the agent found out. */
const isWorthJudging = ({ prompt, reply }: Exchange, deep: boolean): boolean =>
  !isWrittenByMachine(prompt) && (prompt.trim().length >= 10 || (deep && reply.trim().length >= 200));
