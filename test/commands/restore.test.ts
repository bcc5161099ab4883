import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/commands/handlers.js';
import { formatNoteFile, newNoteFile } from '../../src/events/note/note-file.js';
import { pathOfNote } from '../../src/events/note/paths.js';
import { idOf, makeNote } from '../support/arbitraries.js';
import { given, now } from '../support/decider.js';

const idA = idOf(1);
const noteA = makeNote({ id: idA, title: 'A' });

describe('restore', () => {
  const restore: Command = { kind: 'restore', id: idA };

  it('records the last file again, byte for byte and at its old path', () => {
    const outcome = given({ forgotten: [noteA] }).when(restore);
    outcome.thenRecords({ kind: 'note.restored', subject: 'A', notes: [idA], project: 'shop' });
    expect(outcome.recorded.changes).toEqual([
      { journal: 'portable', path: pathOfNote('semantic', idA), bytes: formatNoteFile(newNoteFile(noteA)) },
    ]);
    expect(outcome.note.updatedAt).toBe(noteA.updatedAt);
  });

  it('records the text that the note had when it was forgotten', () => {
    const edit: Command = { kind: 'edit', id: idA, set: { body: 'Edited.\n' } };
    const { note } = given({ notes: [noteA] })
      .after(edit, { kind: 'forget', id: idA })
      .when(restore);
    expect(note).toEqual({ ...noteA, body: 'Edited.\n', agent: 'codex', updatedAt: now });
  });

  it('stays quiet the second time', () => {
    given({ forgotten: [noteA] })
      .after(restore)
      .when(restore)
      .thenStaysQuiet(idA);
  });

  it('stays quiet when the note is not forgotten', () => {
    given({ notes: [noteA] })
      .when(restore)
      .thenStaysQuiet(idA);
  });

  it('refuses an unknown note', () => {
    given().when(restore).thenRefuses('note-unknown');
  });
});
