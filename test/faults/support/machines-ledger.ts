/** Everything that was acknowledged: every text carries a token of its own, so that it can be looked for anywhere. */
import type { JournalName } from '../../../src/events/note/note.js';

export type TextKind = 'body' | 'title' | 'tag';

export type Text = {
  readonly token: string;
  readonly kind: TextKind;
  readonly machine: string;
  readonly journal: JournalName;
  readonly step: number;
};

export type AcknowledgedEvent = { readonly id: string; readonly machine: string; readonly step: number };

/** Nothing in it looks like a secret, a word of a note's format, or a part of another token. */
const tokenPattern = /zq\d{6}zq/g;

export const tokensIn = (text: string): ReadonlySet<string> => new Set(text.match(tokenPattern) ?? []);

export const openLedger = () => {
  let count = 0;
  const texts = new Map<string, Text>();
  const events = new Map<string, AcknowledgedEvent>();
  /** Tokens that somebody who saw them took out of a note: they must be in the history, and nowhere else. */
  const gone = new Set<string>();
  /** Hand edits that no command has taken in yet, by machine. */
  const pending = new Map<string, string>();
  /** Notes that were portable at some time: what they say may be in the shared journal. */
  const exposed = new Set<string>();
  const localOnly = new Map<string, string>();
  /** Tokens by the note into which they were typed after it was made machine-local: none may ever leave. */
  const privateTexts = new Map<string, string>();
  /** Secrets that a person typed into a file. */
  const secrets = new Set<string>();

  return {
    texts,
    privateTexts,
    secrets,
    events,
    gone,
    exposed,
    /** Tokens by the note in which they were acknowledged while it was machine-local. */
    localOnly,

    newToken(): string {
      count += 1;
      return `zq${String(count).padStart(6, '0')}zq`;
    },
    acknowledge(text: Text, noteId?: string): void {
      texts.set(text.token, text);
      if (noteId !== undefined && text.journal === 'local') localOnly.set(text.token, noteId);
    },
    acknowledgeEvent(event: AcknowledgedEvent): void {
      events.set(event.id, event);
    },
    /**
     * An explicit move: what the note says from then on, and said before, may leave the machine. A copy has words of the note
     * that it is of.
     */
    published(id: string, words: ReadonlySet<string> = new Set()): void {
      exposed.add(id);
      for (const [token, note] of privateTexts) if (note === id || words.has(token)) privateTexts.delete(token);
    },
    /** Somebody who saw these tokens took them out, or nobody knows whether a killed command did. */
    takeOut(tokens: Iterable<string>): void {
      for (const token of tokens) gone.add(token);
    },
    /** The same in a file: a hand edit that nothing has taken in yet is then in no history. */
    takeOutByHand(tokens: Iterable<string>): void {
      for (const token of tokens) {
        gone.add(token);
        if (pending.delete(token)) texts.delete(token);
      }
    },
    savedByHand(token: string, machine: string): void {
      pending.set(token, machine);
    },
    /** Tokens of a machine-local note: a hand edit that nothing had taken in went there with its note. */
    wentAlong(tokens: Iterable<string>): void {
      for (const token of tokens) {
        const text = texts.get(token);
        if (text !== undefined && pending.delete(token)) texts.set(token, { ...text, journal: 'local' });
      }
    },
    /** Whatever a machine has typed, but for what stands in files that are left where they are. */
    takenIn(machine: string, inLeftFiles: () => ReadonlySet<string>): void {
      const typed = [...pending].flatMap(([token, owner]) => (owner === machine ? [token] : []));
      if (typed.length === 0) return;
      const left = inLeftFiles();
      for (const token of typed) if (!left.has(token)) pending.delete(token);
    },
  };
};

export type Ledger = ReturnType<typeof openLedger>;
