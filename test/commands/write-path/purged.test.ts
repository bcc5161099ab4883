import { describe, expect, it } from 'vitest';
import { wasPurged } from '../../../src/commands/write-path/purged.js';

const id = '01J9XK3VZ0QF4T8M2N6P7R9SBD';
const purge = { kind: 'notes.purged', subject: `note ${id}` };
const other = (kind: string) => ({ kind, subject: 'X' });

describe('a note that is not here, by its events from the last one', () => {
  it.each([
    ['was purged', [purge, other('note.written')], true],
    ['was purged, whatever settled something about it since', [other('conflict.resolved'), purge], true],
    ['was forgotten after something brought it back', [other('note.forgotten'), purge], false],
    ['was forgotten, and a text in it purged', [other('notes.purged'), other('note.forgotten')], false],
    ['never was', [], false],
  ] as const)('%s', (_, events, expected) => {
    expect(wasPurged(id, events)).toBe(expected);
  });
});
