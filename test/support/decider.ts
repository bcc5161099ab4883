/** Commands as specs: given some notes, when a command runs, then it records, refuses or stays quiet. */
import { expect } from 'vitest';
import type { DecidedEvent, Decision } from '../../src/commands/command.js';
import { type Command, decide } from '../../src/commands/handlers.js';
import type { Refusal } from '../../src/commands/refusals.js';
import type { Stamp } from '../../src/events/event.js';
import { textEffectOf } from '../../src/events/mention.js';
import type { Note, NoteId } from '../../src/events/note/note.js';
import { type NoteFile, parseNoteFile } from '../../src/events/note/note-file.js';
import { formatTime } from '../../src/events/time.js';
import { makeStamp } from './arbitraries.js';
import { type Known, knowing, known } from './known-notes.js';

export const stamp: Stamp = makeStamp({ agent: 'codex', session: 's1' });
/** The time of the stamp, as formatted in notes and events. */
export const now = formatTime(stamp.atMs);

/** `after` applies commands that were recorded before: the notes are as these left them. */
export const given = (state: Known = {}) => ({
  after: (...history: readonly Command[]) =>
    given(history.reduce((known, command) => apply(known, given(known).when(command)), state)),
  when: (command: Command, asked = stamp): Outcome => new Outcome(decide(command, knowing(state), asked)),
});

export class Outcome {
  constructor(readonly decision: Decision) {}

  /** Expects exactly this event. */
  thenRecords(event: DecidedEvent): this {
    expect(this.event).toEqual(event);
    return this;
  }

  thenRefuses(refusal: string | Readonly<Record<string, unknown>>): this {
    expect(this.refusal).toMatchObject(typeof refusal === 'string' ? { code: refusal } : refusal);
    expect(this.refusal.message).not.toContain('\n');
    expect(this.refusal.next).not.toBe('');
    return this;
  }

  /** Expects the answer to show this note, too. */
  thenStaysQuiet(noteId: string | undefined, warnings: readonly unknown[] = []): this {
    expect(this.decision).toEqual({ kind: 'quiet', noteId, warnings });
    return this;
  }

  get recorded(): Extract<Decision, { kind: 'record' }> {
    if (this.decision.kind !== 'record') throw new Error(`not recorded: ${JSON.stringify(this.decision)}`);
    return this.decision;
  }

  get kind(): Decision['kind'] {
    return this.decision.kind;
  }

  /** The note that the answer shows. */
  get noteId(): string | undefined {
    return this.recorded.noteId;
  }

  get event(): DecidedEvent {
    return this.recorded.event;
  }

  get refusal(): Refusal {
    if (this.decision.kind !== 'refuse') throw new Error(`not refused: ${JSON.stringify(this.decision)}`);
    return this.decision.refusal;
  }

  /** The files that the changes write, or remove (undefined). */
  get files(): ReadonlyMap<string, Buffer | undefined> {
    return new Map(this.recorded.changes.map(({ journal, path, bytes }) => [`${journal}/${path}`, bytes]));
  }

  /** The files that the changes write. */
  get noteFiles(): readonly NoteFile[] {
    const last = new Map(this.recorded.changes.map((change) => [`${change.journal}/${change.path}`, change]));
    return [...last.values()].flatMap(({ journal, path, bytes }) => {
      if (bytes === undefined) return [];
      const parsed = parseNoteFile(bytes, journal, path);
      if (!parsed.ok) throw new Error(`${path} can't be read: ${parsed.problem.message}`);
      return [parsed.file];
    });
  }

  get notes(): readonly Note[] {
    return this.noteFiles.map(({ note }) => note);
  }

  /** The only note that the changes write. */
  get note(): Note {
    expect(this.notes).toHaveLength(1);
    return this.notes[0]!;
  }
}

/** The state that the next command sees. */
const apply = (state: Known, { event, notes: written, files }: Outcome): Known => {
  const { notes = [], forgotten = [], edited = [] } = state;
  const before = notes.map((one) => ('file' in one ? one : known(one)));
  const isWritten = (id: NoteId): boolean => written.some((note) => note.id === id);
  const stays = before.filter(({ place: { journal, path } }) => !files.has(`${journal}/${path}`));
  const gone = before.filter((one) => !stays.includes(one)).map(({ file }) => file.note);
  return {
    ...state,
    notes: [...stays.filter(({ file }) => !isWritten(file.note.id)), ...written],
    forgotten: [...forgotten, ...gone].filter(({ id }) => !isWritten(id)),
    edited: textEffectOf(event) === 'edits' ? [...edited, ...event.notes] : edited,
  };
};
