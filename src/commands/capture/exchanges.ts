/** The last things that were asked and answered, without the rest of the session. Folded entry by entry, no I/O. */
import { clipStart } from './clip.js';
import type { Entry } from './entry.js';
import { type Prompt, readPrompt } from './prompts.js';
import { startQueuedPrompts } from './queued-prompts.js';
import { saidIn } from './reply.js';
import { startUuidSet } from './uuid-set.js';

export type Exchange = {
  readonly uuid: string | undefined;
  readonly atMs: number | undefined;
  /** Of the prompt's line in the transcript, in bytes; 0 where no line has it. */
  readonly offset: number;
  readonly prompt: string;
  /** All that the agent said in answer; of a long one the end. */
  readonly reply: string;
};

export type ExchangeFold = {
  readonly add: (entry: Entry, offset: number) => void;
  /** Oldest first. */
  readonly finish: () => readonly Exchange[];
};

type OpenExchange = Omit<Exchange, 'reply'> & { readonly isSlashCommand: boolean; reply: string };

export const startExchanges = (count: number, mostChars: number): ExchangeFold => {
  const seen = startUuidSet();
  const queued = startQueuedPrompts();
  /** Masking comes before cutting. */
  const heldUnits = 2 * mostChars + 2000;
  let exchanges: readonly OpenExchange[] = [];
  let unasked = '';
  let lastPrompt = '';

  const begin = (place: Pick<Exchange, 'uuid' | 'atMs' | 'offset'>, { text, isSlashCommand }: Prompt): void => {
    const answered = exchanges.at(-1);
    // `/clear` and `/compact` are no exchange with the agent.
    const before = answered?.isSlashCommand === true && answered.reply === '' ? exchanges.slice(0, -1) : exchanges;
    exchanges = [...before, { ...place, prompt: text, isSlashCommand, reply: '' }].slice(-count - 1);
  };
  const say = (said: string): void => {
    const last = exchanges.at(-1);
    const longer = joinTexts(last?.reply ?? unasked, said).slice(-heldUnits);
    if (last === undefined) unasked = longer;
    else last.reply = longer;
  };

  return {
    add: (entry, offset) => {
      if (entry.kind === 'queue') queued.operation(entry.operation, entry.content, offset, entry.atMs);
      else if (entry.kind === 'last-prompt') lastPrompt = entry.text;
      if (entry.kind !== 'user' && entry.kind !== 'assistant' && entry.kind !== 'queued') return;
      if (entry.isSidechain || (entry.uuid !== undefined && !seen.add(entry.uuid))) return;
      if (entry.kind === 'assistant') {
        for (const prompt of queued.takeUp())
          begin({ uuid: undefined, atMs: prompt.atMs, offset: prompt.offset }, prompt);
        const said = saidIn(entry.texts, heldUnits);
        if (said !== '') say(said);
        return;
      }
      const prompt = entry.kind === 'queued' || entry.mayBePrompt ? readPrompt(entry.text) : undefined;
      const from = entry.kind === 'queued' ? 'attachment' : 'line';
      if (prompt !== undefined && queued.shown(prompt.text, from))
        begin({ uuid: entry.uuid, atMs: entry.atMs, offset }, prompt);
    },
    finish: () => {
      const last = exchanges.at(-1);
      const told = last?.isSlashCommand === true && last.reply === '' ? exchanges.slice(0, -1) : exchanges;
      const unnamed = { uuid: undefined, atMs: undefined, offset: 0, prompt: readPrompt(lastPrompt)?.text ?? '' };
      const all = told.length === 0 && unasked !== '' ? [{ ...unnamed, reply: unasked }] : told;
      return all.slice(-count).map(({ uuid, atMs, offset, prompt, reply }) => ({
        uuid,
        atMs,
        offset,
        prompt,
        reply: clipStart(reply, mostChars),
      }));
    },
  };
};

const joinTexts = (before: string, said: string): string => (before === '' ? said : `${before}\n\n${said}`);
