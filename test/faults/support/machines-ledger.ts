/** Everything that was acknowledged: every text has its own token, so that it can be found anywhere. */
import type { JournalName } from '../../../src/events/note/note.js';

export type TextKind = 'body' | 'title' | 'tag';

export type Text = {
  readonly token: string;
  readonly kind: TextKind;
  readonly machine: string;
  readonly journal: JournalName;
  readonly step: number;
  /** The note that it was written into, if a command wrote it. */
  readonly noteId?: string | undefined;
};

export type AcknowledgedEvent = { readonly id: string; readonly machine: string; readonly step: number };

/** Can't be mistaken for a secret, a word of the note format or a part of another token. */
const tokenPattern = /zq\d{6}zq/g;

export const tokensIn = (text: string): ReadonlySet<string> => new Set(text.match(tokenPattern) ?? []);

export const openLedger = () => {
  let count = 0;
  const texts = new Map<string, Text>();
  const events = new Map<string, AcknowledgedEvent>();
  /** Tokens that were, or may have been, removed from a note knowingly: they must still be in the history. */
  const gone = new Set<string>();
  /** The machine by token of hand edits that no command has adopted yet. */
  const pending = new Map<string, string>();
  /** Notes that were portable at some time: their text may be in the shared journal. */
  const exposed = new Set<string>();
  const localOnly = new Map<string, string>();
  /** The note by token of texts typed into a note after it was made machine-local: none may ever leave. */
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
    /** The note by token of texts acknowledged in a note while it was machine-local. */
    localOnly,

    newToken(): string {
      count += 1;
      return `zq${String(count).padStart(6, '0')}zq`;
    },
    acknowledge(text: Text, noteId?: string): void {
      texts.set(text.token, { ...text, noteId });
      if (noteId !== undefined && text.journal === 'local') localOnly.set(text.token, noteId);
    },
    acknowledgeEvent(event: AcknowledgedEvent): void {
      events.set(event.id, event);
    },
    /**
     * An explicit move: the text of the note, new and old, may leave the machine. So may `words`, which a conflict copy
     * has from its original.
     */
    published(id: string, words: ReadonlySet<string> = new Set()): void {
      exposed.add(id);
      for (const [token, note] of privateTexts) if (note === id || words.has(token)) privateTexts.delete(token);
    },
    /** These tokens were removed knowingly, or a killed command may have removed them. */
    takeOut(tokens: Iterable<string>): void {
      for (const token of tokens) gone.add(token);
    },
    /** The same in a file: a hand edit that was not adopted yet is then in no history. */
    takeOutByHand(tokens: Iterable<string>): void {
      for (const token of tokens) {
        gone.add(token);
        if (pending.delete(token)) texts.delete(token);
      }
    },
    savedByHand(token: string, machine: string): void {
      pending.set(token, machine);
    },
    /** Tokens of a note that became machine-local: hand edits that were not adopted yet moved with it. */
    wentAlong(tokens: Iterable<string>): void {
      for (const token of tokens) {
        const text = texts.get(token);
        if (text !== undefined && pending.delete(token)) texts.set(token, { ...text, journal: 'local' });
      }
    },
    /** Everything typed on a machine has been adopted, except in files that are left alone. */
    takenIn(machine: string, inLeftFiles: () => ReadonlySet<string>): void {
      const typed = [...pending].flatMap(([token, owner]) => (owner === machine ? [token] : []));
      if (typed.length === 0) return;
      const left = inLeftFiles();
      for (const token of typed) if (!left.has(token)) pending.delete(token);
    },
  };
};

export type Ledger = ReturnType<typeof openLedger>;
