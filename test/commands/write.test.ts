import { describe, expect, it } from 'vitest';
import { noteIdOf, type WriteNote } from '../../src/commands/write.js';
import { pathOfNote } from '../../src/events/note/paths.js';
import { isUlid, timeOfUlid } from '../../src/events/ulid-form.js';
import { idOf, makeNote } from '../support/arbitraries.js';
import { given, now, stamp } from '../support/decider.js';

const [idA, idB] = [idOf(1), idOf(2)];
const noteA = makeNote({ id: idA, title: 'A' });
const noteB = makeNote({ id: idB, title: 'B' });
const secret = `gh${'p_'}a1B2c3D4e5F6g7H8a1B2c3D4e5F6g7H8a1B2`;
const mask = '[REDACTED:github-token]';

describe('write', () => {
  const write = (fields: Partial<WriteNote> = {}): WriteNote => ({
    kind: 'write',
    type: 'semantic',
    title: 'Use WAL mode',
    body: 'Readers go on.\n',
    project: 'shop',
    scope: 'portable',
    tags: [],
    keywords: [],
    supersedes: [],
    ...fields,
  });

  it('records a new note with the given fields and its author', () => {
    const outcome = given().when(
      write({
        tags: ['sqlite'],
        keywords: ['wal'],
        importance: 0.5,
        confidence: 0.8,
        source: 'session-end',
        workspace: 'work',
      }),
    );
    const id = noteIdOf(stamp.eventId);
    outcome.thenRecords({
      kind: 'note.written',
      subject: 'Use WAL mode',
      notes: [id],
      by: undefined,
      project: 'shop',
    });
    expect(outcome.recorded).toMatchObject({ noteId: id, masked: [], warnings: [] });
    expect([...outcome.files.keys()]).toEqual([`portable/${pathOfNote('semantic', id)}`]);
    expect(outcome.note).toEqual({
      ...makeNote(),
      id,
      title: 'Use WAL mode',
      body: 'Readers go on.\n',
      tags: ['sqlite'],
      keywords: ['wal'],
      importance: 0.5,
      confidence: 0.8,
      source: 'session-end',
      workspaceId: 'work',
      agent: 'codex',
      session: 's1',
      createdAt: now,
      updatedAt: now,
    });
  });

  it('derives the id of the note from the event, with its time', () => {
    const id = noteIdOf(stamp.eventId);
    expect(isUlid(id)).toBe(true);
    expect(timeOfUlid(id)).toBe(timeOfUlid(stamp.eventId));
    expect(id).not.toBe(stamp.eventId);
    expect(given().when(write()).noteId).toBe(given().when(write()).noteId);
  });

  it('puts a machine-local note into the local journal', () => {
    const outcome = given().when(write({ scope: 'machine-local', type: 'episodic' }));
    expect([...outcome.files.keys()]).toEqual([`local/${pathOfNote('episodic', noteIdOf(stamp.eventId))}`]);
    expect(outcome.note.scope).toBe('machine-local');
  });

  it('records that it supersedes others, each once, and leaves their files alone', () => {
    const outcome = given({ notes: [noteA, noteB] }).when(write({ supersedes: [idA, idB, idA] }));
    expect(outcome.event).toMatchObject({
      kind: 'note.superseded',
      notes: [outcome.noteId, idA, idB],
      by: outcome.noteId,
    });
    expect(outcome.note.supersedes).toEqual([idA, idB]);
  });

  it('trims white space from the title', () => {
    expect(given().when(write({ title: '  Use WAL  ' })).note.title).toBe('Use WAL');
  });

  it('writes the expiry in the format of notes', () => {
    expect(given().when(write({ expiresAt: '2027-01-31' })).note.expiresAt).toBe('2027-01-31T00:00:00+00:00');
  });

  it('masks a secret in title, body, tags and keywords, and says so', () => {
    const outcome = given().when(
      write({ title: `Token ${secret}`, body: `${secret}\n`, tags: [secret], keywords: [`k ${secret}`] }),
    );
    expect(outcome.recorded.masked).toEqual([{ kind: 'github-token', count: 4 }]);
    expect(outcome.note).toMatchObject({
      title: `Token ${mask}`,
      body: `${mask}\n`,
      tags: [mask],
      keywords: [`k ${mask}`],
    });
    expect(outcome.event.subject).toBe(`Token ${mask}`);
  });

  it('keeps tags unique when two of them were secrets', () => {
    const tags = given().when(write({ tags: [secret, `gh${'p_'}${'z9Y8x7W6'.repeat(4)}a1B2`] })).note.tags;
    expect(new Set(tags).size).toBe(tags.length);
  });

  it.each<[name: string, fields: Partial<WriteNote>, expected: RegExp]>([
    ['an empty title', { title: '' }, /title has 1 to 300 characters in one line; given: an empty/],
    ['a blank title', { title: ' \t ' }, /title has 1 to 300 characters/],
    ['a title that is too long', { title: 'x'.repeat(301) }, /title has at most 300 characters; given: 301/],
    ['a title of several lines', { title: 'a\nb' }, /title .*one line/],
    ['a title with another line break', { title: 'a\u2028b' }, /title .*one line/],
    ['a body that is too large', { body: 'é'.repeat(131_073) }, /body has at most 262144 bytes; given: 262146/],
    ['a body with a NUL', { body: 'a\0b' }, /body .*NUL/],
    ['too many tags', { tags: Array.from({ length: 65 }, (_, n) => `t${n}`) }, /tags are at most 64; given: 65/],
    ['a tag that is too long', { tags: ['x'.repeat(101)] }, /tags has? .*100 characters; given: 101/],
    ['an empty tag', { tags: ['a', ' '] }, /tags have 1 to 100 characters each; given: an empty one/],
    ['a tag of two lines', { tags: ['a\nb'] }, /tags .*one line; given: "a\\nb"/],
    ['a tag with another line break', { tags: ['a\u2028b'] }, /tags .*one line/],
    ['a tag with a NUL', { tags: ['a\0b'] }, /tags must be text without NUL characters; given: a text with one/],
    ['a tag twice', { tags: ['Docs', 'docs'] }, /tags are unique, ignoring case; given: "docs"/],
    [
      'too many keywords',
      { keywords: Array.from({ length: 65 }, (_, n) => `k${n}`) },
      /keywords are at most 64; given: 65/,
    ],
    ['an empty project', { project: '' }, /project/],
    ['a project of two lines', { project: 'a\nb' }, /project .*one line/],
    ['an importance above 1', { importance: 1.5 }, /importance must be a number from 0 to 1; given: 1.5/],
    [
      'an importance that is not a number',
      { importance: Number.NaN },
      /importance must be a number from 0 to 1; given: NaN/,
    ],
    ['a confidence below 0', { confidence: -0.1 }, /confidence must be a number from 0 to 1; given: -0.1/],
    ['an expiry that is not a time', { expiresAt: 'soon' }, /expires_at must be a date or time .*; given: "soon"/],
    [
      'an expiry that the format can not write',
      { expiresAt: '9999-12-31T23:59:59-05:00' },
      /expires_at must be a date or time/,
    ],
  ])('refuses %s, and states the limit and what was given', (_, fields, expected) => {
    const { message, next } = given().when(write(fields)).refusal;
    expect(message).toMatch(expected);
    expect(message).not.toContain('\n');
    expect(next).not.toBe('');
  });

  it.each<[name: string, fields: Partial<WriteNote>]>([
    ['a title of 300 characters, emoji too', { title: '🚀'.repeat(300) }],
    ['a body of 256 KiB', { body: 'x'.repeat(262_144) }],
    ['64 tags of 100 characters', { tags: Array.from({ length: 64 }, (_, n) => `${n}`.padStart(100, 'x')) }],
    ['an empty body', { body: '' }],
    ['an importance of 0 and a confidence of 1', { importance: 0, confidence: 1 }],
  ])('accepts %s', (_, fields) => {
    expect(given().when(write(fields)).note).toMatchObject(fields);
  });

  it('refuses to supersede an unknown or a forgotten note', () => {
    given({ notes: [noteA] })
      .when(write({ supersedes: [idA, idB] }))
      .thenRefuses({
        code: 'note-unknown',
        message: `there is no note ${idB}`,
      });
    given({ forgotten: [noteA] })
      .when(write({ supersedes: [idA] }))
      .thenRefuses({
        code: 'note-forgotten',
        next: expect.stringContaining(`restore ${idA}`),
      });
  });
});
