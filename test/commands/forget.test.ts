import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/commands/handlers.js';
import { pathOfNote } from '../../src/events/note/paths.js';
import { idOf, makeNote } from '../support/arbitraries.js';
import { given } from '../support/decider.js';
import { known } from '../support/known-notes.js';

const idA = idOf(1);
const noteA = makeNote({ id: idA, title: 'A' });
const secret = `gh${'p_'}a1B2c3D4e5F6g7H8a1B2c3D4e5F6g7H8a1B2`;
const mask = '[REDACTED:github-token]';

/** Two more files with the note's id, as the Python Anamnesis leaves them. */
const copies = [
  { journal: 'portable' as const, path: `semantic/${idA}.md`, blob: 'c'.repeat(40) },
  { journal: 'portable' as const, path: `semantic/old/${idA}.md`, blob: 'd'.repeat(40) },
];
const withCopies = known(noteA, { copies });

describe('forget', () => {
  const forget = (reason?: string): Command => ({ kind: 'forget', id: idA, reason });

  it('records the removal of the file and of all its copies', () => {
    const outcome = given({ notes: [withCopies] }).when(forget('wrong'));
    outcome.thenRecords({
      kind: 'note.forgotten',
      subject: 'A',
      notes: [idA],
      reason: 'wrong',
      project: 'shop',
    });
    expect([...outcome.files]).toEqual(
      [pathOfNote('semantic', idA), ...copies.map(({ path }) => path)].map((path) => [`portable/${path}`, undefined]),
    );
    expect(outcome.noteId).toBeUndefined();
  });

  it('masks a secret in the reason', () => {
    const outcome = given({ notes: [noteA] }).when(forget(`leaked ${secret}`));
    expect([outcome.event.reason, outcome.recorded.masked]).toEqual([
      `leaked ${mask}`,
      [{ kind: 'github-token', count: 1 }],
    ]);
  });

  it('stays quiet the second time', () => {
    given({ notes: [withCopies] })
      .after(forget('wrong'))
      .when(forget('wrong, I said'))
      .thenStaysQuiet(undefined);
  });

  it('stays quiet when the note is already forgotten', () => {
    given({ forgotten: [noteA] })
      .when(forget())
      .thenStaysQuiet(undefined);
  });

  it('refuses an unknown note and a reason that is too long', () => {
    given().when(forget()).thenRefuses('note-unknown');
    given({ notes: [noteA] })
      .when(forget('x'.repeat(1001)))
      .thenRefuses({ message: expect.stringMatching(/reason has at most 1000 characters; given: 1001/) });
  });
});
