import { describe, expect, it } from 'vitest';
import type { ForeignFile, ForeignNote } from '../../src/commands/foreign-note.js';
import type { Command } from '../../src/commands/handlers.js';
import { idOfForeign } from '../../src/commands/import-notes.js';
import type { JournalName, Note } from '../../src/events/note/note.js';
import { formatNoteFile, newNoteFile } from '../../src/events/note/note-file.js';
import { pathOfNote } from '../../src/events/note/paths.js';
import { timeOfUlid } from '../../src/events/ulid-form.js';
import { idOf, makeNote } from '../support/arbitraries.js';
import { given, now } from '../support/decider.js';
import { known } from '../support/known-notes.js';

const [idA, idD] = [idOf(1), idOf(4)];
const noteA = makeNote({ id: idA, title: 'A' });
const secret = `gh${'p_'}a1B2c3D4e5F6g7H8a1B2c3D4e5F6g7H8a1B2`;
const mask = '[REDACTED:github-token]';

describe('import of foreign notes', () => {
  const foreign = (fields: Partial<ForeignNote> = {}): ForeignNote => ({
    sourceKey: 'jsonl:notes/1',
    title: 'Title',
    body: 'Body\n',
    tags: ['t'],
    keywords: [],
    project: 'shop',
    type: 'procedural',
    createdAtMs: Date.UTC(2025, 0, 2),
    updatedAtMs: undefined,
    ...fields,
  });
  const importOf = (...notes: readonly ForeignNote[]): Command => ({
    kind: 'import',
    from: 'notes.jsonl',
    notes,
    files: [],
  });
  const id = idOfForeign(foreign());
  const imported = given().when(importOf(foreign())).notes[0]!;

  it('records all of them in one event', () => {
    const outcome = given().when(importOf(foreign(), foreign({ sourceKey: 'jsonl:notes/2' })));
    outcome.thenRecords({
      kind: 'notes.imported',
      subject: '2 notes from notes.jsonl',
      notes: [id, idOfForeign(foreign({ sourceKey: 'jsonl:notes/2' }))],
    });
    expect(outcome.recorded).toMatchObject({ noteId: undefined, counts: { imported: 2, updated: 0, skipped: 0 } });
    expect(outcome.files.size).toBe(2);
  });

  it('masks a secret in the name of the source', () => {
    const { event } = given().when({ ...importOf(foreign()), from: secret } as Command);
    expect(event).toMatchObject({ subject: `1 note from ${mask}` });
  });

  it('keeps the fields that the source sets', () => {
    expect(imported).toEqual({
      ...makeNote(),
      id,
      type: 'procedural',
      title: 'Title',
      body: 'Body\n',
      tags: ['t'],
      source: 'import',
      sourceKey: 'jsonl:notes/1',
      agent: 'codex',
      createdAt: '2025-01-02T00:00:00+00:00',
      updatedAt: '2025-01-02T00:00:00+00:00',
    });
  });

  it('fills in the fields that the source does not set', () => {
    const outcome = given().when(
      importOf(foreign({ type: undefined, project: undefined, createdAtMs: undefined, title: '' })),
    );
    expect(outcome.note).toMatchObject({
      type: 'semantic',
      project: 'global',
      title: '',
      createdAt: now,
      updatedAt: now,
    });
  });

  it('derives the same id on every machine, with the creation time of the note', () => {
    expect(timeOfUlid(id)).toBe(Date.UTC(2025, 0, 2));
    expect(idOfForeign({ sourceKey: 'jsonl:notes/1', createdAtMs: Date.UTC(2025, 0, 2) })).toBe(id);
  });

  it('derives another id for a machine-local note, which another machine may import as portable', () => {
    expect(idOfForeign(foreign({ scope: 'machine-local' }))).not.toBe(id);
  });

  it('accepts a body and tags over the limits of commands', () => {
    const tags = Array.from({ length: 70 }, (_, n) => `${n}`.padStart(120, 'x'));
    expect(given().when(importOf(foreign({ body: 'x'.repeat(300_000), tags }))).note.tags).toEqual(tags);
  });

  it('masks secrets in every field and reports one count per kind', () => {
    const outcome = given().when(
      importOf(foreign({ title: secret, body: secret, tags: [secret], keywords: [secret] })),
    );
    expect(outcome.recorded.masked).toEqual([{ kind: 'github-token', count: 4 }]);
    expect([...outcome.files.values()].join('')).not.toContain(secret);
  });

  it('stays quiet when every note is unchanged, even one with a masked secret', () => {
    expect(given({ notes: [imported] }).when(importOf(foreign())).decision).toMatchObject({
      kind: 'quiet',
      counts: { imported: 0, updated: 0, skipped: 1 },
    });
    const masked = given().when(importOf(foreign({ body: secret }))).notes[0]!;
    expect(given({ notes: [masked] }).when(importOf(foreign({ body: secret }))).kind).toBe('quiet');
  });

  it('updates a note of an earlier import in place and bumps updated_at', () => {
    const moved = known(imported, { path: `procedural/elsewhere/${id}.md` });
    const outcome = given({ notes: [moved] }).when(importOf(foreign({ title: 'New', body: 'New\n', tags: [] })));
    expect([...outcome.files.keys()]).toEqual([`portable/procedural/elsewhere/${id}.md`]);
    expect(outcome.note).toEqual({ ...imported, title: 'New', body: 'New\n', tags: [], updatedAt: now });
    expect(outcome.recorded.counts).toEqual({ imported: 0, updated: 1, skipped: 0 });
  });

  it('finds the note by its source key, whatever its own id', () => {
    const other = { ...imported, id: idD };
    expect(given({ notes: [other] }).when(importOf(foreign({ title: 'New' }))).note.id).toBe(idD);
  });

  it('skips a note that was edited here since, and says so', () => {
    const outcome = given({ notes: [{ ...imported, title: 'Mine' }], edited: [id] }).when(
      importOf(foreign({ body: 'New\n' })),
    );
    expect(outcome.decision).toMatchObject({
      kind: 'quiet',
      counts: { skipped: 1 },
      warnings: [expect.stringMatching(/1 notes? edited here/)],
    });
  });

  it('names only the first three of many notes that were edited here', () => {
    const ids = ['A', 'B', 'C', 'D'].map((end) => `${id.slice(0, -1)}${end}`);
    const outcome = given({
      notes: ids.map((one) => ({ ...imported, id: one, title: 'Mine', sourceKey: one })),
      edited: ids,
    }).when(importOf(...ids.map((one) => foreign({ id: one, sourceKey: one, body: 'New\n' }))));
    expect(outcome.decision).toMatchObject({
      warnings: [expect.stringContaining(`left alone: ${ids.slice(0, 3).join(', ')} and 1 more; to take`)],
    });
  });

  it('skips a note that a command here edited, but not one that was only tagged', () => {
    const imported = given().after(importOf(foreign()));
    const news = importOf(foreign({ body: 'New\n' }));
    const edit: Command = { kind: 'edit', id, set: { title: 'Mine' } };
    expect(imported.after(edit).when(news).decision).toMatchObject({ kind: 'quiet', counts: { skipped: 1 } });
    const tag: Command = { kind: 'tag', id, add: ['mine'], remove: [] };
    expect(imported.after(tag).when(news).note.body).toBe('New\n');
  });

  it('does not bring back a note that was forgotten here, and says so', () => {
    const outcome = given({ forgotten: [imported] }).when(importOf(foreign()));
    expect(outcome.decision).toMatchObject({
      kind: 'quiet',
      counts: { skipped: 1 },
      warnings: [expect.stringMatching(/1 notes? forgotten here/)],
    });
  });

  it('imports only the first of two notes with the same source key', () => {
    const outcome = given().when(importOf(foreign({ title: 'First' }), foreign({ title: 'Second' })));
    expect(outcome.recorded.counts).toEqual({ imported: 1, updated: 0, skipped: 1 });
    expect(outcome.notes).toHaveLength(1);
  });
});

describe('import of note files from another store', () => {
  const fileOf = (
    note: Note,
    path = pathOfNote(note.type, note.id),
    journal: JournalName = 'portable',
  ): ForeignFile => ({
    journal,
    path,
    bytes: formatNoteFile(newNoteFile(note)),
  });
  const importOf = (...files: readonly ForeignFile[]): Command => ({ kind: 'import', from: 'store', notes: [], files });

  it('keeps the id, the path and every byte', () => {
    const bytes = Buffer.from(`---\r\nid: ${idA}\r\nmood: fine\r\ntype: semantic\r\ntitle: A\r\n---\r\nB`);
    const outcome = given().when(importOf({ journal: 'portable', path: `semantic/${idA}.md`, bytes }));
    expect(outcome.recorded.changes).toEqual([{ journal: 'portable', path: `semantic/${idA}.md`, bytes }]);
    expect(outcome.recorded.counts).toEqual({ imported: 1, updated: 0, skipped: 0 });
  });

  it('writes a file from outside the type folders to the path of its id', () => {
    expect([
      ...given()
        .when(importOf(fileOf(noteA, 'notes/a.md')))
        .files.keys(),
    ]).toEqual([`portable/${pathOfNote('semantic', idA)}`]);
  });

  it('masks secrets', () => {
    const outcome = given().when(importOf(fileOf({ ...noteA, title: secret, body: secret, tags: [secret] })));
    expect(outcome.recorded.masked).toEqual([{ kind: 'github-token', count: 3 }]);
    expect(outcome.note).toMatchObject({ title: mask, body: mask, tags: [mask] });
  });

  it('masks secrets even where the keys are not on separate lines', () => {
    const bytes = Buffer.from(`---\n{id: ${idA}, type: semantic, title: ${secret}, mood: fine}\n---\nB`);
    const outcome = given().when(importOf({ journal: 'portable', path: `semantic/${idA}.md`, bytes }));
    const text = [...outcome.files.values()].join('');
    expect(text).not.toContain(secret);
    expect(text).toContain('mood: fine');
    expect(outcome.note.title).toBe(mask);
  });

  it('replaces an older note here, but not a newer one', () => {
    const newer = { ...noteA, title: 'Newer', updatedAt: now };
    expect(given({ notes: [noteA] }).when(importOf(fileOf(newer))).note.title).toBe('Newer');
    expect(given({ notes: [newer] }).when(importOf(fileOf(noteA))).decision).toMatchObject({
      kind: 'quiet',
      counts: { skipped: 1 },
    });
  });

  it('stays quiet when the file is unchanged', () => {
    expect(given({ notes: [noteA] }).when(importOf(fileOf(noteA))).decision).toMatchObject({
      kind: 'quiet',
      counts: { skipped: 1 },
    });
  });

  it('does not bring back a note that was forgotten here', () => {
    expect(given({ forgotten: [noteA] }).when(importOf(fileOf(noteA))).kind).toBe('quiet');
  });

  it('never writes a machine-local text to the synced journal', () => {
    const text = { ...noteA, body: 'for this machine alone', scope: 'machine-local' as const, updatedAt: now };
    const outcome = given({ notes: [noteA] }).when(importOf(fileOf(text, undefined, 'local')));
    expect(outcome.kind).toBe('quiet');
  });
});
