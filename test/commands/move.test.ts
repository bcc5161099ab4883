import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/commands/handlers.js';
import { pathOfNote } from '../../src/events/note/paths.js';
import { idOf, makeNote } from '../support/arbitraries.js';
import { given, now } from '../support/decider.js';
import { known } from '../support/known-notes.js';

const idA = idOf(1);
const noteA = makeNote({ id: idA, title: 'A' });

/** Two more files with the note's id, as the Python Anamnesis leaves them. */
const copies = [
  { journal: 'portable' as const, path: `semantic/${idA}.md`, blob: 'c'.repeat(40) },
  { journal: 'portable' as const, path: `semantic/old/${idA}.md`, blob: 'd'.repeat(40) },
];
const withCopies = known(noteA, { copies });

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
      move: undefined,
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

  it('moves a note to the other journal, destination first, and warns of what stays in the history', () => {
    const there = known(noteA, { path: `semantic/${idA}.md` });
    const outcome = given({ notes: [there] }).when(move({ scope: 'machine-local' }));
    expect([...outcome.files].map(([path, bytes]) => [path, bytes !== undefined])).toEqual([
      [`local/${pathOfNote('semantic', idA)}`, true],
      [`portable/semantic/${idA}.md`, false],
    ]);
    expect(outcome.event.move).toBe(`memory ${there.place.blob} semantic/${idA}.md`);
    expect(outcome.recorded.warnings).toEqual([expect.stringMatching(/history of the portable journal/)]);
    expect(outcome.note).toEqual({ ...noteA, scope: 'machine-local', updatedAt: now });
    expect([...outcome.files.values()].join('')).toContain('\nscope: machine-local\n');
  });

  it('publishes in place a portable file whose note was machine-local until it was forgotten', () => {
    const outcome = given({ notes: [noteA], unmoved: [idA] }).when(move({ scope: 'portable' }));
    const { path, blob } = known(noteA).place;
    outcome.thenRecords({
      kind: 'note.moved',
      subject: 'A',
      notes: [idA],
      project: noteA.project,
      move: `memory ${blob} ${path}`,
    });
  });

  it('folds in the copies of the note', () => {
    const outcome = given({ notes: [withCopies] }).when(move({ scope: 'machine-local' }));
    expect([...outcome.files].filter(([, bytes]) => bytes !== undefined)).toHaveLength(1);
    expect(outcome.files.size).toBe(4);
  });

  it('keeps the note when one of its copies is at the destination', () => {
    const there = { journal: 'local' as const, path: pathOfNote('semantic', idA), blob: 'c'.repeat(40) };
    const outcome = given({ notes: [known(noteA, { copies: [there] })] }).when(move({ scope: 'machine-local' }));
    expect(outcome.note).toMatchObject({ id: idA, scope: 'machine-local' });
    expect(outcome.files.get(`local/${there.path}`)).toBeDefined();
  });

  it('moves a note there and back without loss', () => {
    const { note, files } = given({ notes: [noteA] })
      .after(move({ scope: 'machine-local' }))
      .when(move({ scope: 'portable' }));
    expect(note).toEqual({ ...noteA, updatedAt: now });
    expect([...files.keys()]).toEqual(
      ['portable', 'local'].map((journal) => `${journal}/${pathOfNote('semantic', idA)}`),
    );
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
