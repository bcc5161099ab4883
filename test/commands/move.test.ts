import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/commands/handlers.js';
import { movedId } from '../../src/commands/move.js';
import { pathOfNote } from '../../src/events/note/paths.js';
import { idOf, makeNote } from '../support/arbitraries.js';
import { given, now } from '../support/decider.js';
import { known } from '../support/known-notes.js';

const idA = idOf(1);
const noteA = makeNote({ id: idA, title: 'A' });

describe('move', () => {
  const move = (fields: { project?: string; scope?: 'portable' | 'machine-local' }): Command => ({
    kind: 'move',
    id: idA,
    ...fields,
  });

  it('records another project without moving the file, and bumps updated_at', () => {
    const outcome = given({ notes: [noteA] }).when(move({ project: 'bank' }));
    outcome.thenRecords({
      kind: 'note.moved',
      subject: 'A',
      notes: [idA],
      project: 'bank',
    });
    expect(outcome.recorded.warnings).toEqual([]);
    expect(outcome.note).toEqual({ ...noteA, project: 'bank', updatedAt: now });
  });

  it('masks a secret in the project key', () => {
    const token = `gh${'p_'}a1B2c3D4e5F6g7H8a1B2c3D4e5F6g7H8Z9x7`;
    const outcome = given({ notes: [noteA] }).when(move({ project: `https://u:${token}@github.com/a/b` }));
    expect(outcome.event.project).not.toContain(token);
    expect(outcome.note?.project).toBe(outcome.event.project);
    expect(outcome.recorded.masked).not.toEqual([]);
  });

  const newId = movedId(idA, known(noteA).place.blob);

  it('writes the note anew in the other journal, under an id that follows from its text, and leaves the old one', () => {
    const imported = { ...noteA, source: 'import' as const, session: 's0', sourceKey: 'file:/notes/a.md' };
    const id = movedId(idA, known(imported).place.blob);
    const outcome = given({ notes: [imported] }).when(move({ scope: 'machine-local', project: 'bank' }));
    outcome.thenRecords({ kind: 'note.moved', subject: 'A', notes: [id], project: 'bank' });
    expect([...outcome.files.keys()]).toEqual([`local/${pathOfNote('semantic', id)}`]);
    expect(outcome.note).toEqual({ ...imported, id, scope: 'machine-local', project: 'bank', updatedAt: now });
    expect(outcome.noteId).toBe(id);
  });

  it('names the old note on the machine-local side only', () => {
    const [was] = given({ notes: [noteA] })
      .when(move({ scope: 'machine-local' }))
      .files.values();
    expect(was?.toString()).toContain(`was: ${idA}\n`);
    const local = known({ ...noteA, scope: 'machine-local' }, { text: was?.toString().replace(newId, idA) ?? '' });
    const [published] = given({ notes: [local] })
      .when(move({ scope: 'portable' }))
      .files.values();
    expect(published?.toString()).not.toContain(idA);
    expect(published?.toString()).toContain('\nscope: portable\n');
  });

  it('finds the note that a killed move wrote, and stays quiet', () => {
    given({ notes: [noteA, { ...noteA, id: newId, scope: 'machine-local', title: 'edited since' }] })
      .when(move({ scope: 'machine-local' }))
      .thenStaysQuiet(newId);
  });

  it('gives another version of the note another id', () => {
    expect(movedId(idA, known({ ...noteA, title: 'B' }).place.blob)).not.toBe(newId);
    expect(newId.slice(0, 10)).toBe(idA.slice(0, 10));
  });

  it('stays quiet when the note is already there', () => {
    given({ notes: [noteA] })
      .when(move({ project: 'shop', scope: 'portable' }))
      .thenStaysQuiet(idA);
  });

  it('refuses a missing destination, an empty project and a missing note', () => {
    given({ notes: [noteA] })
      .when(move({}))
      .thenRefuses('nothing-asked');
    given({ notes: [noteA] })
      .when(move({ project: ' ' }))
      .thenRefuses({ message: expect.stringMatching(/project/) });
    given()
      .when(move({ project: 'p' }))
      .thenRefuses('note-unknown');
    given({ forgotten: [noteA] })
      .when(move({ project: 'p' }))
      .thenRefuses('note-forgotten');
  });
});
