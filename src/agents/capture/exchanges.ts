/** Collects the last prompts and replies of a session. Folded entry by entry, no I/O. */
import { clipStart } from '../transcript/clip.js';
import type { Entry } from '../transcript/entry.js';
import { type Prompt, readPrompt } from '../transcript/prompts.js';
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

type OpenExchange = Omit<Exchange, 'reply'> & {
  readonly isSlashCommand: boolean;
  /** Kept whole until the end: a cut before masking could remove the beginning of a key. */
  readonly said: RawText[];
};

/** Keeps `count` exchanges, at most `maxChars` of each prompt and reply. Holds all that the agent said in them. */
export class ExchangeFold {
  readonly #count: number;
  readonly #maxChars: number;
  readonly #seen = new UuidSet();
  #exchanges: readonly OpenExchange[] = [];
  readonly #unasked: RawText[] = [];
  #lastPrompt: RawText | undefined;

  constructor(count: number, maxChars: number) {
    this.#count = count;
    this.#maxChars = maxChars;
  }

  add(entry: Entry, offset: number): void {
    if (entry.kind === 'last-prompt') this.#lastPrompt = entry.text;
    if (entry.kind !== 'user' && entry.kind !== 'assistant' && entry.kind !== 'queued') return;
    if (entry.isSidechain || (entry.uuid !== undefined && !this.#seen.add(entry.uuid))) return;
    if (entry.kind === 'assistant') {
      (this.#exchanges.at(-1)?.said ?? this.#unasked).push(...entry.texts.filter(sayingSomething));
      return;
    }
    const mayBePrompt = entry.kind === 'queued' || entry.mayBePrompt;
    const prompt = mayBePrompt ? readPrompt(entry.text.masked(), this.#maxChars) : undefined;
    if (prompt !== undefined) this.#begin({ uuid: entry.uuid, atMs: entry.atMs, offset }, prompt);
  }

  /** Returns the exchanges, oldest first. */
  finish(): readonly Exchange[] {
    const told = this.#withoutBareCommand();
    const asked = this.#lastPrompt === undefined ? undefined : readPrompt(this.#lastPrompt.masked(), this.#maxChars);
    const unnamed = { uuid: undefined, atMs: undefined, offset: 0, prompt: asked?.text ?? '', said: this.#unasked };
    const all = told.length === 0 && this.#unasked.length > 0 ? [unnamed] : told;
    return all.slice(-this.#count).map(({ uuid, atMs, offset, prompt, said }) => {
      return { uuid, atMs, offset, prompt, reply: clipStart(saidIn(said), this.#maxChars) };
    });
  }

  #begin(place: Pick<Exchange, 'uuid' | 'atMs' | 'offset'>, { text, isSlashCommand }: Prompt): void {
    const exchange = { ...place, prompt: text, isSlashCommand, said: [] };
    this.#exchanges = [...this.#withoutBareCommand(), exchange].slice(-this.#count - 1);
  }

  /** `/clear` and `/compact` are not exchanges with the agent. */
  #withoutBareCommand(): readonly OpenExchange[] {
    const last = this.#exchanges.at(-1);
    return last?.isSlashCommand === true && last.said.length === 0 ? this.#exchanges.slice(0, -1) : this.#exchanges;
  }
}
