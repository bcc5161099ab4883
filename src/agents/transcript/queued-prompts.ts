/**
 * Prompts typed while the agent worked. Versions to about 2.1.40 leave nothing of them but queue operations: `enqueue`
 * with the text, then `remove` without it when the agent has taken it up, or `popAll` when the person took it back.
 * Later ones write an attachment as well, and one that is dequeued follows as an ordinary line.
 */

import { maxPromptUnits, type Prompt, readPrompt } from './prompts.js';

export type QueuedPrompt = Prompt & { readonly offset: number; readonly atMs: number | undefined };

export type QueuedPrompts = {
  readonly operation: (
    operation: string,
    content: string | undefined,
    offset: number,
    atMs: number | undefined,
  ) => void;
  /** The prompt came as a line of its own. False when it was already taken for one. */
  readonly shown: (text: string, from: 'line' | 'attachment') => boolean;
  /** Prompts removed since the last call: the agent answers them now. */
  readonly takeUp: () => readonly QueuedPrompt[];
};

const maxQueued = 50;

/** `maxUnits` of a prompt are kept: the same as of those that come as lines, which they are compared with. */
export const startQueuedPrompts = (maxUnits: number = maxPromptUnits): QueuedPrompts => {
  let queue: readonly QueuedPrompt[] = [];
  let removed: readonly QueuedPrompt[] = [];
  /** Taken up without a line; an attachment of it that comes late is not a second prompt. */
  let takenUp: readonly string[] = [];
  /** Removals that are explained by an attachment that came before them. */
  let explained = 0;

  const remove = (content: string | undefined): void => {
    if (explained > 0) {
      explained -= 1;
      return;
    }
    const text = content === undefined ? undefined : readPrompt(content, maxUnits)?.text;
    const found = text === undefined ? queue[0] : queue.find((one) => one.text === text);
    if (found === undefined) return;
    queue = queue.filter((one) => one !== found);
    removed = [...removed, found].slice(-maxQueued);
  };

  return {
    operation: (operation, content, offset, atMs) => {
      if (operation === 'enqueue') {
        const prompt = content === undefined ? undefined : readPrompt(content, maxUnits);
        if (prompt !== undefined) queue = [...queue, { ...prompt, offset, atMs }].slice(-maxQueued);
      } else if (operation === 'popAll') {
        queue = [];
      } else if (operation === 'remove') {
        remove(content);
      }
    },
    shown: (text, from) => {
      if (removed.some((one) => one.text === text)) {
        removed = withoutFirst(removed, (one) => one.text === text);
      } else if (queue.some((one) => one.text === text)) {
        queue = withoutFirst(queue, (one) => one.text === text);
        if (from === 'attachment') explained += 1;
      } else if (from === 'attachment' && takenUp.includes(text)) {
        takenUp = withoutFirst(takenUp, (one) => one === text);
        return false;
      }
      return true;
    },
    takeUp: () => {
      if (removed.length === 0) return [];
      const prompts = removed;
      removed = [];
      takenUp = [...takenUp, ...prompts.map(({ text }) => text)].slice(-maxQueued);
      return prompts;
    },
  };
};

const withoutFirst = <T>(list: readonly T[], matches: (one: T) => boolean): readonly T[] => {
  const at = list.findIndex(matches);
  return list.filter((_, i) => i !== at);
};
