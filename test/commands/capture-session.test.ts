import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { moveNote } from '../../src/app/moving.js';
import type { CaptureSession } from '../../src/commands/capture-session.js';
import { noteOfSession } from '../../src/commands/capture-session.js';
import type { Note } from '../../src/events/note/note.js';
import { formatNoteFile, newNoteFile } from '../../src/events/note/note-file.js';
import { pathOfNote } from '../../src/events/note/paths.js';
import { isUlid, timeOfUlid } from '../../src/events/ulid-form.js';
import { makeStamp } from '../support/arbitraries.js';
import { given, now } from '../support/decider.js';
import { knowing, known } from '../support/known-notes.js';
import { noteOf, openStore, type TestStore } from '../support/store.js';

const startedAtMs = Date.UTC(2026, 5, 25, 17, 0, 0);
const secret = `gh${'p_'}a1B2c3D4e5F6g7H8a1B2c3D4e5F6g7H8a1B2`;
const mask = '[REDACTED:github-token]';

const capture = (fields: Partial<CaptureSession> = {}): CaptureSession => ({
  kind: 'capture',
  session: 's-1',
  title: 'Fix the refund webhook',
  body: '### Ask\n\nThe webhook times out.\n',
  project: 'shop',
  tags: ['session', 'pre-compact'],
  startedAtMs,
  ...fields,
});
const id = noteOfSession(capture(), knowing());
/** Returns the note of a first capture with some fields changed since. */
const captured = (fields: Partial<Note> = {}): Note => ({ ...given().when(capture()).note, ...fields });

describe('a first capture', () => {
  it('records an episodic note with a confidence below 1, created when the session began', () => {
    const outcome = given().when(capture({ title: '  Fix the refund webhook ', model: 'haiku' }));
    outcome.thenRecords({
      kind: 'session.captured',
      subject: 'Fix the refund webhook',
      notes: [id],
      project: 'shop',
    });
    expect(outcome.recorded).toMatchObject({ noteId: id, masked: [], warnings: [] });
    expect(outcome.recorded.changes.map(({ journal, path }) => `${journal}/${path}`)).toEqual([
      `portable/${pathOfNote('episodic', id)}`,
    ]);
    expect(outcome.note).toMatchObject({
      id,
      type: 'episodic',
      title: 'Fix the refund webhook',
      project: 'shop',
      source: 'session-end',
      confidence: 0.8,
      model: 'haiku',
      session: 's-1',
      sourceKey: 'session:s-1',
      agent: 'codex',
      tags: ['session', 'pre-compact'],
      createdAt: '2026-06-25T17:00:00+00:00',
      updatedAt: now,
    });
  });

  it('gets the same id on every machine, with the start time of the session, and one per session', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat({ max: 4e12 }), (session, at) => {
        const here = noteOfSession({ session, startedAtMs: at }, knowing());
        expect(isUlid(here)).toBe(true);
        expect(timeOfUlid(here)).toBe(at);
        expect(noteOfSession({ session, startedAtMs: at }, knowing({ notes: [captured()] }))).toBe(
          session === 's-1' ? id : here,
        );
        expect(noteOfSession({ session: `${session}.`, startedAtMs: at }, knowing())).not.toBe(here);
      }),
    );
    const there = given().when(capture(), makeStamp({ machine: 'desktop', eventId: '01J2000000000000000000000E' }));
    expect(there.noteId).toBe(id);
  });

  it('masks secrets in title, body and tags, and says so', () => {
    const outcome = given().when(
      capture({ title: `Use ${secret}`, body: `token ${secret}\n`, tags: ['session', secret] }),
    );
    expect(outcome.recorded.masked).toEqual([{ kind: 'github-token', count: 3 }]);
    expect(outcome.event.subject).toBe(`Use ${mask}`);
    expect(outcome.note).toMatchObject({
      title: `Use ${mask}`,
      body: `token ${mask}\n`,
      tags: ['session', mask],
    });
  });

  it.each<[name: string, fields: Partial<CaptureSession>, expected: RegExp]>([
    ['an empty title', { title: ' ' }, /title has 1 to 300 characters/],
    ['a title of several lines', { title: 'a\nb' }, /title .*one line/],
    ['a body that is too large', { body: 'é'.repeat(131_073) }, /body has at most 262144 bytes; given: 262146/],
    ['a body with a NUL', { body: 'a\0b' }, /body .*NUL/],
    ['a tag twice', { tags: ['session', 'Session'] }, /tags are unique/],
    ['an empty project', { project: '' }, /project/],
    ['a session without an id', { session: ' ' }, /session must be an id of 1 to 200 characters in one line; given: 1/],
    ['an id of several lines', { session: 'a\nb: c' }, /session must be an id .*one line/],
    ['an id that is too long', { session: 'x'.repeat(201) }, /session must be .*given: 201/],
  ])('is refused with %s', (_, fields, expected) => {
    const { message, next } = given().when(capture(fields)).refusal;
    expect(message).toMatch(expected);
    expect(message).not.toContain('\n');
    expect(next).not.toBe('');
  });
});

describe('another capture of the same session', () => {
  const more = { title: 'Fix the webhook, then deploy', body: '### Ask\n\nAnd deploy it.\n' };

  it('updates the note in place and leaves the fields that it does not set', () => {
    const deep = known(captured({ importance: 0.4, keywords: ['refund'] }), { path: `episodic/deep/${id}.md` });
    const outcome = given({ notes: [deep] }).when(
      capture({ ...more, tags: ['session', 'session-end'], model: 'haiku' }),
    );
    expect(outcome.event).toMatchObject({ kind: 'session.captured', subject: more.title, notes: [id] });
    expect(outcome.recorded.changes.map(({ path }) => path)).toEqual([`episodic/deep/${id}.md`]);
    expect(outcome.note).toEqual({
      ...deep.file.note,
      ...more,
      model: 'haiku',
      tags: ['session', 'session-end'],
      updatedAt: now,
    });
  });

  it('finds the note by the session id even if the session seems to have begun at another time', () => {
    expect(given({ notes: [captured()] }).when(capture({ ...more, startedAtMs: 1 })).noteId).toBe(id);
  });

  it('stays quiet when the session says nothing new, whatever triggered the capture', () => {
    for (const fields of [{}, { tags: ['session', 'session-end'] }, { title: ' Fix the refund webhook' }]) {
      given({ notes: [captured()] })
        .when(capture(fields))
        .thenStaysQuiet(id);
    }
  });

  it('stays quiet when only a masked secret differs', () => {
    const note = captured({ body: `token ${mask}\n` });
    expect(given({ notes: [note] }).when(capture({ body: `token ${secret}\n` })).kind).toBe('quiet');
  });

  it('keeps added tags and replaces only the source tag of the last capture', () => {
    const tags = ['session', 'pre-compact', 'Refunds', 'manual', 'SESSION-notes'];
    const outcome = given({ notes: [captured({ tags })] }).when(capture({ ...more, tags: ['session', 'session-end'] }));
    expect(outcome.note.tags).toEqual(['session', 'session-end', 'Refunds', 'manual', 'SESSION-notes']);
  });

  it('does not repeat a tag in another spelling', () => {
    const outcome = given({ notes: [captured({ tags: ['Session', 'catch-up', 'x'] })] }).when(capture(more));
    expect(outcome.note.tags).toEqual(['session', 'pre-compact', 'x']);
  });

  it('leaves the note in the project and journal that a person moved it to', () => {
    const moved = captured({ project: 'global', scope: 'machine-local' });
    const outcome = given({ notes: [moved] }).when(capture(more));
    expect(outcome.event.project).toBe('global');
    expect(outcome.recorded.changes.map(({ journal }) => journal)).toEqual(['local']);
    expect(outcome.note).toMatchObject({ project: 'global', scope: 'machine-local', body: more.body });
  });

  it('leaves a text that a person edited alone, and says so', () => {
    given({ notes: [captured({ body: 'Mine.\n' })], edited: [id] })
      .when(capture(more))
      .thenStaysQuiet(id, [`session note ${id} was edited by hand and stays as it is`]);
  });

  it('does not bring back a note that a person forgot, and says so', () => {
    given({ forgotten: [captured()] })
      .when(capture(more))
      .thenStaysQuiet(undefined, [`session note ${id} was forgotten`]);
  });

  it('leaves a file whose keys are not on separate lines alone, and says so', () => {
    const text = `---\n{id: ${id}, type: episodic, title: A, source_key: 'session:s-1'}\n---\nB`;
    expect(given({ notes: [known(captured(), { text })] }).when(capture(more)).decision).toMatchObject({
      kind: 'quiet',
      noteId: id,
      warnings: [expect.stringContaining("can't be edited by key")],
    });
  });

  it('keeps unknown keys', () => {
    const text = formatNoteFile(newNoteFile(captured())).toString().replace('tags:', 'mood: fine # really\ntags:');
    const { changes } = given({ notes: [known(captured(), { text })] }).when(capture(more)).recorded;
    expect(changes[0]?.bytes?.toString()).toContain('mood: fine # really\n');
  });

  it('stays quiet when it repeats any capture', () => {
    fc.assert(
      fc.property(
        fc
          .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
          .filter((text) => !/[\p{Cc}\u2028\u2029]/u.test(text) && text.trim() !== ''),
        fc.string({ unit: 'grapheme', maxLength: 200 }).map((text) => text.replaceAll('\0', '')),
        (title, body) => {
          const note = given().when(capture({ title, body })).note;
          expect(given({ notes: [note] }).when(capture({ title, body })).kind).toBe('quiet');
        },
      ),
    );
  });
});

describe('the date of the note', () => {
  const lastTurnAtMs = startedAtMs + 3_600_000;
  const dateAfter = (fields: Partial<CaptureSession>, ...notes: readonly Note[]): string =>
    given({ notes }).when(capture(fields)).note.updatedAt;

  it('is the time of the last turn, however much later it is captured', () => {
    expect(dateAfter({ lastTurnAtMs })).toBe('2026-06-25T18:00:00+00:00');
    expect(given().when(capture({ lastTurnAtMs })).note.createdAt).toBe('2026-06-25T17:00:00+00:00');
  });

  it('is the time of the capture when the last turn is unknown or later than that', () => {
    expect(dateAfter({})).toBe(now);
    expect(dateAfter({ lastTurnAtMs: Date.parse(now) + 1_000_000 })).toBe(now);
  });

  it('moves forward with the session and never back', () => {
    const before = captured({ updatedAt: '2026-06-25T18:00:00+00:00' });
    const more = { body: 'More.\n' };
    expect(dateAfter({ ...more, lastTurnAtMs: lastTurnAtMs + 60_000 }, before)).toBe('2026-06-25T18:01:00+00:00');
    expect(dateAfter({ ...more, lastTurnAtMs: startedAtMs }, before)).toBe('2026-06-25T18:00:00+00:00');
    expect(dateAfter({ ...more, lastTurnAtMs: startedAtMs - 60_000 })).toBe('2026-06-25T17:00:00+00:00');
  });
});

describe('in a store, another capture', () => {
  let store: TestStore;
  beforeAll(() => {
    store = openStore();
  });
  afterAll(() => store.close());

  let sessions = 0;
  const captureFirst = async () => {
    sessions += 1;
    const session = `store-${sessions}`;
    const again = async (fields: Partial<CaptureSession> = {}) =>
      store.memory.perform(capture({ session, ...fields }), { session });
    const first = noteOf(await again());
    const text = async (): Promise<string> => {
      const shown = await store.memory.show(first.id);
      return shown.ok ? (shown.answer.body ?? '') : '';
    };
    return { id: first.id, path: first.path ?? '', again, text };
  };

  it('updates the one note, even if the start of the session was unknown at first', async () => {
    const { id: noteId, again, text } = await captureFirst();
    expect(await again({ body: 'Two.\n', startedAtMs: 1 })).toMatchObject({ status: 'recorded', note: { id: noteId } });
    expect(await text()).toBe('Two.\n');
    expect(await again({ body: 'Two.\n' })).toMatchObject({ status: 'unchanged', note: { id: noteId } });
    expect((await store.memory.events({ note: noteId }, 9)).map(({ kind }) => kind)).toEqual([
      'session.captured',
      'session.captured',
    ]);
  });

  it.each(['an edit', 'a hand'])('leaves a text changed by %s, and says so', async (how) => {
    const { id: noteId, path, again, text } = await captureFirst();
    if (how === 'an edit') await store.memory.perform({ kind: 'edit', id: noteId, set: { body: 'Mine.\n' } });
    else writeFileSync(path, readFileSync(path, 'utf8').replace(/### Ask[\s\S]*/, 'Mine.\n'));
    expect(await again({ body: 'Two.\n' })).toMatchObject({
      status: 'unchanged',
      warnings: [`session note ${noteId} was edited by hand and stays as it is`],
    });
    expect(await text()).toBe('Mine.\n');
  });

  it('follows a note that was tagged and moved, and does not bring back a forgotten one', async () => {
    const { id: noteId, again } = await captureFirst();
    await store.memory.perform({ kind: 'tag', id: noteId, add: ['refunds'], remove: [] });
    const moved = await moveNote(store.memory, noteId, { project: 'other', scope: 'machine-local' });
    const newId = moved.status === 'refused' ? '' : (moved.note?.id ?? '');
    expect(await again({ body: 'Two.\n', tags: ['session', 'catch-up'] })).toMatchObject({
      status: 'recorded',
      note: { project: 'other', scope: 'machine-local', tags: ['session', 'catch-up', 'refunds'] },
    });
    expect(await store.memory.show(newId)).toMatchObject({ answer: { body: 'Two.\n' } });
    await store.memory.perform({ kind: 'forget', id: newId });
    expect(await again({ body: 'Three.\n' })).toMatchObject({
      status: 'unchanged',
      note: undefined,
      warnings: [expect.stringMatching(/^session note .* was forgotten$/)],
    });
  });
});
