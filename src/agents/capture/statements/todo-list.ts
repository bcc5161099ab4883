/** The agent's to-do list at the end of the session. Filled in file order. */
import { cleanText, clip, oneLine } from '../../transcript/clip.js';
import type { ToolResult, ToolUse } from '../../transcript/entry.js';
import { RawText } from '../../transcript/raw-text.js';

export type TodoList = {
  readonly use: (use: ToolUse) => void;
  readonly result: (result: ToolResult) => void;
  /** Returns the items that are not done, in order. */
  readonly open: () => readonly string[];
};

const maxTodos = 50;
const maxTodoUnits = 120;

export const startTodoList = (): TodoList => {
  /** The older tool writes the whole list each time; the newer ones create and update one item at a time. */
  let written: readonly string[] = [];
  const tasks = new Map<string, { text: string; isOpen: boolean }>();
  const waiting = new Map<string, string>();
  return {
    use: ({ id, name, input, items }) => {
      if (name === 'TodoWrite') {
        const todos = items('todos').slice(0, maxTodos);
        const texts = RawText.maskAll(todos.map((todo) => todo('content') ?? new RawText([])));
        // If a key runs from one text into the next, masking returns all of them as one.
        written = texts.length !== todos.length ? [] : texts.filter((_, i) => isOpen(todos[i]?.('status'))).map(shown);
      } else if (name === 'TaskCreate' && tasks.size + waiting.size < maxTodos) {
        waiting.set(id, shown(input('subject')?.masked() ?? ''));
      } else if (name === 'TaskUpdate') {
        const task = tasks.get(input('taskId')?.masked() ?? '');
        const status = input('status');
        if (task !== undefined && status !== undefined) task.isOpen = isOpen(status);
      }
    },
    result: ({ toolUseId, isError, text }) => {
      const task = waiting.get(toolUseId);
      if (task === undefined) return;
      waiting.delete(toolUseId);
      const [, number] = /\bTask #(\d{1,6})\b/.exec(text.masked().slice(0, 200)) ?? [];
      if (!isError && number !== undefined) tasks.set(number, { text: task, isOpen: true });
    },
    open: () =>
      [...written, ...[...tasks.values()].flatMap((task) => (task.isOpen ? [task.text] : []))].filter(
        (text) => text !== '',
      ),
  };
};

const isOpen = (status: RawText | undefined): boolean => {
  const said = status?.masked();
  return said === 'pending' || said === 'in_progress';
};

const shown = (text: string): string => clip(oneLine(cleanText(text, 4 * maxTodoUnits)), maxTodoUnits);
