import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/commands/handlers.js';
import { idOf, makeNote } from '../support/arbitraries.js';
import { given, now } from '../support/decider.js';
import { writeCommand } from '../support/store.js';

const [idA, idB, idC, idD] = [idOf(1), idOf(2), idOf(3), idOf(4)];
const noteA = makeNote({ id: idA, title: 'A' });
const noteB = makeNote({ id: idB, title: 'B' });

describe('supersede', () => {
  const supersede = (by: string, ...ids: string[]): Command => ({ kind: 'supersede', ids, by });
  const noteC = makeNote({ id: idC, title: 'C', supersedes: [idB] });

  it('records the older ids in the newer note and bumps only its updated_at', () => {
    const outcome = given({ notes: [noteA, noteB, noteC] }).when(supersede(idC, idA, idA));
    outcome.thenRecords({
      kind: 'note.superseded',
      subject: 'C',
      notes: [idC, idA],
      by: idC,
      project: 'shop',
    });
    expect(outcome.note).toEqual({ ...noteC, supersedes: [idB, idA], updatedAt: now });
  });

  it('warns that the older notes stay superseded after a superseding note expires', () => {
    const expires = makeNote({ id: idC, expiresAt: '2999-01-01T00:00:00+00:00' });
    const expected = [expect.stringMatching(/stays superseded after it expires.*anamnesis forget /)];
    const superseded = given({ notes: [noteA, expires] }).when(supersede(idC, idA));
    expect(superseded.recorded.warnings).toEqual(expected);
    const set = { expiresAt: '2999-01-01' };
    expect(given({ notes: [noteC] }).when({ kind: 'edit', id: idC, set }).recorded.warnings).toEqual(expected);
    const write = { ...writeCommand({ supersedes: [idA] }), ...set };
    expect(given({ notes: [noteA] }).when(write).recorded.warnings).toEqual(expected);
    expect(given({ notes: [noteA] }).when({ ...write, expiresAt: undefined }).recorded.warnings).toEqual([]);
  });

  it('refuses to reverse a relation that it recorded', () => {
    given({ notes: [noteA, noteB] })
      .after(supersede(idA, idB))
      .when(supersede(idB, idA))
      .thenRefuses('supersede-cycle');
  });

  it('stays quiet when the note already supersedes the older one', () => {
    given({ notes: [noteB, noteC] })
      .when(supersede(idC, idB))
      .thenStaysQuiet(idC);
  });

  it('refuses a cycle of one, two or three notes', () => {
    const state = { notes: [noteB, noteC, makeNote({ id: idD, title: 'D', supersedes: [idC] })] };
    for (const [by, older] of [
      [idC, idC],
      [idB, idC],
      [idB, idD],
    ] as const) {
      const refused = given(state).when(supersede(by, older)).refusal;
      expect(refused.code).toBe('supersede-cycle');
      expect(refused.message).toContain(older);
      expect(refused.message).toContain(by);
    }
  });

  it('refuses a cycle through one of several ids, and terminates on an existing cycle', () => {
    const cyclic = [makeNote({ id: idA, supersedes: [idB] }), makeNote({ id: idB, supersedes: [idA] }), noteC];
    given({ notes: [...cyclic, makeNote({ id: idD, supersedes: [] })] })
      .when(supersede(idB, idD, idC))
      .thenRefuses('supersede-cycle');
    expect(given({ notes: [...cyclic, makeNote({ id: idD })] }).when(supersede(idD, idA)).kind).toBe('record');
  });

  it('refuses a missing note, older or newer', () => {
    expect(given({ notes: [noteA] }).when(supersede(idA, idB)).refusal.message).toContain(idB);
    expect(given({ notes: [noteA] }).when(supersede(idB, idA)).refusal.message).toContain(idB);
    given({ notes: [noteA], forgotten: [noteB] })
      .when(supersede(idA, idB))
      .thenRefuses('note-forgotten');
  });
});
