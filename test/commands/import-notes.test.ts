import { describe, expect, it } from 'vitest';
import type { ForeignFile, ForeignNote } from '../../src/commands/foreign-note.js';
import type { Command } from '../../src/commands/handlers.js';
import { idOfForeign } from '../../src/commands/import-notes.js';
import type { JournalName, Note } from '../../src/events/note/note.js';
import { formatNoteFile, newNoteFile } from '../../src/events/note/note-file.js';
import { pathOfNote } from '../../src/events/note/paths.js';
import { timeOfUlid } from '../../src/events/ulid-time.js';
import { idOf, makeNote } from '../support/arbitraries.js';
import { given, now } from '../support/decider.js';
import { known } from '../support/known-notes.js';

const [idA, idB, idD] = [idOf(1), idOf(2), idOf(4)];
const noteA = makeNote({ id: idA, title: 'A' });
const noteB = makeNote({ id: idB, title: 'B' });
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
  const take = (...notes: readonly ForeignNote[]): Command => ({
    kind: 'import',
    from: 'notes.jsonl',
    notes,
    files: [],
  });
  const id = idOfForeign(foreign());
  const imported = given().when(take(foreign())).notes[0]!;

  it('records all of them in one event', () => {
    const outcome = given().when(take(foreign(), foreign({ sourceKey: 'jsonl:notes/2' })));
    outcome.thenRecords({
      kind: 'notes.imported',
      subject: '2 notes from notes.jsonl',
      notes: [id, idOfForeign(foreign({ sourceKey: 'jsonl:notes/2' }))],
    });
    expect(outcome.recorded).toMatchObject({ noteId: undefined, counts: { imported: 2, updated: 0, skipped: 0 } });
    expect(outcome.files.size).toBe(2);
  });

  it('masks a secret in the name of what it was taken from', () => {
    const { event } = given().when({ ...take(foreign()), from: secret } as Command);
    expect(event).toMatchObject({ subject: `1 note from ${mask}` });
  });

  it('keeps what the source says of a note', () => {
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

  it('fills in what the source does not say', () => {
    const outcome = given().when(
      take(foreign({ type: undefined, project: undefined, createdAtMs: undefined, title: '' })),
    );
    expect(outcome.note).toMatchObject({
      type: 'semantic',
      project: 'global',
      title: '',
      createdAt: now,
      updatedAt: now,
    });
  });

  it('gives a note the id that every machine gives it, of the time it was made at', () => {
    expect(timeOfUlid(id)).toBe(Date.UTC(2025, 0, 2));
    expect(idOfForeign({ sourceKey: 'jsonl:notes/1', createdAtMs: Date.UTC(2025, 0, 2) })).toBe(id);
  });

  it('accepts what no command would', () => {
    const tags = Array.from({ length: 70 }, (_, n) => `${n}`.padStart(120, 'x'));
    expect(given().when(take(foreign({ body: 'x'.repeat(300_000), tags }))).note.tags).toEqual(tags);
  });

  it('masks secrets in every field and counts them once by kind', () => {
    const outcome = given().when(take(foreign({ title: secret, body: secret, tags: [secret], keywords: [secret] })));
    expect(outcome.recorded.masked).toEqual([{ kind: 'github-token', count: 4 }]);
    expect([...outcome.files.values()].join('')).not.toContain(secret);
  });

  it('stays quiet when all of them are the same, also one with a secret', () => {
    expect(given({ notes: [imported] }).when(take(foreign())).decision).toMatchObject({
      kind: 'quiet',
      counts: { imported: 0, updated: 0, skipped: 1 },
    });
    const masked = given().when(take(foreign({ body: secret }))).notes[0]!;
    expect(given({ notes: [masked] }).when(take(foreign({ body: secret }))).kind).toBe('quiet');
  });

  it('updates what an earlier import brought, where it lies, and bumps updated_at', () => {
    const lies = known(imported, { path: `procedural/elsewhere/${id}.md` });
    const outcome = given({ notes: [lies] }).when(take(foreign({ title: 'New', body: 'New\n', tags: [] })));
    expect([...outcome.files.keys()]).toEqual([`portable/procedural/elsewhere/${id}.md`]);
    expect(outcome.note).toEqual({ ...imported, title: 'New', body: 'New\n', tags: [], updatedAt: now });
    expect(outcome.recorded.counts).toEqual({ imported: 0, updated: 1, skipped: 0 });
  });

  it('finds the note by its foreign id, whatever its own id', () => {
    const other = { ...imported, id: idD };
    expect(given({ notes: [other] }).when(take(foreign({ title: 'New' }))).note.id).toBe(idD);
  });

  it('leaves alone what was edited here since, and says so', () => {
    const outcome = given({ notes: [{ ...imported, title: 'Mine' }], edited: [id] }).when(
      take(foreign({ body: 'New\n' })),
    );
    expect(outcome.decision).toMatchObject({
      kind: 'quiet',
      counts: { skipped: 1 },
      warnings: [expect.stringMatching(/1 notes? w(as|ere) edited here/)],
    });
  });

  it('names the first of many that were edited here', () => {
    const ids = ['A', 'B', 'C', 'D'].map((end) => `${id.slice(0, -1)}${end}`);
    const outcome = given({
      notes: ids.map((one) => ({ ...imported, id: one, title: 'Mine', sourceKey: one })),
      edited: ids,
    }).when(take(...ids.map((one) => foreign({ id: one, sourceKey: one, body: 'New\n' }))));
    expect(outcome.decision).toMatchObject({
      warnings: [expect.stringContaining(`left as they are: ${ids.slice(0, 3).join(', ')} and 1 more; to take`)],
    });
  });

  it('leaves a note alone that a command of here edited, but not one that was only tagged', () => {
    const imported = given().after(take(foreign()));
    const news = take(foreign({ body: 'New\n' }));
    const edit: Command = { kind: 'edit', id, set: { title: 'Mine' } };
    expect(imported.after(edit).when(news).decision).toMatchObject({ kind: 'quiet', counts: { skipped: 1 } });
    const tag: Command = { kind: 'tag', id, add: ['mine'], remove: [] };
    expect(imported.after(tag).when(news).note.body).toBe('New\n');
  });

  it('leaves forgotten what was forgotten here, and says so', () => {
    const outcome = given({ forgotten: [imported] }).when(take(foreign()));
    expect(outcome.decision).toMatchObject({
      kind: 'quiet',
      counts: { skipped: 1 },
      warnings: [expect.stringMatching(/1 notes? w(as|ere) forgotten here/)],
    });
  });

  it('takes a foreign id once that comes twice', () => {
    const outcome = given().when(take(foreign({ title: 'First' }), foreign({ title: 'Second' })));
    expect(outcome.recorded.counts).toEqual({ imported: 1, updated: 0, skipped: 1 });
    expect(outcome.notes).toHaveLength(1);
  });
});

describe('import of the files of a store', () => {
  const fileOf = (
    note: Note,
    path = pathOfNote(note.type, note.id),
    journal: JournalName = 'portable',
  ): ForeignFile => ({
    journal,
    path,
    bytes: formatNoteFile(newNoteFile(note)),
  });
  const take = (...files: readonly ForeignFile[]): Command => ({ kind: 'import', from: 'store', notes: [], files });

  it('keeps the id, the place and every byte', () => {
    const bytes = Buffer.from(`---\r\nid: ${idA}\r\nmood: fine\r\ntype: semantic\r\ntitle: A\r\n---\r\nB`);
    const outcome = given().when(take({ journal: 'portable', path: `semantic/${idA}.md`, bytes }));
    expect(outcome.recorded.changes).toEqual([{ journal: 'portable', path: `semantic/${idA}.md`, bytes }]);
    expect(outcome.recorded.counts).toEqual({ imported: 1, updated: 0, skipped: 0 });
  });

  it('gives a file a place that has none', () => {
    expect([
      ...given()
        .when(take(fileOf(noteA, 'notes/a.md')))
        .files.keys(),
    ]).toEqual([`portable/${pathOfNote('semantic', idA)}`]);
  });

  it('does not put a file where another note lies', () => {
    const outcome = given({ notes: [known(noteB)] }).when(take(fileOf(noteA, pathOfNote('semantic', idB))));
    expect([...outcome.files.keys()]).toEqual([`portable/${pathOfNote('semantic', idA)}`]);
  });

  it('masks secrets', () => {
    const outcome = given().when(take(fileOf({ ...noteA, title: secret, body: secret, tags: [secret] })));
    expect(outcome.recorded.masked).toEqual([{ kind: 'github-token', count: 3 }]);
    expect(outcome.note).toMatchObject({ title: mask, body: mask, tags: [mask] });
  });

  it('masks secrets also where the keys do not stand on lines of their own', () => {
    const bytes = Buffer.from(`---\n{id: ${idA}, type: semantic, title: ${secret}, mood: fine}\n---\nB`);
    const outcome = given().when(take({ journal: 'portable', path: `semantic/${idA}.md`, bytes }));
    const text = [...outcome.files.values()].join('');
    expect(text).not.toContain(secret);
    expect(text).toContain('mood: fine');
    expect(outcome.note.title).toBe(mask);
  });

  it('takes the newer of two, and leaves the newer one here', () => {
    const newer = { ...noteA, title: 'Newer', updatedAt: now };
    expect(given({ notes: [noteA] }).when(take(fileOf(newer))).note.title).toBe('Newer');
    expect(given({ notes: [newer] }).when(take(fileOf(noteA))).decision).toMatchObject({
      kind: 'quiet',
      counts: { skipped: 1 },
    });
  });

  it('stays quiet when it is the same', () => {
    expect(given({ notes: [noteA] }).when(take(fileOf(noteA))).decision).toMatchObject({
      kind: 'quiet',
      counts: { skipped: 1 },
    });
  });

  it('leaves forgotten what was forgotten here', () => {
    expect(given({ forgotten: [noteA] }).when(take(fileOf(noteA))).kind).toBe('quiet');
  });

  it('never puts a machine-local text into the journal that is synced', () => {
    const text = { ...noteA, body: 'for this machine alone', scope: 'machine-local' as const, updatedAt: now };
    const outcome = given({ notes: [noteA] }).when(take(fileOf(text, undefined, 'local')));
    const changes = outcome.kind === 'record' ? outcome.recorded.changes : [];
    for (const { journal, bytes } of changes) {
      if (journal === 'portable') expect(bytes?.toString() ?? '').not.toContain('for this machine alone');
    }
  });
});
