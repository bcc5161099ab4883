import { describe, expect, it } from 'vitest';
import type { EditNote } from '../../src/commands/edit.js';
import { formatNoteFile, newNoteFile } from '../../src/events/note/note-file.js';
import { pathOfNote } from '../../src/events/note/paths.js';
import { idOf, makeNote } from '../support/arbitraries.js';
import { given, now, stamp } from '../support/decider.js';
import { known } from '../support/known-notes.js';

const idA = idOf(1);
const noteA = makeNote({ id: idA, title: 'A' });
const secret = `gh${'p_'}a1B2c3D4e5F6g7H8a1B2c3D4e5F6g7H8a1B2`;
const mask = '[REDACTED:github-token]';

describe('edit', () => {
  const edit = (set: EditNote['set'], expectedVersion?: string): EditNote => ({
    kind: 'edit',
    id: idA,
    set,
    expectedVersion,
  });

  it('records every field that can be set, in place, and bumps updated_at', () => {
    const set = {
      title: 'T',
      body: 'B',
      tags: ['t'],
      project: 'p',
      importance: 0.1,
      confidence: 0.2,
      keywords: ['k'],
      expiresAt: '2027-01-31',
    };
    const nested = known(noteA, { path: `semantic/deep/down/${idA}.md` });
    const outcome = given({ notes: [nested] }).when(edit(set));
    outcome.thenRecords({ kind: 'note.edited', subject: 'T', notes: [idA], project: 'p' });
    expect(outcome.noteId).toBe(idA);
    expect([...outcome.files.keys()]).toEqual([`portable/semantic/deep/down/${idA}.md`]);
    expect(outcome.note).toEqual({
      ...noteA,
      ...set,
      expiresAt: '2027-01-31T00:00:00+00:00',
      agent: 'codex',
      updatedAt: now,
    });
  });

  it('makes the note that of the user who changed its words', () => {
    const bob = { ...stamp, user: 'bob' };
    const userAfter = (set: EditNote['set']) =>
      given({ notes: [makeNote({ id: idA, userId: 'alice' })] }).when(edit(set), bob).note?.userId;
    expect(userAfter({ body: 'New' })).toBe('bob');
    expect(userAfter({ title: 'New' })).toBe('bob');
    expect(userAfter({ tags: ['t'], project: 'p' })).toBe('alice');
  });

  it('attributes the note to the agent, or the person, who wrote its text', () => {
    const person = { ...stamp, agent: undefined };
    const agents = makeNote({ id: idA, agent: 'codex' });
    const agentAfter = (note: typeof noteA, set: EditNote['set'], asked = stamp) =>
      given({ notes: [note] }).when(edit(set), asked).note?.agent;
    expect(agentAfter(noteA, { body: 'New' })).toBe('codex');
    expect(agentAfter(noteA, { title: 'New' })).toBe('codex');
    expect(agentAfter(noteA, { importance: 0.9, tags: ['t'] })).toBeUndefined();
    expect(agentAfter(agents, { body: 'New' }, person)).toBeUndefined();
    expect(agentAfter(agents, { title: 'New' }, person)).toBe('codex');
    const learned = makeNote({ id: idA, source: 'session-end', agent: 'claude-code' });
    expect(agentAfter(learned, { body: 'New' })).toBe('claude-code');
  });

  it('removes an optional field that is given as null', () => {
    const note = makeNote({ id: idA, importance: 0.5, expiresAt: now });
    expect(given({ notes: [note] }).when(edit({ importance: null, expiresAt: null })).note).toEqual({
      ...note,
      importance: undefined,
      expiresAt: undefined,
      updatedAt: now,
    });
  });

  it('moves the file when the type changes', () => {
    const outcome = given({ notes: [noteA] }).when(edit({ type: 'procedural' }));
    const to = `portable/${pathOfNote('procedural', idA)}`;
    expect([...outcome.files].map(([path, bytes]) => [path, bytes !== undefined]).sort()).toEqual([
      [to, true],
      [`portable/${pathOfNote('semantic', idA)}`, false],
    ]);
    expect(outcome.note).toEqual({ ...noteA, type: 'procedural', updatedAt: now });
  });

  it('leaves unknown keys alone', () => {
    const text = formatNoteFile(newNoteFile(noteA)).toString().replace('tags:', 'mood: fine # really\ntags:');
    const person = { ...stamp, agent: undefined };
    const outcome = given({ notes: [known(noteA, { text })] }).when(edit({ title: 'T' }), person);
    expect([...outcome.files.values()].join('')).toBe(
      text.replace('title: A', 'title: T').replace(/updated_at: .*/, `updated_at: '${now}'`),
    );
  });

  it('keeps the note when a copy is at the path to which a change of type moves it', () => {
    const there = { journal: 'portable' as const, path: pathOfNote('procedural', idA), blob: 'c'.repeat(40) };
    const outcome = given({ notes: [known(noteA, { copies: [there] })] }).when(edit({ type: 'procedural' }));
    expect(outcome.note).toMatchObject({ id: idA, type: 'procedural' });
    expect(outcome.files.get(`portable/${there.path}`)).toBeDefined();
  });

  it('masks a secret and says so', () => {
    const outcome = given({ notes: [noteA] }).when(edit({ body: `see ${secret}` }));
    expect(outcome.recorded.masked).toEqual([{ kind: 'github-token', count: 1 }]);
    expect(outcome.note.body).toBe(`see ${mask}`);
  });

  it('stays quiet when every field has its value', () => {
    given({ notes: [noteA] })
      .when(edit({ title: ' A ', tags: [], importance: null, confidence: 1 }))
      .thenStaysQuiet(idA);
    given({ notes: [makeNote({ id: idA, body: mask })] })
      .when(edit({ body: secret }))
      .thenStaysQuiet(idA);
  });

  it('accepts the current version and refuses another, naming both', () => {
    const { blob } = known(noteA).place;
    expect(given({ notes: [noteA] }).when(edit({ title: 'T' }, blob)).kind).toBe('record');
    const refused = given({ notes: [noteA] }).when(edit({ title: 'T' }, 'f'.repeat(40))).refusal;
    expect(refused.code).toBe('version-moved');
    expect(refused.message).toContain(blob.slice(0, 12));
    expect(refused.message).toContain('f'.repeat(12));
  });

  it('accepts a prefix of the version of at least 7 characters, as messages print it', () => {
    const { blob } = known(noteA).place;
    for (const version of [blob.slice(0, 12), blob.slice(0, 7), blob.slice(0, 12).toUpperCase()])
      expect(given({ notes: [noteA] }).when(edit({ title: 'T' }, version)).kind).toBe('record');
    for (const version of [blob.slice(1, 12), `${blob}0`])
      expect(given({ notes: [noteA] }).when(edit({ title: 'T' }, version)).refusal.code).toBe('version-moved');
    for (const version of [blob.slice(0, 6), ''])
      expect(given({ notes: [noteA] }).when(edit({ title: 'T' }, version)).refusal.code).toBe('value-invalid');
  });

  it('refuses an unknown note, a forgotten note and an edit that sets nothing', () => {
    given()
      .when(edit({ title: 'T' }))
      .thenRefuses('note-unknown');
    given({ forgotten: [noteA] })
      .when(edit({ title: 'T' }))
      .thenRefuses('note-forgotten');
    given({ notes: [noteA] })
      .when(edit({}))
      .thenRefuses('nothing-asked');
    given({ notes: [noteA] })
      .when(edit({ title: undefined }))
      .thenRefuses('nothing-asked');
  });

  it('refuses a value over a limit, but ignores such a value in a field that it does not set', () => {
    given({ notes: [noteA] })
      .when(edit({ title: 'x'.repeat(301) }))
      .thenRefuses({ message: expect.stringMatching(/at most 300 .* 301/) });
    const long = makeNote({ id: idA, title: 'x'.repeat(400), tags: ['a', 'A', ''] });
    expect(given({ notes: [long] }).when(edit({ body: 'B' })).note).toMatchObject({
      title: long.title,
      tags: long.tags,
      body: 'B',
    });
  });

  it('refuses an expiry that would make the note unreadable', () => {
    for (const expiresAt of ['9999-12-31T23:59:59-05:00', '0000-01-01T00:00:00+05:00']) {
      given({ notes: [noteA] })
        .when(edit({ expiresAt }))
        .thenRefuses({ message: expect.stringMatching(/expires_at must be/) });
    }
  });

  it('refuses a file whose keys are not on separate lines', () => {
    const flow = known(noteA, { text: `---\n{id: ${idA}, type: semantic, title: A}\n---\nB` });
    given({ notes: [flow] })
      .when(edit({ title: 'T' }))
      .thenRefuses('not-editable');
  });
});
