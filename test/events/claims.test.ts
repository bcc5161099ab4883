import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkClaims, claimedEpochMs } from '../../src/events/claims.js';
import type { JournalEvent } from '../../src/events/event.js';
import { formatFastImport } from '../../src/events/git/fast-import.js';
import { toLoggedEvent } from '../../src/events/logged-event.js';
import { formatMessage, parseMessage } from '../../src/events/trailers.js';
import { anyCharacter } from '../support/any-character.js';
import { anyText, makeEvent } from '../support/arbitraries.js';

const id = '01J0000000000000000000000A';
const blob = 'ab'.repeat(20);
const path = `semantic/0A/${id}.md`;

describe('a commit’s claims about itself', () => {
  it.each([
    'a<b',
    'a>b',
    'x> 1 +0000\ndata 1\na',
    'a\nb',
    'a b',
    '../x',
    'a/b',
    '',
    'x'.repeat(65),
    'Ünicode',
    'a\u0000b',
  ])('name an unknown machine when the name is %j', (machine) => {
    expect(checkClaims(makeEvent({ machine }))?.machine).toBe('unknown');
    expect(parseMessage(formatMessage(makeEvent({ machine })))?.machine).toBe('unknown');
    const commit = { hash: blob, parents: [], epochMs: 0, author: `anamnesis@${machine}`, message: 'by hand' };
    expect(toLoggedEvent(commit, []).event.machine).toBe('unknown');
  });

  it.each<[string, Partial<JournalEvent>]>([
    ['the id of a superseding note with a line end', { by: `${id}\n` }],
    ['the id of an undone event that is a path', { undoes: '../x' }],
    ['a project with a line end', { project: 'a\nMachine: b' }],
    ['a session with an escape', { session: 'a\u001b[2Jb' }],
    ['an agent of many characters', { agent: 'x'.repeat(1001) }],
    ['a user with half a surrogate pair', { user: 'a\ud800' }],
    ['a command with a NUL', { commandId: 'a\u0000' }],
    ['a move from no journal', { move: `remote ${blob} ${path}` }],
    ['a move without a version', { move: `local HEAD ${path}` }],
    ['a move outside the store', { move: `local ${blob} ../../.ssh/${id}.md` }],
    ['a move of a file that is not a note', { move: `local ${blob} config.json` }],
    ['an edit outside the store', { adopted: [`${blob} semantic/../../${id}.md`] }],
    ['an edit without a version', { adopted: [`x ${path}`] }],
    ['a lost value without a note', { lost: ['x title "a"'] }],
    ['a lost value that is not JSON', { lost: [`${id} title {`] }],
  ])('leave out %s', (_, fields) => {
    const event = makeEvent(fields);
    const clean = checkClaims(event);
    expect(clean).toEqual({ ...makeEvent() });
    expect(parseMessage(formatMessage(event))).toEqual(clean);
  });

  it.each<[string, Partial<JournalEvent>]>([
    ['its id', { id: 'x' }],
    ['its kind', { kind: 'note.written\n\nFormat: 1' }],
    ['its time', { at: 'yesterday' }],
    ['a note', { notes: [id, '../x'] }],
  ])('make no event when %s is invalid', (_, fields) => {
    expect(checkClaims(makeEvent(fields))).toBeUndefined();
  });

  it('give the time in one form, whatever form it had', () => {
    expect(checkClaims(makeEvent({ at: '2026-06-24 18:33:07\n' }))?.at).toBe('2026-06-24T18:33:07+00:00');
  });

  it.each([
    ['1700000000', 1_700_000_000_000],
    ['0', 0],
    ['', 0],
    ['-5', 0],
    ['99999999999999999999', 2 ** 48 - 1],
    ['1e5', 0],
  ])('give a time that can be written again when the seconds are %j', (seconds, expected) => {
    expect(claimedEpochMs(seconds)).toBe(expected);
  });

  it('never contain a line end or control character, whatever the trailers say', () => {
    const keys = ['Machine', 'By', 'Reason', 'User', 'Project', 'Session', 'Agent', 'Command-Id', 'Move', 'Undoes'];
    const anyTrailer = fc.tuple(
      fc.constantFrom(...keys, 'Lost', 'Adopted', 'Kind', 'At', 'Event', 'Note'),
      fc.oneof(anyText, fc.string({ unit: anyCharacter })).map((text) => JSON.stringify(text)),
    );
    const head = `note.written: x\n\nFormat: 1\nEvent: ${id}\nKind: note.written\nAt: 2026-06-24T18:33:07+00:00\n`;
    fc.assert(
      fc.property(fc.array(anyTrailer, { maxLength: 6 }), (trailers) => {
        const message = `${head}${trailers.map(([key, value]) => `${key}: ${value}\n`).join('')}`;
        const { event } = toLoggedEvent({ hash: blob, parents: [], epochMs: 0, author: '', message }, []);
        for (const text of Object.values(event).flat())
          expect(String(text ?? '')).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029]/u);
        expect(event.machine).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
        const commit = { message, machine: event.machine, epochMs: 0, changes: [] };
        expect([...formatFastImport([commit], 'refs/heads/main', undefined)].length).toBeGreaterThan(3);
      }),
    );
  });
});

describe('a stream for git fast-import', () => {
  const good = { message: 'x\n', machine: 'laptop', epochMs: 0, changes: [] };
  const stream = (commit: object, branch = 'refs/heads/main', parent?: string): unknown =>
    formatFastImport([good, { ...good, ...commit }], branch, parent);
  it.each<[string, () => unknown]>([
    ['a machine', () => stream({ machine: 'a> 0 +0000\nreset refs/heads/pwned\n' })],
    ['a machine of another alphabet', () => stream({ machine: 'a<b' })],
    ['a time that is not a number', () => stream({ epochMs: Number.NaN })],
    ['a time that no clock shows', () => stream({ epochMs: 1e26 })],
    ['a branch', () => stream({}, 'refs/heads/a\nreset refs/heads/b')],
    ['a branch that points elsewhere', () => stream({}, 'refs/heads/../x')],
    ['a parent', () => stream({}, 'refs/heads/main', 'HEAD\n')],
    ['an empty path, which stands for all files', () => stream({ changes: [{ path: '', bytes: undefined }] })],
    ['a path outside the tree', () => stream({ changes: [{ path: 'a/../b', bytes: undefined }] })],
    ['a path inside .git', () => stream({ changes: [{ path: '.GIT/config', bytes: Buffer.from('') }] })],
    ['an object', () => stream({ changes: [{ path: 'a', blob: 'inline', mode: '100644' }] })],
    ['a mode', () => stream({ changes: [{ path: 'a', blob, mode: '040000' }] })],
  ])('is refused as a whole when git would misread %s', (_, format) => {
    expect(format).toThrow(expect.objectContaining({ code: 'unsafe-stream' }));
  });

  it('accepts file modes written by old versions of git, and quotes special characters in paths', () => {
    const changes = [{ path: 'a "b"\n\\c', blob, mode: '100664' }];
    const text = [...formatFastImport([{ ...good, changes }], 'refs/heads/main', blob)].join('');
    expect(text).toContain(`M 100644 ${blob} "a \\"b\\"\\n\\\\c"\n`);
    expect(text).toContain(`\nfrom ${blob}\n`);
  });
});
