import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/commands/handlers.js';
import type { Note } from '../../src/events/note/note.js';
import { idOf, makeNote } from '../support/arbitraries.js';
import { given, now } from '../support/decider.js';

const [idA, idB] = [idOf(1), idOf(2)];
const old = makeNote({ id: idA, title: 'Old title', body: 'one\ntwo\nthree\nfour\n', tags: ['x'] });
const edited: Note = { ...old, title: 'New title', tags: ['x', 'y'], updatedAt: '2026-06-24T19:00:00+00:00' };
const restoreAt: Command = { kind: 'restore-at', id: idA, point: '2026-06-24', commits: {} };

describe('restore at a point in time', () => {
  it('records the earlier text with a new updated_at and the reason', () => {
    const outcome = given({ notes: [edited], earlier: old }).when(restoreAt);
    outcome.thenRecords({
      kind: 'note.restored',
      subject: 'Old title',
      notes: [idA],
      reason: 'as of 2026-06-24',
      project: 'shop',
    });
    expect(outcome.note).toEqual({ ...old, updatedAt: now });
  });

  it('stays quiet when only updated_at differs', () => {
    expect(
      given({ notes: [edited], earlier: { ...edited, updatedAt: old.updatedAt } }).when(restoreAt).decision,
    ).toMatchObject({ kind: 'quiet' });
  });

  it('keeps updated_at only when it restores the last text of a forgotten note', () => {
    expect(given({ forgotten: [old], earlier: old }).when(restoreAt).note).toEqual(old);
    expect(given({ forgotten: [edited], earlier: old }).when(restoreAt).note.updatedAt).toBe(now);
  });

  it('refuses a note that did not exist then, an unknown note and a cycle', () => {
    given({ notes: [edited] })
      .when(restoreAt)
      .thenRefuses('note-not-then');
    given({ forgotten: [edited] })
      .when(restoreAt)
      .thenRefuses('note-not-then');
    given().when(restoreAt).thenRefuses('note-unknown');
    const state = { notes: [edited, makeNote({ id: idB, supersedes: [idA] })] };
    given({ ...state, earlier: { ...old, supersedes: [idB] } })
      .when(restoreAt)
      .thenRefuses('supersede-cycle');
  });
});
