import { describe, expect, it } from 'vitest';
import type { DecidedEvent, Decision } from '../../../src/commands/command.js';
import type { Refusal } from '../../../src/commands/refusals.js';
import { refuseOverwrites } from '../../../src/commands/write-path/occupied-paths.js';
import type { FileChange } from '../../../src/events/event.js';
import type { Note, NoteId } from '../../../src/events/note/note.js';
import { formatNoteFile, newNoteFile } from '../../../src/events/note/note-file.js';
import { pathOfNote } from '../../../src/events/note/paths.js';
import { idOf, makeNote } from '../../support/arbitraries.js';
import { type Known, knowing, known } from '../../support/known-notes.js';

const [a, b, c] = [1, 2, 3].map((n) => makeNote({ id: idOf(n) })) as [Note, Note, Note];
const placeOf = ({ id }: Note): string => pathOfNote('semantic', id);
const change = (path: string, note?: Note): FileChange => ({
  journal: 'portable',
  path,
  bytes: note === undefined ? undefined : formatNoteFile(newNoteFile(note)),
});

/** Returns the refusal of an event with these changes. The paths in `unreadable` are committed files, not notes. */
const refuse = (
  changes: readonly FileChange[],
  { notes = [], kind = 'note.edited', names = [], unreadable = [] }: Asked = {},
): Refusal | undefined => {
  const told = { subject: 's', notes: names, project: 'p' };
  const event: DecidedEvent =
    kind === 'event.undone' ? { ...told, kind, undoes: idOf(9), move: undefined } : { ...told, kind };
  const decision: Decision = { kind: 'record', event, changes, noteId: undefined, masked: [], warnings: [] };
  const problems = unreadable.map(
    (path) => ({ path, code: 'empty', line: 1, key: undefined, message: 'it is empty' }) as const,
  );
  const lookup = { unreadable: () => problems };
  const refused = refuseOverwrites(lookup, { kind: 'edit', id: a.id, set: {} }, decision, knowing({ notes }));
  return refused.kind === 'refuse' ? refused.refusal : undefined;
};
const decisionOn = (changes: readonly FileChange[], asked?: Asked): string => {
  const refusal = refuse(changes, asked);
  return refusal === undefined ? 'record' : `${refusal.code}: ${refusal.message}`;
};
type Asked = {
  readonly notes?: Known['notes'];
  readonly kind?: 'note.edited' | 'event.undone';
  readonly names?: readonly NoteId[];
  readonly unreadable?: readonly string[];
};

describe('an event that writes a note to the path of another note', () => {
  const otherAtA = { notes: [known(b, { path: placeOf(a) })] };

  it('is refused with the path and the note that is there', () => {
    const path = placeOf(a);
    expect(decisionOn([change(path, a)], otherAtA)).toBe(
      `place-taken: note ${b.id} lies where note ${a.id} belongs, in memory/${path}`,
    );
  });

  it('is refused with the advice to rename the other note', () => {
    const advice = refuse([change(placeOf(a), a)], otherAtA)?.next ?? '';
    expect(advice).toContain(`to memory/semantic/apart/${b.id}.md`);
  });

  it('is refused in the middle of an import too', () => {
    expect(decisionOn([change(placeOf(c), c), change(placeOf(a), a)], otherAtA)).toContain('place-taken');
  });

  it('is recorded if it moves the other note to another path', () => {
    expect(decisionOn([change(placeOf(a), a), change(placeOf(b), b)], otherAtA)).toBe('record');
  });

  it('is recorded if it is an undo that removes the other note', () => {
    expect(decisionOn([change(placeOf(a), a)], { ...otherAtA, kind: 'event.undone', names: [a.id, b.id] })).toBe(
      'record',
    );
    expect(decisionOn([change(placeOf(a), a)], { ...otherAtA, kind: 'event.undone', names: [a.id] })).toContain(
      'place-taken',
    );
  });

  it('is recorded if the path is that of the note itself', () => {
    expect(decisionOn([change(placeOf(a), { ...b, title: 'Edited' })], otherAtA)).toBe('record');
    expect(decisionOn([change(placeOf(a))], otherAtA)).toBe('record');
  });
});

it('refuses two notes at one path', () => {
  expect(decisionOn([change(placeOf(a), a), change(placeOf(a), b)])).toContain('place-taken');
});

it('refuses to overwrite an unreadable file', () => {
  const path = placeOf(a);
  expect(decisionOn([change(path, a)], { unreadable: [path] })).toBe(
    `file-blocked: memory/${path} can't be used: line 1: it is empty`,
  );
  expect(decisionOn([change(path)], { unreadable: [path] })).toBe('record');
  expect(decisionOn([change(placeOf(b), b)], { unreadable: [path] })).toBe('record');
});
