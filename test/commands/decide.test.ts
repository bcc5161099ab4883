import { describe, expect, it } from 'vitest';
import type { Decision } from '../../src/commands/command.js';
import type { EditNote } from '../../src/commands/edit.js';
import type { ForeignFile, ForeignNote } from '../../src/commands/foreign-note.js';
import type { Command } from '../../src/commands/handlers.js';
import { decide } from '../../src/commands/handlers.js';
import { idOfForeign } from '../../src/commands/import-notes.js';
import type { Refusal } from '../../src/commands/refusals.js';
import type { WriteNote } from '../../src/commands/write.js';
import { noteIdOf } from '../../src/commands/write.js';
import type { JournalName, Note } from '../../src/events/note/note.js';
import { formatNoteFile, newNoteFile, parseNoteFile } from '../../src/events/note/note-file.js';
import { pathOfNote } from '../../src/events/note/paths.js';
import { isUlid, timeOfUlid } from '../../src/events/ulid-form.js';
import { idOf, makeNote, makeStamp } from '../support/arbitraries.js';
import { type Known, knowing, known } from '../support/known-notes.js';

const stamp = makeStamp({ agent: 'codex', session: 's1' });
const now = '2026-06-25T18:33:07+00:00';
const [idA, idB, idC, idD] = [idOf(1), idOf(2), idOf(3), idOf(4)];
const noteA = makeNote({ id: idA, title: 'A' });
const noteB = makeNote({ id: idB, title: 'B' });
const secret = `gh${'p_'}a1B2c3D4e5F6g7H8a1B2c3D4e5F6g7H8a1B2`;
const mask = '[REDACTED:github-token]';

const given = (state: Known = {}) => ({ when: (command: Command): Decision => decide(command, knowing(state), stamp) });
const recorded = (decision: Decision) => {
  if (decision.kind !== 'record') throw new Error(`not recorded: ${JSON.stringify(decision)}`);
  return decision;
};
const refusal = (decision: Decision): Refusal => {
  if (decision.kind !== 'refuse') throw new Error(`not refused: ${JSON.stringify(decision)}`);
  return decision.refusal;
};
/** The tree that the changes leave, as far as they touch it. */
const filesAfter = (decision: Decision): ReadonlyMap<string, Buffer | undefined> =>
  new Map(recorded(decision).changes.map(({ journal, path, bytes }) => [`${journal}/${path}`, bytes]));
/** The notes that the changes leave. */
const notesAfter = (decision: Decision): readonly Note[] =>
  [...filesAfter(decision)].flatMap(([place, bytes]) => {
    if (bytes === undefined) return [];
    const slash = place.indexOf('/');
    const parsed = parseNoteFile(bytes, place.slice(0, slash) as JournalName, place.slice(slash + 1));
    if (!parsed.ok) throw new Error(`${place} can't be read: ${parsed.problem.message}`);
    return [parsed.file.note];
  });
const noteAfter = (decision: Decision): Note => {
  const notes = notesAfter(decision);
  expect(notes).toHaveLength(1);
  return notes[0]!;
};
const quiet = (noteId: string | undefined) => ({ kind: 'quiet', noteId, warnings: [] });

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

  it('records a new note with what was asked and who asked', () => {
    const decision = recorded(
      given().when(
        write({
          tags: ['sqlite'],
          keywords: ['wal'],
          importance: 0.5,
          confidence: 0.8,
          source: 'session-end',
          workspace: 'work',
        }),
      ),
    );
    const id = noteIdOf(stamp.eventId);
    expect(decision.event).toEqual({
      kind: 'note.written',
      subject: 'Use WAL mode',
      notes: [id],
      by: undefined,
      project: 'shop',
    });
    expect(decision).toMatchObject({ noteId: id, masked: [], warnings: [] });
    expect([...filesAfter(decision).keys()]).toEqual([`memory/${pathOfNote('semantic', id)}`]);
    expect(noteAfter(decision)).toEqual({
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

  it('gives the note an id that follows from the event and has its time', () => {
    const id = noteIdOf(stamp.eventId);
    expect(isUlid(id)).toBe(true);
    expect(timeOfUlid(id)).toBe(timeOfUlid(stamp.eventId));
    expect(id).not.toBe(stamp.eventId);
    expect(recorded(given().when(write())).noteId).toBe(recorded(given().when(write())).noteId);
  });

  it('puts a machine-local note into the local journal', () => {
    const decision = given().when(write({ scope: 'machine-local', type: 'episodic' }));
    expect([...filesAfter(decision).keys()]).toEqual([`local/${pathOfNote('episodic', noteIdOf(stamp.eventId))}`]);
    expect(noteAfter(decision).scope).toBe('machine-local');
  });

  it('records that it supersedes others, each once, and leaves their files alone', () => {
    const decision = recorded(given({ notes: [noteA, noteB] }).when(write({ supersedes: [idA, idB, idA] })));
    expect(decision.event).toMatchObject({
      kind: 'note.superseded',
      notes: [decision.noteId, idA, idB],
      by: decision.noteId,
    });
    expect(noteAfter(decision).supersedes).toEqual([idA, idB]);
  });

  it('takes white space off the ends of a title', () => {
    expect(noteAfter(given().when(write({ title: '  Use WAL  ' }))).title).toBe('Use WAL');
  });

  it('writes a time of expiry as the format has it', () => {
    expect(noteAfter(given().when(write({ expiresAt: '2027-01-31' }))).expiresAt).toBe('2027-01-31T00:00:00+00:00');
  });

  it('masks a secret in title, body, tags and keywords, and says so', () => {
    const decision = recorded(
      given().when(write({ title: `Token ${secret}`, body: `${secret}\n`, tags: [secret], keywords: [`k ${secret}`] })),
    );
    expect(decision.masked).toEqual([{ kind: 'github-token', count: 4 }]);
    expect(noteAfter(decision)).toMatchObject({
      title: `Token ${mask}`,
      body: `${mask}\n`,
      tags: [mask],
      keywords: [`k ${mask}`],
    });
    expect(decision.event.subject).toBe(`Token ${mask}`);
  });

  it('keeps tags unique when two of them were secrets', () => {
    const tags = noteAfter(given().when(write({ tags: [secret, `gh${'p_'}${'z9Y8x7W6'.repeat(4)}a1B2`] }))).tags;
    expect(new Set(tags).size).toBe(tags.length);
  });

  it.each<[name: string, fields: Partial<WriteNote>, says: RegExp]>([
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
      'an importance that is no number',
      { importance: Number.NaN },
      /importance must be a number from 0 to 1; given: NaN/,
    ],
    ['a confidence below 0', { confidence: -0.1 }, /confidence must be a number from 0 to 1; given: -0.1/],
    ['an expiry that is no time', { expiresAt: 'soon' }, /expires_at must be a date or time .*; given: "soon"/],
    [
      'an expiry that the format can not write',
      { expiresAt: '9999-12-31T23:59:59-05:00' },
      /expires_at must be a date or time/,
    ],
  ])('refuses %s and says the limit and what was given', (_, fields, says) => {
    const { message, next } = refusal(given().when(write(fields)));
    expect(message).toMatch(says);
    expect(message).not.toContain('\n');
    expect(next).not.toBe('');
  });

  it.each<[name: string, fields: Partial<WriteNote>]>([
    ['a title of 300 characters, emoji too', { title: '🚀'.repeat(300) }],
    ['a body of 256 KiB', { body: 'x'.repeat(262_144) }],
    ['64 tags of 100 characters', { tags: Array.from({ length: 64 }, (_, n) => `${n}`.padStart(100, 'x')) }],
    ['an empty body', { body: '' }],
    ['shares at the ends', { importance: 0, confidence: 1 }],
  ])('accepts %s', (_, fields) => {
    expect(noteAfter(given().when(write(fields)))).toMatchObject(fields);
  });

  it('refuses to supersede a note that never was, or one that was forgotten', () => {
    expect(refusal(given({ notes: [noteA] }).when(write({ supersedes: [idA, idB] })))).toMatchObject({
      code: 'note-unknown',
      message: `there is no note ${idB}`,
    });
    expect(refusal(given({ forgotten: [noteA] }).when(write({ supersedes: [idA] })))).toMatchObject({
      code: 'note-forgotten',
      next: expect.stringContaining(`restore ${idA}`),
    });
  });
});

/** Two further files with the note's id, as the Python Anamnesis leaves them. */
const copies = [
  { journal: 'memory' as const, path: `semantic/${idA}.md`, blob: 'c'.repeat(40) },
  { journal: 'memory' as const, path: `semantic/old/${idA}.md`, blob: 'd'.repeat(40) },
];
const twice = known(noteA, { copies });

describe('edit', () => {
  const edit = (set: EditNote['set'], expectedVersion?: string): EditNote => ({
    kind: 'edit',
    id: idA,
    set,
    expectedVersion,
  });

  it('records every field that can be set, where the file lies, and bumps updated_at', () => {
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
    const lies = known(noteA, { path: `semantic/deep/down/${idA}.md` });
    const decision = recorded(given({ notes: [lies] }).when(edit(set)));
    expect(decision.event).toEqual({ kind: 'note.edited', subject: 'T', notes: [idA], project: 'p' });
    expect(decision.noteId).toBe(idA);
    expect([...filesAfter(decision).keys()]).toEqual([`memory/semantic/deep/down/${idA}.md`]);
    expect(noteAfter(decision)).toEqual({ ...noteA, ...set, expiresAt: '2027-01-31T00:00:00+00:00', updatedAt: now });
  });

  it('takes an optional field away that is given as null', () => {
    const note = makeNote({ id: idA, importance: 0.5, expiresAt: now });
    expect(noteAfter(given({ notes: [note] }).when(edit({ importance: null, expiresAt: null })))).toEqual({
      ...note,
      importance: undefined,
      expiresAt: undefined,
      updatedAt: now,
    });
  });

  it('moves the file when the type changes', () => {
    const decision = given({ notes: [noteA] }).when(edit({ type: 'procedural' }));
    const to = `memory/${pathOfNote('procedural', idA)}`;
    expect([...filesAfter(decision)].map(([path, bytes]) => [path, bytes !== undefined]).sort()).toEqual([
      [to, true],
      [`memory/${pathOfNote('semantic', idA)}`, false],
    ]);
    expect(noteAfter(decision)).toEqual({ ...noteA, type: 'procedural', updatedAt: now });
  });

  it('leaves the keys alone that it does not know', () => {
    const text = formatNoteFile(newNoteFile(noteA)).toString().replace('tags:', 'mood: fine # really\ntags:');
    const decision = given({ notes: [known(noteA, { text })] }).when(edit({ title: 'T' }));
    expect([...filesAfter(decision).values()].join('')).toBe(
      text.replace('title: A', 'title: T').replace(/updated_at: .*/, `updated_at: '${now}'`),
    );
  });

  it('folds further files of the note in', () => {
    const decision = given({ notes: [twice] }).when(edit({ title: 'T' }));
    expect([...filesAfter(decision)].filter(([, bytes]) => bytes === undefined).map(([path]) => path)).toEqual(
      copies.map(({ path }) => `memory/${path}`),
    );
    expect(noteAfter(decision).title).toBe('T');
  });

  it('keeps what a further file says that the note does not, in a conflict copy in its journal', () => {
    const copy = known({ ...noteA, body: 'Said elsewhere.\n' }, { path: `semantic/copied/${idA}.md` });
    const same = known({ ...noteA, title: 'The same text' }, { path: `semantic/${idA}.md` });
    const decision = recorded(
      given({
        notes: [
          known(noteA, {
            copies: [
              { ...copy.place, file: copy.file },
              { ...same.place, file: same.file },
            ],
          }),
        ],
      }).when(edit({ title: 'T' })),
    );
    const files = [...filesAfter(decision)];
    expect(files.filter(([, bytes]) => bytes === undefined).map(([path]) => path)).toEqual([
      `memory/${copy.place.path}`,
      `memory/semantic/${idA}.md`,
    ]);
    const kept = files.filter(([path, bytes]) => bytes !== undefined && !path.includes(idA));
    expect(kept.map(([path]) => path)).toEqual([expect.stringMatching(/^memory\//)]);
    expect(String(kept[0]?.[1])).toContain(`conflicts-with ${idA}`);
    expect(String(kept[0]?.[1])).toContain('Said elsewhere.');
    expect(decision.event.notes).toEqual([idA, kept[0]?.[0].slice(-29, -3)]);
    expect(decision.warnings.join()).toContain('anamnesis conflicts');
  });

  it('takes over tags that only a further file has, and leaves out those that the edit takes away', () => {
    const before = { ...noteA, tags: ['both', 'mine'] };
    const copy = known({ ...noteA, tags: ['Both', 'theirs'] }, { path: `semantic/copied/${idA}.md` });
    const notes = [known(before, { copies: [{ ...copy.place, file: copy.file }] })];
    const kept = given({ notes }).when(edit({ title: 'T' }));
    expect(noteAfter(kept).tags).toEqual(['both', 'mine', 'theirs']);
    const without = given({ notes }).when(edit({ tags: ['new'] }));
    expect(noteAfter(without).tags).toEqual(['new', 'theirs']);
    expect(recorded(without).event.notes).toEqual([idA]);
  });

  it('leaves a further file in the other journal alone: what another machine says of a machine-local note', () => {
    const elsewhere = known({ ...noteA, tags: ['theirs'] });
    const copies = [{ ...elsewhere.place, file: elsewhere.file }];
    const notes = [known({ ...noteA, scope: 'machine-local', tags: ['mine'] }, { copies })];
    const decision = recorded(given({ notes }).when(edit({ title: 'T' })));
    expect(decision.changes.map(({ journal }) => journal)).toEqual(['local']);
    expect(noteAfter(decision)).toMatchObject({ title: 'T', tags: ['mine'] });
  });

  it('keeps what a further file says also where the note is written over it', () => {
    const path = pathOfNote('procedural', idA);
    const copy = known({ ...noteA, body: 'Said elsewhere.\n' }, { path });
    const decision = given({ notes: [known(noteA, { copies: [{ ...copy.place, file: copy.file }] })] }).when(
      edit({ type: 'procedural' }),
    );
    expect([...filesAfter(decision).values()].join('')).toContain('Said elsewhere.');
  });

  it('keeps the note when a further file of it lies where a change of type puts it', () => {
    const there = { journal: 'memory' as const, path: pathOfNote('procedural', idA), blob: 'c'.repeat(40) };
    const decision = given({ notes: [known(noteA, { copies: [there] })] }).when(edit({ type: 'procedural' }));
    expect(noteAfter(decision)).toMatchObject({ id: idA, type: 'procedural' });
    expect(filesAfter(decision).get(`memory/${there.path}`)).toBeDefined();
  });

  it('masks a secret and says so', () => {
    const decision = recorded(given({ notes: [noteA] }).when(edit({ body: `see ${secret}` })));
    expect(decision.masked).toEqual([{ kind: 'github-token', count: 1 }]);
    expect(noteAfter(decision).body).toBe(`see ${mask}`);
  });

  it('stays quiet when every field has its value', () => {
    expect(given({ notes: [noteA] }).when(edit({ title: ' A ', tags: [], importance: null, confidence: 1 }))).toEqual(
      quiet(idA),
    );
    expect(given({ notes: [makeNote({ id: idA, body: mask })] }).when(edit({ body: secret }))).toEqual(quiet(idA));
  });

  it('accepts the version that is there and refuses another, naming both', () => {
    const { blob } = known(noteA).place;
    expect(given({ notes: [noteA] }).when(edit({ title: 'T' }, blob)).kind).toBe('record');
    const refused = refusal(given({ notes: [noteA] }).when(edit({ title: 'T' }, 'f'.repeat(40))));
    expect(refused.code).toBe('version-moved');
    expect(refused.message).toContain(blob.slice(0, 12));
    expect(refused.message).toContain('f'.repeat(12));
  });

  it('refuses a note that never was, one that was forgotten, and an edit of nothing', () => {
    expect(refusal(given().when(edit({ title: 'T' }))).code).toBe('note-unknown');
    expect(refusal(given({ forgotten: [noteA] }).when(edit({ title: 'T' }))).code).toBe('note-forgotten');
    expect(refusal(given({ notes: [noteA] }).when(edit({}))).code).toBe('nothing-asked');
    expect(refusal(given({ notes: [noteA] }).when(edit({ title: undefined }))).code).toBe('nothing-asked');
  });

  it('refuses what passes a limit, and lets a field be that it does not set', () => {
    expect(refusal(given({ notes: [noteA] }).when(edit({ title: 'x'.repeat(301) }))).message).toMatch(
      /at most 300 .* 301/,
    );
    const long = makeNote({ id: idA, title: 'x'.repeat(400), tags: ['a', 'A', ''] });
    expect(noteAfter(given({ notes: [long] }).when(edit({ body: 'B' })))).toMatchObject({
      title: long.title,
      tags: long.tags,
      body: 'B',
    });
  });

  it('refuses an expiry after which the note could not be read', () => {
    for (const expiresAt of ['9999-12-31T23:59:59-05:00', '0000-01-01T00:00:00+05:00']) {
      expect(refusal(given({ notes: [noteA] }).when(edit({ expiresAt }))).message).toMatch(/expires_at must be/);
    }
  });

  it('refuses a file whose keys do not stand on lines of their own', () => {
    const flow = known(noteA, { text: `---\n{id: ${idA}, type: semantic, title: A}\n---\nB` });
    expect(refusal(given({ notes: [flow] }).when(edit({ title: 'T' }))).code).toBe('not-editable');
  });
});

describe('supersede', () => {
  const supersede = (by: string, ...ids: string[]): Command => ({ kind: 'supersede', ids, by });
  const noteC = makeNote({ id: idC, title: 'C', supersedes: [idB] });

  it('records the older ids in the newer note, whose updated_at alone is bumped', () => {
    const decision = recorded(given({ notes: [noteA, noteB, noteC] }).when(supersede(idC, idA, idA)));
    expect(decision.event).toEqual({
      kind: 'note.superseded',
      subject: 'C',
      notes: [idC, idA],
      by: idC,
      project: 'shop',
    });
    expect(noteAfter(decision)).toEqual({ ...noteC, supersedes: [idB, idA], updatedAt: now });
  });

  it('folds further files of the newer note in', () => {
    const decision = given({ notes: [twice, noteB] }).when(supersede(idA, idB));
    expect([...filesAfter(decision).values()].filter((bytes) => bytes === undefined)).toHaveLength(2);
    expect(noteAfter(decision).supersedes).toEqual([idB]);
  });

  it('stays quiet when it is so already', () => {
    expect(given({ notes: [noteB, noteC] }).when(supersede(idC, idB))).toEqual(quiet(idC));
  });

  it('refuses a ring: of one, of two and of three', () => {
    const state = { notes: [noteB, noteC, makeNote({ id: idD, title: 'D', supersedes: [idC] })] };
    for (const [by, older] of [
      [idC, idC],
      [idB, idC],
      [idB, idD],
    ] as const) {
      const refused = refusal(given(state).when(supersede(by, older)));
      expect(refused.code).toBe('supersede-cycle');
      expect(refused.message).toContain(older);
      expect(refused.message).toContain(by);
    }
  });

  it('refuses a ring also where one of several ids makes it, and comes to an end in a ring that is there', () => {
    const ring = [makeNote({ id: idA, supersedes: [idB] }), makeNote({ id: idB, supersedes: [idA] }), noteC];
    expect(
      refusal(given({ notes: [...ring, makeNote({ id: idD, supersedes: [] })] }).when(supersede(idB, idD, idC))).code,
    ).toBe('supersede-cycle');
    expect(given({ notes: [...ring, makeNote({ id: idD })] }).when(supersede(idD, idA)).kind).toBe('record');
  });

  it('refuses notes that are not there, older or newer', () => {
    expect(refusal(given({ notes: [noteA] }).when(supersede(idA, idB))).message).toContain(idB);
    expect(refusal(given({ notes: [noteA] }).when(supersede(idB, idA))).message).toContain(idB);
    expect(refusal(given({ notes: [noteA], forgotten: [noteB] }).when(supersede(idA, idB))).code).toBe(
      'note-forgotten',
    );
  });
});

describe('forget', () => {
  const forget = (reason?: string): Command => ({ kind: 'forget', id: idA, reason });

  it('records that the file and all further files of the note go', () => {
    const decision = recorded(given({ notes: [twice] }).when(forget('wrong')));
    expect(decision.event).toEqual({
      kind: 'note.forgotten',
      subject: 'A',
      notes: [idA],
      reason: 'wrong',
      project: 'shop',
    });
    expect([...filesAfter(decision)]).toEqual(
      [pathOfNote('semantic', idA), ...copies.map(({ path }) => path)].map((path) => [`memory/${path}`, undefined]),
    );
    expect(decision.noteId).toBeUndefined();
  });

  it('masks a secret in the reason', () => {
    const decision = recorded(given({ notes: [noteA] }).when(forget(`leaked ${secret}`)));
    expect([decision.event.reason, decision.masked]).toEqual([`leaked ${mask}`, [{ kind: 'github-token', count: 1 }]]);
  });

  it('stays quiet when the note is forgotten', () => {
    expect(given({ forgotten: [noteA] }).when(forget())).toEqual(quiet(undefined));
  });

  it('refuses a note that never was, and a reason that is too long', () => {
    expect(refusal(given().when(forget())).code).toBe('note-unknown');
    expect(refusal(given({ notes: [noteA] }).when(forget('x'.repeat(1001)))).message).toMatch(
      /reason has at most 1000 characters; given: 1001/,
    );
  });
});

describe('restore', () => {
  const restore: Command = { kind: 'restore', id: idA };

  it('records the last file again, byte for byte and at its place', () => {
    const decision = recorded(given({ forgotten: [noteA] }).when(restore));
    expect(decision.event).toEqual({ kind: 'note.restored', subject: 'A', notes: [idA], project: 'shop' });
    expect(decision.changes).toEqual([
      { journal: 'memory', path: pathOfNote('semantic', idA), bytes: formatNoteFile(newNoteFile(noteA)) },
    ]);
    expect(noteAfter(decision).updatedAt).toBe(noteA.updatedAt);
  });

  it('stays quiet when the note is there', () => {
    expect(given({ notes: [noteA] }).when(restore)).toEqual(quiet(idA));
  });

  it('refuses a note that never was', () => {
    expect(refusal(given().when(restore)).code).toBe('note-unknown');
  });
});

describe('tag', () => {
  const tag = (add: readonly string[], remove: readonly string[] = []): Command => ({
    kind: 'tag',
    id: idA,
    add,
    remove,
  });
  const tagged = makeNote({ id: idA, title: 'A', tags: ['Docs', 'old'] });

  it('records tags that come and go, and leaves updated_at alone', () => {
    const decision = recorded(given({ notes: [tagged] }).when(tag(['new'], ['OLD'])));
    expect(decision.event).toEqual({ kind: 'note.tagged', subject: 'A', notes: [idA], project: 'shop' });
    expect(noteAfter(decision)).toEqual({ ...tagged, tags: ['Docs', 'new'] });
  });

  it('keeps the spelling that stands there', () => {
    expect(noteAfter(given({ notes: [tagged] }).when(tag(['docs', 'new']))).tags).toEqual(['Docs', 'old', 'new']);
  });

  it('folds further files of the note in', () => {
    expect(
      [...filesAfter(given({ notes: [twice] }).when(tag(['new']))).values()].filter((bytes) => bytes === undefined),
    ).toHaveLength(2);
  });

  it('masks a secret', () => {
    const decision = recorded(given({ notes: [noteA] }).when(tag([secret])));
    expect([noteAfter(decision).tags, decision.masked]).toEqual([[mask], [{ kind: 'github-token', count: 1 }]]);
  });

  it('stays quiet when nothing changes', () => {
    expect(given({ notes: [tagged] }).when(tag(['DOCS'], ['gone']))).toEqual(quiet(idA));
  });

  it('refuses what passes a limit, but takes tags away from a note that has too many', () => {
    const many = makeNote({ id: idA, tags: Array.from({ length: 70 }, (_, n) => `t${n}`) });
    expect(refusal(given({ notes: [many] }).when(tag(['new']))).message).toMatch(/tags are at most 64; given: 71/);
    expect(noteAfter(given({ notes: [many] }).when(tag([], ['t0']))).tags).toHaveLength(69);
    expect(refusal(given({ notes: [tagged] }).when(tag(['x'.repeat(101)]))).message).toMatch(
      /100 characters; given: 101/,
    );
    expect(refusal(given({ notes: [tagged] }).when(tag(['a', 'A']))).message).toMatch(/unique/);
  });

  it('refuses no tags, and notes that are not there', () => {
    expect(refusal(given({ notes: [tagged] }).when(tag([]))).code).toBe('nothing-asked');
    expect(refusal(given().when(tag(['a']))).code).toBe('note-unknown');
    expect(refusal(given({ forgotten: [noteA] }).when(tag(['a']))).code).toBe('note-forgotten');
  });
});

describe('move', () => {
  const move = (fields: { project?: string; scope?: 'portable' | 'machine-local' }): Command => ({
    kind: 'move',
    id: idA,
    ...fields,
  });

  it('records another project where the file lies, and bumps updated_at', () => {
    const decision = recorded(given({ notes: [noteA] }).when(move({ project: 'bank' })));
    expect(decision.event).toEqual({
      kind: 'note.moved',
      subject: 'A',
      notes: [idA],
      project: 'bank',
      move: undefined,
    });
    expect(decision.warnings).toEqual([]);
    expect(noteAfter(decision)).toEqual({ ...noteA, project: 'bank', updatedAt: now });
  });

  it('puts a note into the other journal, destination first, and says what it leaves behind', () => {
    const there = known(noteA, { path: `semantic/${idA}.md` });
    const decision = recorded(given({ notes: [there] }).when(move({ scope: 'machine-local' })));
    expect([...filesAfter(decision)].map(([path, bytes]) => [path, bytes !== undefined])).toEqual([
      [`local/${pathOfNote('semantic', idA)}`, true],
      [`memory/semantic/${idA}.md`, false],
    ]);
    expect(decision.event.move).toBe(`memory ${there.place.blob} semantic/${idA}.md`);
    expect(decision.warnings).toEqual([expect.stringMatching(/history of the memory journal/)]);
    expect(noteAfter(decision)).toEqual({ ...noteA, scope: 'machine-local', updatedAt: now });
    expect([...filesAfter(decision).values()].join('')).toContain('\nscope: machine-local\n');
  });

  it('folds further files of the note in', () => {
    const decision = given({ notes: [twice] }).when(move({ scope: 'machine-local' }));
    expect([...filesAfter(decision)].filter(([, bytes]) => bytes !== undefined)).toHaveLength(1);
    expect(filesAfter(decision).size).toBe(4);
  });

  it('keeps the note when a further file of it lies at the destination', () => {
    const there = { journal: 'local' as const, path: pathOfNote('semantic', idA), blob: 'c'.repeat(40) };
    const decision = given({ notes: [known(noteA, { copies: [there] })] }).when(move({ scope: 'machine-local' }));
    expect(noteAfter(decision)).toMatchObject({ id: idA, scope: 'machine-local' });
    expect(filesAfter(decision).get(`local/${there.path}`)).toBeDefined();
  });

  it('stays quiet when the note is there already', () => {
    expect(given({ notes: [noteA] }).when(move({ project: 'shop', scope: 'portable' }))).toEqual(quiet(idA));
  });

  it('refuses no destination, an empty project, and notes that are not there', () => {
    expect(refusal(given({ notes: [noteA] }).when(move({}))).code).toBe('nothing-asked');
    expect(refusal(given({ notes: [noteA] }).when(move({ project: ' ' }))).message).toMatch(/project/);
    expect(refusal(given().when(move({ project: 'p' }))).code).toBe('note-unknown');
    expect(refusal(given({ forgotten: [noteA] }).when(move({ project: 'p' }))).code).toBe('note-forgotten');
  });
});

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
  const imported = notesAfter(given().when(take(foreign())))[0]!;

  it('records all of them in one event', () => {
    const decision = recorded(given().when(take(foreign(), foreign({ sourceKey: 'jsonl:notes/2' }))));
    expect(decision.event).toEqual({
      kind: 'notes.imported',
      subject: '2 notes from notes.jsonl',
      notes: [id, idOfForeign(foreign({ sourceKey: 'jsonl:notes/2' }))],
    });
    expect(decision).toMatchObject({ noteId: undefined, counts: { imported: 2, updated: 0, skipped: 0 } });
    expect(filesAfter(decision).size).toBe(2);
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
    const decision = given().when(
      take(foreign({ type: undefined, project: undefined, createdAtMs: undefined, title: '' })),
    );
    expect(noteAfter(decision)).toMatchObject({
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
    expect(noteAfter(given().when(take(foreign({ body: 'x'.repeat(300_000), tags })))).tags).toEqual(tags);
  });

  it('masks secrets in every field and counts them once by kind', () => {
    const decision = recorded(
      given().when(take(foreign({ title: secret, body: secret, tags: [secret], keywords: [secret] }))),
    );
    expect(decision.masked).toEqual([{ kind: 'github-token', count: 4 }]);
    expect([...filesAfter(decision).values()].join('')).not.toContain(secret);
  });

  it('stays quiet when all of them are the same, also one with a secret', () => {
    expect(given({ notes: [imported] }).when(take(foreign()))).toMatchObject({
      kind: 'quiet',
      counts: { imported: 0, updated: 0, skipped: 1 },
    });
    const masked = notesAfter(given().when(take(foreign({ body: secret }))))[0]!;
    expect(given({ notes: [masked] }).when(take(foreign({ body: secret }))).kind).toBe('quiet');
  });

  it('updates what an earlier import brought, where it lies, and bumps updated_at', () => {
    const lies = known(imported, { path: `procedural/elsewhere/${id}.md` });
    const decision = recorded(given({ notes: [lies] }).when(take(foreign({ title: 'New', body: 'New\n', tags: [] }))));
    expect([...filesAfter(decision).keys()]).toEqual([`memory/procedural/elsewhere/${id}.md`]);
    expect(noteAfter(decision)).toEqual({ ...imported, title: 'New', body: 'New\n', tags: [], updatedAt: now });
    expect(decision.counts).toEqual({ imported: 0, updated: 1, skipped: 0 });
  });

  it('finds the note by its foreign id, whatever its own id', () => {
    const other = { ...imported, id: idD };
    expect(noteAfter(given({ notes: [other] }).when(take(foreign({ title: 'New' })))).id).toBe(idD);
  });

  it('leaves alone what was edited here since, and says so', () => {
    const decision = given({ notes: [{ ...imported, title: 'Mine' }], edited: [id] }).when(
      take(foreign({ body: 'New\n' })),
    );
    expect(decision).toMatchObject({
      kind: 'quiet',
      counts: { skipped: 1 },
      warnings: [expect.stringMatching(/1 notes? w(as|ere) edited here/)],
    });
  });

  it('leaves forgotten what was forgotten here, and says so', () => {
    const decision = given({ forgotten: [imported] }).when(take(foreign()));
    expect(decision).toMatchObject({
      kind: 'quiet',
      counts: { skipped: 1 },
      warnings: [expect.stringMatching(/1 notes? w(as|ere) forgotten here/)],
    });
  });

  it('takes a foreign id once that comes twice', () => {
    const decision = recorded(given().when(take(foreign({ title: 'First' }), foreign({ title: 'Second' }))));
    expect(decision.counts).toEqual({ imported: 1, updated: 0, skipped: 1 });
    expect(notesAfter(decision)).toHaveLength(1);
  });
});

describe('import of the files of a store', () => {
  const fileOf = (note: Note, path = pathOfNote(note.type, note.id), journal: JournalName = 'memory'): ForeignFile => ({
    journal,
    path,
    bytes: formatNoteFile(newNoteFile(note)),
  });
  const take = (...files: readonly ForeignFile[]): Command => ({ kind: 'import', from: 'store', notes: [], files });

  it('keeps the id, the place and every byte', () => {
    const bytes = Buffer.from(`---\r\nid: ${idA}\r\nmood: fine\r\ntype: semantic\r\ntitle: A\r\n---\r\nB`);
    const decision = recorded(given().when(take({ journal: 'memory', path: `semantic/${idA}.md`, bytes })));
    expect(decision.changes).toEqual([{ journal: 'memory', path: `semantic/${idA}.md`, bytes }]);
    expect(decision.counts).toEqual({ imported: 1, updated: 0, skipped: 0 });
  });

  it('gives a file a place that has none', () => {
    expect([...filesAfter(given().when(take(fileOf(noteA, 'notes/a.md')))).keys()]).toEqual([
      `memory/${pathOfNote('semantic', idA)}`,
    ]);
  });

  it('does not put a file where another note lies', () => {
    const decision = given({ notes: [known(noteB)] }).when(take(fileOf(noteA, pathOfNote('semantic', idB))));
    expect([...filesAfter(decision).keys()]).toEqual([`memory/${pathOfNote('semantic', idA)}`]);
  });

  it('masks secrets', () => {
    const decision = recorded(given().when(take(fileOf({ ...noteA, title: secret, body: secret, tags: [secret] }))));
    expect(decision.masked).toEqual([{ kind: 'github-token', count: 3 }]);
    expect(noteAfter(decision)).toMatchObject({ title: mask, body: mask, tags: [mask] });
  });

  it('masks secrets also where the keys do not stand on lines of their own', () => {
    const bytes = Buffer.from(`---\n{id: ${idA}, type: semantic, title: ${secret}, mood: fine}\n---\nB`);
    const decision = given().when(take({ journal: 'memory', path: `semantic/${idA}.md`, bytes }));
    const text = [...filesAfter(decision).values()].join('');
    expect(text).not.toContain(secret);
    expect(text).toContain('mood: fine');
    expect(noteAfter(decision).title).toBe(mask);
  });

  it('takes the newer of two, and leaves the newer one here', () => {
    const newer = { ...noteA, title: 'Newer', updatedAt: now };
    expect(noteAfter(given({ notes: [noteA] }).when(take(fileOf(newer)))).title).toBe('Newer');
    expect(given({ notes: [newer] }).when(take(fileOf(noteA)))).toMatchObject({
      kind: 'quiet',
      counts: { skipped: 1 },
    });
  });

  it('stays quiet when it is the same', () => {
    expect(given({ notes: [noteA] }).when(take(fileOf(noteA)))).toMatchObject({
      kind: 'quiet',
      counts: { skipped: 1 },
    });
  });

  it('leaves forgotten what was forgotten here', () => {
    expect(given({ forgotten: [noteA] }).when(take(fileOf(noteA))).kind).toBe('quiet');
  });

  it('never puts a machine-local text into the journal that is synced', () => {
    const text = { ...noteA, body: 'for this machine alone', scope: 'machine-local' as const, updatedAt: now };
    const decision = given({ notes: [noteA] }).when(take(fileOf(text, undefined, 'local')));
    const changes = decision.kind === 'record' ? decision.changes : [];
    for (const { journal, bytes } of changes) {
      if (journal === 'memory') expect(bytes?.toString() ?? '').not.toContain('for this machine alone');
    }
  });
});
