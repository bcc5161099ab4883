import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/commands/handlers.js';
import { idOf, makeNote } from '../support/arbitraries.js';
import { given } from '../support/decider.js';

const idA = idOf(1);
const noteA = makeNote({ id: idA, title: 'A' });
const secret = `gh${'p_'}a1B2c3D4e5F6g7H8a1B2c3D4e5F6g7H8a1B2`;
const mask = '[REDACTED:github-token]';

describe('tag', () => {
  const tag = (add: readonly string[], remove: readonly string[] = []): Command => ({
    kind: 'tag',
    id: idA,
    add,
    remove,
  });
  const tagged = makeNote({ id: idA, title: 'A', tags: ['Docs', 'old'] });

  it('records added and removed tags and leaves updated_at alone', () => {
    const outcome = given({ notes: [tagged] }).when(tag(['new'], ['OLD']));
    outcome.thenRecords({ kind: 'note.tagged', subject: 'A', notes: [idA], project: 'shop' });
    expect(outcome.note).toEqual({ ...tagged, tags: ['Docs', 'new'] });
  });

  it('keeps the existing spelling of a tag', () => {
    expect(given({ notes: [tagged] }).when(tag(['docs', 'new'])).note.tags).toEqual(['Docs', 'old', 'new']);
  });

  it('masks a secret', () => {
    const outcome = given({ notes: [noteA] }).when(tag([secret]));
    expect([outcome.note.tags, outcome.recorded.masked]).toEqual([[mask], [{ kind: 'github-token', count: 1 }]]);
  });

  it('stays quiet the second time', () => {
    given({ notes: [tagged] })
      .after(tag(['new'], ['old']))
      .when(tag(['NEW'], ['old']))
      .thenStaysQuiet(idA);
  });

  it('stays quiet when nothing changes', () => {
    given({ notes: [tagged] })
      .when(tag(['DOCS'], ['gone']))
      .thenStaysQuiet(idA);
  });

  it('refuses tags over the limits, but removes tags from a note that has too many', () => {
    const many = makeNote({ id: idA, tags: Array.from({ length: 70 }, (_, n) => `t${n}`) });
    given({ notes: [many] })
      .when(tag(['new']))
      .thenRefuses({ message: expect.stringMatching(/tags are at most 64; given: 71/) });
    expect(given({ notes: [many] }).when(tag([], ['t0'])).note.tags).toHaveLength(69);
    given({ notes: [tagged] })
      .when(tag(['x'.repeat(101)]))
      .thenRefuses({ message: expect.stringMatching(/100 characters; given: 101/) });
    given({ notes: [tagged] })
      .when(tag(['a', 'A']))
      .thenRefuses({ message: expect.stringMatching(/unique/) });
  });

  it('refuses an empty list of tags and a missing note', () => {
    given({ notes: [tagged] })
      .when(tag([]))
      .thenRefuses('nothing-asked');
    given()
      .when(tag(['a']))
      .thenRefuses('note-unknown');
    given({ forgotten: [noteA] })
      .when(tag(['a']))
      .thenRefuses('note-forgotten');
  });
});
