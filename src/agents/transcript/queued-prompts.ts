/**
 * Prompts typed while the agent worked. Versions up to about 2.1.40 record only queue operations for them: `enqueue`
 * with the text, then `remove` without it when the agent picks it up, or `popAll` when the person takes it back. Later
 * versions also write an attachment, and a prompt that is dequeued follows as an ordinary line.
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
  /** Matches a prompt that has its own line against the queue. Returns false if `takeUp` already returned it. */
  readonly shown: (text: string, from: 'line' | 'attachment') => boolean;
  /** Returns the prompts removed since the last call: the agent is about to answer them. */
  readonly takeUp: () => readonly QueuedPrompt[];
};

const maxQueued = 50;

/** Keeps `maxUnits` of a prompt, as many as of a prompt with its own line, since the two are compared. */
export const startQueuedPrompts = (maxUnits: number = maxPromptUnits): QueuedPrompts => {
  let queue: readonly QueuedPrompt[] = [];
  let removed: readonly QueuedPrompt[] = [];
  /** Texts taken up without a line; a late attachment of one is not a second prompt. */
  let takenUp: readonly string[] = [];
  /** How many removals to ignore, because an attachment before them already showed the prompt. */
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
