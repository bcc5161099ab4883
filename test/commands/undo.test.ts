import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventEffects, NoteEffect, PastNote } from '../../src/commands/command.js';
import type { UndoEvent } from '../../src/commands/undo.js';
import { toJournalEvent } from '../../src/events/event.js';
import type { Note } from '../../src/events/note/note.js';
import { formatNoteFile } from '../../src/events/note/note-file.js';
import { pathOfNote } from '../../src/events/note/paths.js';
import { formatMessage, parseMessage } from '../../src/events/trailers.js';
import { idOf, makeNote } from '../support/arbitraries.js';
import { given, type Outcome } from '../support/decider.js';
import { type Known, known, past } from '../support/known-notes.js';

const [idA, idB, idC] = [idOf(1), idOf(2), idOf(3)];
const eventId = '01J0Z00000000000000000000E';
const later = { id: '01J0Z11111111111111111111E', kind: 'note.edited' };
const old = makeNote({ id: idA, title: 'Old title', body: 'one\ntwo\nthree\nfour\n', tags: ['x'] });
const edited: Note = { ...old, title: 'New title', tags: ['x', 'y'], updatedAt: '2026-06-24T19:00:00+00:00' };

const effect = (
  before: Note | undefined,
  after: Note | undefined,
  changedBy?: NoteEffect['changedBy'],
): NoteEffect => ({
  id: (before ?? after)?.id ?? '',
  before: before === undefined ? undefined : past(before),
  after: after === undefined ? undefined : past(after),
  changedBy,
});

const undoing = (effects: readonly NoteEffect[], state: Known = {}, unreadable: EventEffects['unreadable'] = []) => ({
  undo: (asked: Partial<UndoEvent> = {}): Outcome =>
    given({ ...state, effects: { [eventId]: { notes: effects, unreadable } } }).when({
      kind: 'undo',
      event: { id: eventId, kind: 'note.edited', subject: 'New title', project: 'shop' },
      journal: 'portable',
      commit: 'c'.repeat(40),
      notes: effects.map(({ id }) => id),
      done: [],
      ...asked,
    }),
});

describe('undo', () => {
  it('records which event it undoes, and of which notes', () => {
    const { event, noteId, changes } = undoing([effect(old, edited)], { notes: [edited] }).undo().recorded;
    expect(event).toEqual({
      kind: 'event.undone',
      subject: 'note.edited: New title',
      notes: [idA],
      project: 'shop',
      undoes: eventId,
    });
    expect(noteId).toBe(idA);
    expect(changes).toEqual([{ journal: 'portable', path: pathOfNote('semantic', idA), bytes: past(old).bytes }]);
  });

  it('removes a note that the event added, or of two files the one that it added', () => {
    const copy = { journal: 'portable', path: `semantic/${idA}.md`, blob: 'd'.repeat(40) } as const;
    for (const copies of [[], [copy]]) {
      const outcome = undoing([effect(undefined, old)], { notes: [known(old, { copies })] }).undo();
      const gone = { journal: 'portable', path: pathOfNote('semantic', idA), bytes: undefined };
      expect(outcome.recorded.changes).toEqual([gone]);
      expect(outcome.noteId).toBe(copies.length === 0 ? undefined : idA);
    }
  });

  it('restores a note that the event removed at its old path, unless the note exists again', () => {
    const gone = effect(old, undefined);
    expect(undoing([gone]).undo().note).toEqual(old);
    expect(undoing([gone], { notes: [edited] }).undo().decision).toMatchObject({ kind: 'quiet' });
  });

  it('stays quiet for an event without effect and for a note that is already as before the event', () => {
    undoing([]).undo().thenStaysQuiet(undefined);
    expect(undoing([effect(old, edited)], { notes: [old] }).undo().decision).toMatchObject({
      kind: 'quiet',
      warnings: [],
    });
    expect(undoing([effect(undefined, old)]).undo().decision).toMatchObject({ kind: 'quiet', warnings: [] });
  });

  it('says so when an earlier undo restored everything, and otherwise undoes the rest', () => {
    const effects = [effect(undefined, old), effect(undefined, makeNote({ id: idB }))];
    const state = { notes: [old, makeNote({ id: idB })] };
    expect(undoing(effects, state).undo({ done: [idA, idB] }).decision).toMatchObject({
      kind: 'quiet',
      warnings: [`event ${eventId} was undone already`],
    });
    expect(undoing(effects, state).undo({ done: [idA] }).event.notes).toEqual([idB]);
  });

  it('reverts only the change of the event in a note that was edited since', () => {
    const now = {
      ...edited,
      body: 'one\ntwo\nthree\nFOUR\n',
      tags: ['x', 'y', 'z'],
      updatedAt: '2026-06-25T00:00:00+00:00',
    };
    expect(undoing([effect(old, edited, later)], { notes: [now] }).undo().note).toEqual({
      ...now,
      title: 'Old title',
      tags: ['x', 'z'],
    });
  });

  it('keeps unknown keys that were added since', () => {
    const text = formatNoteFile(known(edited).file).toString().replace('tags:', 'rating: 5\ntags:');
    const outcome = undoing([effect(old, edited, later)], { notes: [known(edited, { text })] }).undo();
    expect(outcome.recorded.changes[0]?.bytes?.toString()).toContain('rating: 5\n');
    expect(outcome.note.title).toBe('Old title');
  });

  it('refuses when bodies conflict, and names the later event', () => {
    const changed = { ...edited, body: 'ONE\ntwo\nthree\nfour\n' };
    const now = { ...edited, body: 'uno\ntwo\nthree\nfour\n' };
    const { code, message, next } = undoing([effect(old, changed, later)], { notes: [now] }).undo().refusal;
    expect(code).toBe('changed-since');
    expect(message).toContain(`by event ${later.id} (note.edited)`);
    expect(next).toContain(`anamnesis undo ${later.id}`);
    const { message: without } = undoing([effect(old, changed)], { notes: [now] }).undo().refusal;
    expect(without).toMatch(/was changed since$/);
  });

  it('keeps a later value and says so, and refuses if nothing else is left to undo', () => {
    const now = { ...edited, title: 'Newest title' };
    const outcome = undoing([effect(old, edited, later)], { notes: [now] }).undo();
    expect(outcome.note).toMatchObject({ title: 'Newest title', tags: ['x'] });
    expect(outcome.recorded.warnings).toEqual([`title of note ${idA} changed again since and stays as it is`]);
    const titled: Note = { ...old, title: 'New title' };
    undoing([effect(old, titled, later)], { notes: [{ ...titled, title: 'Newest title' }] })
      .undo()
      .thenRefuses({ code: 'changed-since' });
  });

  it('of an event on many notes skips and names those that were changed since', () => {
    const added = makeNote({ id: idB });
    const state = { notes: [old, { ...added, body: 'changed\n' }] };
    const outcome = undoing([effect(undefined, old), effect(undefined, added, later)], state).undo();
    expect(outcome.event.notes).toEqual([idA]);
    expect(outcome.recorded.warnings).toEqual([expect.stringContaining(`note ${idB} stays as it is`)]);
  });

  it('refuses a move between the journals, and names the move that takes it back', () => {
    const local: Note = { ...old, scope: 'machine-local' };
    const move = { id: eventId, kind: 'note.moved', subject: 'New title' };
    undoing([effect(undefined, local)], { notes: [local] })
      .undo({ event: move, journal: 'local' })
      .thenRefuses({ code: 'moved-across', next: `move it back: anamnesis move ${idA} --scope portable` });
    undoing([effect(undefined, old)], { notes: [old] })
      .undo({ event: { ...move, move: `local ${'b'.repeat(40)} semantic/${idA}.md` } })
      .thenRefuses({ code: 'moved-across', next: `move it back: anamnesis move ${idA} --scope machine-local` });
  });

  it('refuses an event with two parents, which restore takes back note by note', () => {
    given({ notes: [edited], effects: { [eventId]: { notes: [effect(old, edited)], unreadable: [], joins: true } } })
      .when({
        kind: 'undo',
        event: { id: eventId, kind: 'machines.merged', subject: 'New title' },
        journal: 'portable',
        commit: 'c'.repeat(40),
        notes: [idA],
        done: [],
      })
      .thenRefuses({ code: 'event-joins', next: expect.stringContaining('anamnesis restore') });
  });

  it('moves the file back to the folder of its type', () => {
    const retyped: Note = { ...old, type: 'procedural' };
    const byHand = known(retyped, { path: `procedural/by-hand/${idA}.md` });
    const outcome = undoing([effect(old, retyped)], { notes: [byHand] }).undo();
    expect(outcome.recorded.changes.map(({ path, bytes }) => [path, bytes === undefined])).toEqual([
      [pathOfNote('semantic', idA), false],
      [byHand.place.path, true],
    ]);
  });

  it('masks a secret that the history contains', () => {
    const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    const outcome = undoing([effect({ ...old, body: `${token}\n` }, edited)], { notes: [edited] }).undo();
    expect(outcome.recorded.changes[0]?.bytes?.toString()).not.toContain(token);
    expect(outcome.recorded.masked).toHaveLength(1);
  });

  it('refuses when notes would supersede each other, even through a third', () => {
    const a = { ...old, supersedes: [idB] };
    const state = { notes: [old, makeNote({ id: idB, supersedes: [idC] }), makeNote({ id: idC, supersedes: [idA] })] };
    undoing([effect(a, old)], state)
      .undo()
      .thenRefuses({ code: 'supersede-cycle' });
    const reversal = [effect(a, old), effect(makeNote({ id: idB }), makeNote({ id: idB, supersedes: [idA] }))];
    const both = { notes: [old, makeNote({ id: idB, supersedes: [idA] })] };
    expect(undoing(reversal, both).undo().event.notes).toEqual([idA, idB]);
  });

  it('names unreadable files and leaves them as they are', () => {
    const outcome = undoing([effect(old, edited)], { notes: [edited] }, ['semantic/broken.md']).undo();
    expect(outcome.recorded.warnings).toEqual([expect.stringContaining('semantic/broken.md stays as it is')]);
    expect(undoing([], {}, ['semantic/broken.md']).undo().decision).toMatchObject({
      kind: 'quiet',
      warnings: [expect.stringContaining('semantic/broken.md')],
    });
    const broken = undoing([effect(old, undefined)], {}, [pathOfNote('semantic', idA)]).undo();
    expect(broken.recorded.warnings).toEqual([]);
  });

  it('of any edit restores the exact file, and stays quiet once it is restored', () => {
    const fields = fc.record({
      title: fc.string({ minLength: 1, maxLength: 30 }).filter((text) => text.trim() !== ''),
      body: fc.string({ unit: 'grapheme', maxLength: 60 }),
      tags: fc.uniqueArray(fc.constantFrom('a', 'b', 'ü', '日本', '__proto__'), { maxLength: 3 }),
      importance: fc.option(fc.constantFrom(0, 0.5, 1), { nil: undefined }),
      type: fc.constantFrom('semantic' as const, 'procedural' as const, 'episodic' as const),
    });
    fc.assert(
      fc.property(fields, fields, (one, two) => {
        const [before, after] = [past(makeNote({ id: idA, ...one })), past(makeNote({ id: idA, ...two }))];
        fc.pre(!before.bytes.equals(after.bytes));
        const changed: NoteEffect = { id: idA, before, after, changedBy: undefined };
        const at = ({ file, place }: PastNote) => ({ file, place, copies: [] });
        const outcome = undoing([changed], { notes: [at(after)] }).undo();
        const written = outcome.recorded.changes.find(({ bytes }) => bytes !== undefined);
        expect(written?.bytes).toEqual(before.bytes);
        expect(written?.path).toBe(before.place.path);
        expect(undoing([changed], { notes: [at(before)] }).undo().decision).toMatchObject({ kind: 'quiet' });
      }),
    );
  });

  it('keeps every later change, unless it refuses', () => {
    const value = fc.constantFrom('1', '2', '3');
    const list = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 });
    const version = fc.record({ title: value, body: value.map((text) => `${text}\n`), tags: list, project: value });
    fc.assert(
      fc.property(version, version, version, (one, two, three) => {
        const [before, after, now] = [one, two, three].map((fields) => makeNote({ id: idA, ...fields }));
        const outcome = undoing([effect(before, after, later)], { notes: [now!] }).undo();
        if (outcome.kind !== 'record') return;
        const note = outcome.note;
        for (const key of ['title', 'project', 'body'] as const) {
          if (now![key] !== after![key]) expect(note[key]).toBe(now![key]);
        }
        for (const tag of now!.tags) if (!after!.tags.includes(tag)) expect(note.tags).toContain(tag);
        for (const tag of note.tags) expect([...now!.tags, ...before!.tags]).toContain(tag);
      }),
    );
  });
});

describe('the Undoes trailer', () => {
  const event = {
    id: eventId,
    kind: 'event.undone',
    at: '2026-06-24T18:33:07+00:00',
    machine: 'm',
    subject: 's',
    notes: [],
  } as const;
  const withoutTrailer = toJournalEvent(event);

  it('survives formatting and parsing of the commit message', () => {
    const message = formatMessage({ ...event, undoes: later.id });
    expect(message).toContain(`\nUndoes: ${later.id}\n`);
    expect(parseMessage(message)?.undoes).toBe(later.id);
    expect(formatMessage(withoutTrailer)).not.toContain('Undoes');
  });

  it('is ignored when it is not an event id, without losing the event', () => {
    for (const wrong of ['x', later.id.toLowerCase(), `${later.id}0`, '__proto__', '"\\u0000"']) {
      const message = formatMessage(withoutTrailer).replace('Machine: m', `Machine: m\nUndoes: ${wrong}`);
      expect(parseMessage(message)).toMatchObject({ id: eventId, undoes: undefined });
    }
  });
});
