import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Decision, EventEffects, KnownNotes, NoteEffect, PastNote } from '../../src/commands/command.js';
import { decide } from '../../src/commands/handlers.js';
import type { UndoEvent } from '../../src/commands/undo.js';
import { toJournalEvent } from '../../src/events/event.js';
import { journalOf, type Note } from '../../src/events/note/note.js';
import { formatNoteFile, parseNoteFile } from '../../src/events/note/note-file.js';
import { pathOfNote } from '../../src/events/note/paths.js';
import { formatMessage, parseMessage } from '../../src/events/trailers.js';
import { idOf, makeNote, makeStamp } from '../support/arbitraries.js';
import { type Known, knowing, known } from '../support/known-notes.js';

const [idA, idB, idC] = [idOf(1), idOf(2), idOf(3)];
const eventId = '01J0Z00000000000000000000E';
const later = { id: '01J0Z11111111111111111111E', kind: 'note.edited' };
const old = makeNote({ id: idA, title: 'Old title', body: 'one\ntwo\nthree\nfour\n', tags: ['x'] });
const edited: Note = { ...old, title: 'New title', tags: ['x', 'y'], updatedAt: '2026-06-24T19:00:00+00:00' };

const past = (note: Note): PastNote => {
  const { file, place } = known(note);
  return { file, place, bytes: formatNoteFile(file) };
};
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

const given = (effects: readonly NoteEffect[], state: Known = {}, unreadable: EventEffects['unreadable'] = []) => {
  const notes: KnownNotes = {
    ...knowing(state),
    noteAt: () => undefined,
    effectsOf: (id) => (id === eventId ? { notes: effects, unreadable } : { notes: [], unreadable: [] }),
  };
  return {
    undo: (asked: Partial<UndoEvent> = {}): Decision =>
      decide(
        {
          kind: 'undo',
          event: { id: eventId, kind: 'note.edited', subject: 'New title', project: 'shop' },
          commits: [{ journal: 'memory', commit: 'c'.repeat(40) }],
          notes: effects.map(({ id }) => id),
          done: [],
          ...asked,
        },
        notes,
        makeStamp(),
      ),
  };
};
const recorded = (decision: Decision) => {
  if (decision.kind !== 'record') throw new Error(`not recorded: ${JSON.stringify(decision)}`);
  return decision;
};
const refusal = (decision: Decision) => {
  if (decision.kind !== 'refuse') throw new Error(`not refused: ${JSON.stringify(decision)}`);
  return decision.refusal;
};
const noteAfter = (decision: Decision, at = 0): Note => {
  const { journal, path, bytes } = recorded(decision).changes[at]!;
  const parsed = parseNoteFile(bytes!, journal, path);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.file.note;
};

describe('undo', () => {
  it('records which event it takes back, of which notes', () => {
    const { event, noteId, changes } = recorded(given([effect(old, edited)], { notes: [edited] }).undo());
    expect(event).toEqual({
      kind: 'event.undone',
      subject: 'note.edited: New title',
      notes: [idA],
      project: 'shop',
      move: undefined,
      undoes: eventId,
    });
    expect(noteId).toBe(idA);
    expect(changes).toEqual([{ journal: 'memory', path: pathOfNote('semantic', idA), bytes: past(old).bytes }]);
  });

  it('removes what the event added, with its copies', () => {
    const copy = { journal: 'memory', path: `semantic/${idA}.md`, blob: 'd'.repeat(40) } as const;
    const state = { notes: [known(old, { copies: [copy] })] };
    const decision = recorded(given([effect(undefined, old)], state).undo());
    expect(decision.changes.map(({ path, bytes }) => [path, bytes])).toEqual([
      [pathOfNote('semantic', idA), undefined],
      [copy.path, undefined],
    ]);
    expect(decision.noteId).toBeUndefined();
  });

  it('puts what the event removed at its old place, and leaves one that is there again', () => {
    const gone = effect(old, undefined);
    expect(noteAfter(given([gone]).undo())).toEqual(old);
    expect(given([gone], { notes: [edited] }).undo()).toMatchObject({ kind: 'quiet' });
  });

  it('is quiet for an event without effect, and for a note that says what it said before', () => {
    expect(given([]).undo()).toEqual({ kind: 'quiet', noteId: undefined, warnings: [] });
    expect(given([effect(old, edited)], { notes: [old] }).undo()).toMatchObject({ kind: 'quiet', warnings: [] });
    expect(given([effect(undefined, old)]).undo()).toMatchObject({ kind: 'quiet', warnings: [] });
  });

  it('says that an earlier undoing gave everything back, and takes the rest where it did not', () => {
    const effects = [effect(undefined, old), effect(undefined, makeNote({ id: idB }))];
    const state = { notes: [old, makeNote({ id: idB })] };
    expect(given(effects, state).undo({ done: [idA, idB] })).toMatchObject({
      kind: 'quiet',
      warnings: [`event ${eventId} was undone already`],
    });
    expect(recorded(given(effects, state).undo({ done: [idA] })).event.notes).toEqual([idB]);
  });

  it('takes only the change of the event out of a note that went on', () => {
    const now = {
      ...edited,
      body: 'one\ntwo\nthree\nFOUR\n',
      tags: ['x', 'y', 'z'],
      updatedAt: '2026-06-25T00:00:00+00:00',
    };
    expect(noteAfter(given([effect(old, edited, later)], { notes: [now] }).undo())).toEqual({
      ...now,
      title: 'Old title',
      tags: ['x', 'z'],
    });
  });

  it('keeps unknown keys that were written since', () => {
    const text = formatNoteFile(known(edited).file).toString().replace('tags:', 'rating: 5\ntags:');
    const decision = recorded(given([effect(old, edited, later)], { notes: [known(edited, { text })] }).undo());
    expect(decision.changes[0]?.bytes?.toString()).toContain('rating: 5\n');
    expect(noteAfter(decision).title).toBe('Old title');
  });

  it('refuses clashing bodies and names the later event', () => {
    const changed = { ...edited, body: 'ONE\ntwo\nthree\nfour\n' };
    const now = { ...edited, body: 'uno\ntwo\nthree\nfour\n' };
    const { code, message, next } = refusal(given([effect(old, changed, later)], { notes: [now] }).undo());
    expect(code).toBe('changed-since');
    expect(message).toContain(`by event ${later.id} (note.edited)`);
    expect(next).toContain(`anamnesis undo ${later.id}`);
    const { message: without } = refusal(given([effect(old, changed)], { notes: [now] }).undo());
    expect(without).toMatch(/was changed since$/);
  });

  it('lets the later value win, says so, and refuses where nothing else is left', () => {
    const now = { ...edited, title: 'Newest title' };
    const decision = recorded(given([effect(old, edited, later)], { notes: [now] }).undo());
    expect(noteAfter(decision)).toMatchObject({ title: 'Newest title', tags: ['x'] });
    expect(decision.warnings).toEqual([`title of note ${idA} changed again since and stays as it is`]);
    const titled: Note = { ...old, title: 'New title' };
    expect(
      refusal(given([effect(old, titled, later)], { notes: [{ ...titled, title: 'Newest title' }] }).undo()),
    ).toMatchObject({ code: 'changed-since' });
  });

  it('of many notes leaves those that were changed and names them', () => {
    const added = makeNote({ id: idB });
    const state = { notes: [old, { ...added, body: 'changed\n' }] };
    const decision = recorded(given([effect(undefined, old), effect(undefined, added, later)], state).undo());
    expect(decision.event.notes).toEqual([idA]);
    expect(decision.warnings).toEqual([expect.stringContaining(`note ${idB} stays as it is`)]);
  });

  it('moves a note back to the journal it came from, written there before it leaves the other', () => {
    const local: Note = { ...old, scope: 'machine-local', updatedAt: '2026-06-24T19:00:00+00:00' };
    const decision = recorded(given([effect(old, local)], { notes: [local] }).undo());
    expect(decision.changes.map(({ journal, bytes }) => [journal, bytes === undefined])).toEqual([
      ['memory', false],
      ['local', true],
    ]);
    const { place } = known(local);
    expect(decision.event.move).toBe(`local ${place.blob} ${place.path}`);
    expect(noteAfter(decision)).toEqual({ ...old, updatedAt: '2026-06-25T18:33:07+00:00' });
  });

  it('never writes the very file that a move left, whatever the clock says', () => {
    for (const updatedAt of ['2026-06-25T18:33:07+00:00', '2031-01-01T00:00:00+00:00']) {
      const before = { ...old, updatedAt };
      const local: Note = { ...before, scope: 'machine-local' };
      const decision = recorded(given([effect(before, local)], { notes: [local] }).undo());
      expect(decision.changes[0]?.bytes?.equals(past(before).bytes)).toBe(false);
      expect(noteAfter(decision).updatedAt > updatedAt).toBe(true);
    }
  });

  it('keeps the file in the folder of its type', () => {
    const retyped: Note = { ...old, type: 'procedural' };
    const byHand = known(retyped, { path: `procedural/by-hand/${idA}.md` });
    const decision = recorded(given([effect(old, retyped)], { notes: [byHand] }).undo());
    expect(decision.changes.map(({ path, bytes }) => [path, bytes === undefined])).toEqual([
      [pathOfNote('semantic', idA), false],
      [byHand.place.path, true],
    ]);
  });

  it('masks a secret that stands in the history', () => {
    const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    const decision = recorded(given([effect({ ...old, body: `${token}\n` }, edited)], { notes: [edited] }).undo());
    expect(decision.changes[0]?.bytes?.toString()).not.toContain(token);
    expect(decision.masked).toHaveLength(1);
  });

  it('refuses what would make notes supersede each other, also through a third', () => {
    const a = { ...old, supersedes: [idB] };
    const state = { notes: [old, makeNote({ id: idB, supersedes: [idC] }), makeNote({ id: idC, supersedes: [idA] })] };
    expect(refusal(given([effect(a, old)], state).undo())).toMatchObject({ code: 'supersede-cycle' });
    const turned = [effect(a, old), effect(makeNote({ id: idB }), makeNote({ id: idB, supersedes: [idA] }))];
    const both = { notes: [old, makeNote({ id: idB, supersedes: [idA] })] };
    expect(recorded(given(turned, both).undo()).event.notes).toEqual([idA, idB]);
  });

  it('names files that can not be read and leaves them', () => {
    const decision = recorded(given([effect(old, edited)], { notes: [edited] }, ['semantic/broken.md']).undo());
    expect(decision.warnings).toEqual([expect.stringContaining('semantic/broken.md stays as it is')]);
    expect(given([], {}, ['semantic/broken.md']).undo()).toMatchObject({
      kind: 'quiet',
      warnings: [expect.stringContaining('semantic/broken.md')],
    });
  });

  it('of any edit gives the very file back, and undone once more changes nothing', () => {
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
        const decision = recorded(given([changed], { notes: [at(after)] }).undo());
        const written = decision.changes.find(({ bytes }) => bytes !== undefined);
        expect(written?.bytes).toEqual(before.bytes);
        expect(written?.path).toBe(before.place.path);
        expect(given([changed], { notes: [at(before)] }).undo()).toMatchObject({ kind: 'quiet' });
      }),
      { numRuns: 200 },
    );
  });

  it('loses nothing that was changed since, or says so', () => {
    const value = fc.constantFrom('1', '2', '3');
    const list = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 });
    const version = fc.record({ title: value, body: value.map((text) => `${text}\n`), tags: list, project: value });
    fc.assert(
      fc.property(version, version, version, (one, two, three) => {
        const [before, after, now] = [one, two, three].map((fields) => makeNote({ id: idA, ...fields }));
        const decision = given([effect(before, after, later)], { notes: [now!] }).undo();
        if (decision.kind !== 'record') return;
        const note = noteAfter(decision);
        for (const key of ['title', 'project', 'body'] as const) {
          if (now![key] !== after![key]) expect(note[key]).toBe(now![key]);
        }
        for (const tag of now!.tags) if (!after!.tags.includes(tag)) expect(note.tags).toContain(tag);
        for (const tag of note.tags) expect([...now!.tags, ...before!.tags]).toContain(tag);
      }),
      { numRuns: 400 },
    );
  });
});

describe('restore at a point', () => {
  const then = (note: Note | undefined, state: Known): Decision => {
    const notes: KnownNotes = {
      ...knowing(state),
      noteAt: () => (note === undefined ? undefined : past(note)),
      effectsOf: () => ({ notes: [], unreadable: [] }),
    };
    return decide({ kind: 'restore-at', id: idA, point: '2026-06-24', commits: {} }, notes, makeStamp());
  };

  it('records an edit to what the note said, with a new updated_at, and why', () => {
    const decision = recorded(then(old, { notes: [edited] }));
    expect(decision.event).toEqual({
      kind: 'note.restored',
      subject: 'Old title',
      notes: [idA],
      reason: 'as of 2026-06-24',
      project: 'shop',
    });
    expect(noteAfter(decision)).toEqual({ ...old, updatedAt: '2026-06-25T18:33:07+00:00' });
  });

  it('is quiet when only updated_at differs', () => {
    expect(then({ ...edited, updatedAt: old.updatedAt }, { notes: [edited] })).toMatchObject({ kind: 'quiet' });
  });

  it('keeps a note in its journal, and a forgotten one in the one it was last in', () => {
    const local: Note = { ...edited, scope: 'machine-local' };
    for (const state of [{ notes: [local] }, { forgotten: [local] }]) {
      const { changes } = recorded(then(old, state));
      expect(changes.map(({ journal }) => journal)).toEqual([journalOf('machine-local')]);
      expect(changes[0]?.bytes?.toString()).toContain('scope: machine-local');
    }
  });

  it('keeps updated_at only of a forgotten note whose last text it is', () => {
    expect(noteAfter(then(old, { forgotten: [old] }))).toEqual(old);
    expect(noteAfter(then(old, { forgotten: [edited] })).updatedAt).toBe('2026-06-25T18:33:07+00:00');
  });

  it('refuses a note that was not there then, one that never was, and a ring', () => {
    expect(refusal(then(undefined, { notes: [edited] })).code).toBe('note-not-then');
    expect(refusal(then(undefined, { forgotten: [edited] })).code).toBe('note-not-then');
    expect(refusal(then(undefined, {})).code).toBe('note-unknown');
    const state = { notes: [edited, makeNote({ id: idB, supersedes: [idA] })] };
    expect(refusal(then({ ...old, supersedes: [idB] }, state)).code).toBe('supersede-cycle');
  });
});

describe('the trailer Undoes', () => {
  const event = {
    id: eventId,
    kind: 'event.undone',
    at: '2026-06-24T18:33:07+00:00',
    machine: 'm',
    subject: 's',
    notes: [],
  } as const;
  const withoutTrailer = toJournalEvent(event);

  it('survives the commit message', () => {
    const message = formatMessage({ ...event, undoes: later.id });
    expect(message).toContain(`\nUndoes: ${later.id}\n`);
    expect(parseMessage(message)?.undoes).toBe(later.id);
    expect(formatMessage(withoutTrailer)).not.toContain('Undoes');
  });

  it('is left out when it is no event id, without losing the event', () => {
    for (const wrong of ['x', later.id.toLowerCase(), `${later.id}0`, '__proto__', '"\\u0000"']) {
      const message = formatMessage(withoutTrailer).replace('Machine: m', `Machine: m\nUndoes: ${wrong}`);
      expect(parseMessage(message)).toMatchObject({ id: eventId, undoes: undefined });
    }
  });
});
