/** Reads approved plans, answered questions and the to-do list from the client's own tools, in file order. */
import { cleanText, clip, oneLine } from '../transcript/clip.js';
import type { ToolResult, ToolUse } from '../transcript/entry.js';
import { RawText } from '../transcript/raw-text.js';

const maxWaiting = 16;
const maxPlanUnits = 16_000;
const maxPlanLines = 6;
const maxPlanLineUnits = 120;
const maxAnswers = 4;
const maxAnswerUnits = 220;
/** Of a session; the last ones count. */
const maxChoices = 64;

export class Choices {
  readonly #planById = new Map<string, string>();
  #made: readonly string[] = [];

  use({ id, name, input }: ToolUse): void {
    if (this.#planById.size >= maxWaiting) return;
    if (name === 'ExitPlanMode' || name === 'exit_plan_mode')
      this.#planById.set(id, cleanText(input('plan')?.masked() ?? '', maxPlanUnits));
    else if (name === 'AskUserQuestion') this.#planById.set(id, '');
  }

  result({ toolUseId, isError, text }: ToolResult): void {
    const plan = this.#planById.get(toolUseId);
    this.#planById.delete(toolUseId);
    if (plan !== undefined && !isError)
      this.#made = [...this.#made, ...choicesIn(plan, text.masked())].slice(-maxChoices);
  }

  list(): readonly string[] {
    return this.#made;
  }
}

const choicesIn = (plan: string, said: string): readonly string[] => {
  // Newer versions write the plan to a file and repeat it here.
  if (/\bapproved\b/i.test(said.slice(0, 400))) return planLines(plan === '' ? said.slice(0, maxPlanUnits) : plan);
  return [...said.slice(0, maxPlanUnits).matchAll(/"([^"\n]{1,400})"\s?=\s?"([^"\n]{1,400})"/g)]
    .slice(0, maxAnswers)
    .map(([, question = '', chosen = '']) => clip(oneLine(`${question} → ${chosen}`), maxAnswerUnits));
};

/** Its first list items, or else its first lines. */
const planLines = (plan: string): readonly string[] => {
  const lines = plan.split('\n').filter((line) => /\p{L}{2}/u.test(line));
  const items = lines.filter((line) => listMark.test(line));
  return (items.length === 0 ? lines : items)
    .slice(0, maxPlanLines)
    .map((line) => clip(oneLine(line.replace(listMark, '').replaceAll('**', '')), maxPlanLineUnits));
};

const listMark = /^\s*(?:[-*+•]|\d{1,2}[.)])\s+/;
const maxTodos = 50;
const maxTodoUnits = 120;

export class TodoList {
  /** The older tool writes the whole list each time; the newer ones create and update one item at a time. */
  #written: readonly string[] = [];
  readonly #taskByNumber = new Map<string, { readonly text: string; isOpen: boolean }>();
  readonly #textById = new Map<string, string>();

  use({ id, name, input, items }: ToolUse): void {
    if (name === 'TodoWrite') {
      const todos = items('todos').slice(0, maxTodos);
      const texts = RawText.maskAll(todos.map((todo) => todo('content') ?? new RawText([])));
      // If a key runs from one text into the next, masking returns all of them as one.
      this.#written =
        texts.length !== todos.length ? [] : texts.filter((_, i) => isOpen(todos[i]?.('status'))).map(shown);
    } else if (name === 'TaskCreate' && this.#taskByNumber.size + this.#textById.size < maxTodos) {
      this.#textById.set(id, shown(input('subject')?.masked() ?? ''));
    } else if (name === 'TaskUpdate') {
      const task = this.#taskByNumber.get(input('taskId')?.masked() ?? '');
      const status = input('status');
      if (task !== undefined && status !== undefined) task.isOpen = isOpen(status);
    }
  }

  result({ toolUseId, isError, text }: ToolResult): void {
    const task = this.#textById.get(toolUseId);
    if (task === undefined) return;
    this.#textById.delete(toolUseId);
    const [, number] = /\bTask #(\d{1,6})\b/.exec(text.masked().slice(0, 200)) ?? [];
    if (!isError && number !== undefined) this.#taskByNumber.set(number, { text: task, isOpen: true });
  }

  /** Returns the items that are not done, in order. */
  open(): readonly string[] {
    const tasks = [...this.#taskByNumber.values()].filter((task) => task.isOpen);
    return [...this.#written, ...tasks.map(({ text }) => text)].filter((text) => text !== '');
  }
}

const isOpen = (status: RawText | undefined): boolean => {
  const said = status?.masked();
  return said === 'pending' || said === 'in_progress';
};

const shown = (text: string): string => clip(oneLine(cleanText(text, 4 * maxTodoUnits)), maxTodoUnits);
