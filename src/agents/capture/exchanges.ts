/** Collects the last prompts and replies of a session. Folded entry by entry, no I/O. */

import { clipStart } from '../transcript/clip.js';
import type { Entry } from '../transcript/entry.js';
import { type Prompt, readPrompt } from '../transcript/prompts.js';
import { startQueuedPrompts } from '../transcript/queued-prompts.js';
import type { RawText } from '../transcript/raw-text.js';
import { UuidSet } from '../transcript/uuid-set.js';
import { saidIn, sayingSomething } from './reply.js';

export type Exchange = {
  readonly uuid: string | undefined;
  readonly atMs: number | undefined;
  /** Byte offset of the prompt's line in the transcript; 0 when no line has it. */
  readonly offset: number;
  readonly prompt: string;
  /** Everything the agent said in answer; the end of it when it is long. */
  readonly reply: string;
};

export type ExchangeFold = {
  readonly add: (entry: Entry, offset: number) => void;
  /** Returns the exchanges, oldest first. */
  readonly finish: () => readonly Exchange[];
};

type OpenExchange = Omit<Exchange, 'reply'> & {
  readonly isSlashCommand: boolean;
  /** Kept whole until the end: a cut before masking could remove the beginning of a key. */
  readonly said: RawText[];
};

/** Keeps `count` exchanges, at most `maxChars` of each prompt and reply. Holds all that the agent said in them. */
export const startExchanges = (count: number, maxChars: number): ExchangeFold => {
  const seen = new UuidSet();
  const queued = startQueuedPrompts(maxChars);
  let exchanges: readonly OpenExchange[] = [];
  const unasked: RawText[] = [];
  let lastPrompt: RawText | undefined;

  const begin = (place: Pick<Exchange, 'uuid' | 'atMs' | 'offset'>, { text, isSlashCommand }: Prompt): void => {
    const answered = exchanges.at(-1);
    // `/clear` and `/compact` are not exchanges with the agent.
    const before = answered?.isSlashCommand === true && answered.said.length === 0 ? exchanges.slice(0, -1) : exchanges;
    exchanges = [...before, { ...place, prompt: text, isSlashCommand, said: [] }].slice(-count - 1);
  };
  const replyOf = (said: readonly RawText[]): string => clipStart(saidIn(said), maxChars);

  return {
    add: (entry, offset) => {
      if (entry.kind === 'queue') queued.operation(entry.operation, entry.content?.masked(), offset, entry.atMs);
      else if (entry.kind === 'last-prompt') lastPrompt = entry.text;
      if (entry.kind !== 'user' && entry.kind !== 'assistant' && entry.kind !== 'queued') return;
      if (entry.isSidechain || (entry.uuid !== undefined && !seen.add(entry.uuid))) return;
      if (entry.kind === 'assistant') {
        for (const prompt of queued.takeUp())
          begin({ uuid: undefined, atMs: prompt.atMs, offset: prompt.offset }, prompt);
        (exchanges.at(-1)?.said ?? unasked).push(...entry.texts.filter(sayingSomething));
        return;
      }
      const prompt =
        entry.kind === 'queued' || entry.mayBePrompt ? readPrompt(entry.text.masked(), maxChars) : undefined;
      const from = entry.kind === 'queued' ? 'attachment' : 'line';
      if (prompt !== undefined && queued.shown(prompt.text, from))
        begin({ uuid: entry.uuid, atMs: entry.atMs, offset }, prompt);
    },
    finish: () => {
      const last = exchanges.at(-1);
      const told = last?.isSlashCommand === true && last.said.length === 0 ? exchanges.slice(0, -1) : exchanges;
      const asked = lastPrompt === undefined ? undefined : readPrompt(lastPrompt.masked(), maxChars);
      const unnamed = { uuid: undefined, atMs: undefined, offset: 0, prompt: asked?.text ?? '' };
      const all = told.length === 0 && unasked.length > 0 ? [{ ...unnamed, said: unasked }] : told;
      return all.slice(-count).map(({ uuid, atMs, offset, prompt, said }) => ({
        uuid,
        atMs,
        offset,
        prompt,
        reply: replyOf(said),
      }));
    },
  };
};
