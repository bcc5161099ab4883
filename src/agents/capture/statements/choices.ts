/** Decisions that a person made in the client's dialogs: plans approved and questions answered, in file order. */
import { cleanText, clip, oneLine } from '../../transcript/clip.js';
import type { ToolResult, ToolUse } from '../../transcript/entry.js';
import { planLines } from './agreement.js';

export type Choices = {
  readonly use: (use: ToolUse) => void;
  /** Returns the decisions that this result records. */
  readonly result: (result: ToolResult) => readonly string[];
};

const maxWaiting = 16;
const maxPlanUnits = 16_000;
const maxPlanLines = 6;
const maxAnswers = 4;
const maxAnswerUnits = 220;

export const startChoices = (): Choices => {
  const waiting = new Map<string, string>();
  return {
    use: ({ id, name, input }) => {
      if (waiting.size >= maxWaiting) return;
      if (name === 'ExitPlanMode' || name === 'exit_plan_mode')
        waiting.set(id, cleanText(input('plan')?.masked() ?? '', maxPlanUnits));
      else if (name === 'AskUserQuestion') waiting.set(id, '');
    },
    result: ({ toolUseId, isError, text }) => {
      const plan = waiting.get(toolUseId);
      if (plan === undefined) return [];
      waiting.delete(toolUseId);
      if (isError) return [];
      const said = text.masked();
      // Newer versions write the plan to a file and repeat it here.
      if (/\bapproved\b/i.test(said.slice(0, 400))) return planLines(plan === '' ? said : plan, maxPlanLines);
      return [...said.slice(0, maxPlanUnits).matchAll(answer)]
        .slice(0, maxAnswers)
        .map(([, question = '', chosen = '']) => clip(oneLine(`${question} → ${chosen}`), maxAnswerUnits));
    },
  };
};

const answer = /"([^"\n]{1,400})"\s?=\s?"([^"\n]{1,400})"/g;
