/** Deciding on notes that are imported repeatedly. */
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../src/commands/command.js';
import type { ForeignNote } from '../../src/commands/foreign-note.js';
import { decide } from '../../src/commands/handlers.js';
import type { Note } from '../../src/events/note/note.js';
import { parseNoteFile } from '../../src/events/note/note-file.js';
import { formatTime } from '../../src/events/time.js';
import { makeStamp } from '../support/arbitraries.js';
import { type Known, knowing } from '../support/known-notes.js';

const changed = Date.UTC(2026, 4, 1, 10);
const id = '549H8B1G0MP5HYET1VZFMDFJYF';
const foreign = (fields: Partial<ForeignNote> = {}): ForeignNote => ({
  sourceKey: 'claude-code:slug/a-fact',
  id,
  title: 'A fact',
  body: 'Body.\n',
  tags: ['import', 'kind:feedback'],
  keywords: [],
  project: 'shop',
  type: 'procedural',
  createdAtMs: changed,
  updatedAtMs: changed,
  ...fields,
});
const memory = (fields: Partial<ForeignNote> = {}): ForeignNote => foreign({ mirrored: true, ...fields });
const take = (note: ForeignNote, known: Known = {}): Decision =>
  decide({ kind: 'import', from: 'Claude Code', notes: [note], files: [] }, knowing(known), makeStamp());
const noteAfter = (decision: Decision): Note => {
  const [change] = decision.kind === 'record' ? decision.changes : [];
  const parsed = change?.bytes === undefined ? undefined : parseNoteFile(change.bytes, change.journal, change.path);
  if (!parsed?.ok) throw new Error(`${decision.kind}: no note`);
  return parsed.file.note;
};
const imported = noteAfter(take(memory()));

describe('a foreign note', () => {
  it('keeps the id, the importance and the scope that its source gives it', () => {
    const decision = take(memory({ importance: 0.9, scope: 'machine-local' }));
    expect(noteAfter(decision)).toMatchObject({ id, importance: 0.9, scope: 'machine-local', source: 'import' });
    expect(decision).toMatchObject({ changes: [{ journal: 'local', path: `procedural/YF/${id}.md` }] });
  });

  it('has no secret in its source key, and is still found again', () => {
    const key = `mcp-memory:graph/${'ghp_'}${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`;
    const keyed = foreign({ id: undefined, sourceKey: key });
    const note = noteAfter(take(keyed));
    expect(note.sourceKey).toBe('mcp-memory:graph/[REDACTED:github-token]');
    expect(take(keyed, { notes: [note] })).toMatchObject({ kind: 'quiet', counts: { skipped: 1 } });
  });

  it('gets an importance that its source gives it later', () => {
    expect(noteAfter(take(foreign({ importance: 0.2 }), { notes: [imported] })).importance).toBe(0.2);
  });
});

describe('a mirrored note', () => {
  it('is unchanged while its title and text are, whatever its project, tags and type', () => {
    const filed = { ...imported, project: 'elsewhere', tags: ['mine'] };
    expect(take(memory({ type: 'semantic' }), { notes: [filed] })).toMatchObject({
      kind: 'quiet',
      counts: { skipped: 1 },
    });
  });

  it('gets a newer text, and keeps the project and the tags that were set in the store', () => {
    const filed = { ...imported, project: 'elsewhere', tags: ['mine'] };
    const decision = take(memory({ body: 'New.\n', title: 'New', updatedAtMs: changed + 5000 }), { notes: [filed] });
    expect(noteAfter(decision)).toEqual({
      ...filed,
      title: 'New',
      body: 'New.\n',
      updatedAt: formatTime(changed + 5000),
    });
    expect(decision).toMatchObject({ counts: { imported: 0, updated: 1, skipped: 0 } });
  });

  it('is unchanged when only the space around the text differs', () => {
    expect(take(memory({ body: '\nBody.' }), { notes: [imported] }).kind).toBe('quiet');
    expect(take(foreign({ body: '\nBody.' }), { notes: [imported] }).kind).toBe('record');
  });

  it('gets a text that was changed within the same second', () => {
    expect(take(memory({ body: 'New.\n', updatedAtMs: changed + 1 }), { notes: [imported] }).kind).toBe('record');
  });

  it('does not return to an older text from another machine', () => {
    const decision = take(memory({ body: 'Old.\n', updatedAtMs: changed - 1000 }), { notes: [imported] });
    expect(decision).toMatchObject({ kind: 'quiet', counts: { skipped: 1 }, warnings: [] });
  });

  it('keeps what was edited in the store, even when the file is newer', () => {
    const known = { notes: [{ ...imported, body: 'Corrected.\n' }], edited: [id] };
    expect(take(memory({ body: 'New.\n', updatedAtMs: changed + 5000 }), known)).toMatchObject({
      kind: 'quiet',
      counts: { skipped: 1 },
      warnings: [expect.stringContaining('edited here since')],
    });
  });

  it('stays forgotten', () => {
    expect(take(memory({ body: 'New.\n' }), { forgotten: [imported] })).toMatchObject({ kind: 'quiet' });
  });

  it('is unchanged when a secret in it was masked', () => {
    const secret = memory({ body: `key ${'ghp_'}${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}\n` });
    const masked = noteAfter(take(secret));
    expect(masked.body).toContain('[REDACTED:');
    expect(take(secret, { notes: [masked] }).kind).toBe('quiet');
  });
});
