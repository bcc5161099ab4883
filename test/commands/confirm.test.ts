import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/commands/handlers.js';
import { formatNoteFile, newNoteFile } from '../../src/events/note/note-file.js';
import { pathOfNote } from '../../src/events/note/paths.js';
import { idOf, makeNote } from '../support/arbitraries.js';
import { given } from '../support/decider.js';
import { known } from '../support/known-notes.js';

const id = idOf(1);
const learned = makeNote({ id, title: 'Push with tags', source: 'session-end', confidence: 0.6 });
const secret = `gh${'p_'}a1B2c3D4e5F6g7H8a1B2c3D4e5F6g7H8a1B2`;

const confirm = (reason?: string): Command => ({ kind: 'confirm', id, reason });

describe('confirm', () => {
  it('records a quarter less doubt and leaves everything else as it is, even updated_at', () => {
    const outcome = given({ notes: [learned] }).when(confirm('learned again in session s-2'));
    outcome.thenRecords({
      kind: 'note.confirmed',
      subject: 'Push with tags',
      notes: [id],
      reason: 'learned again in session s-2',
      project: 'shop',
    });
    expect(outcome.recorded).toMatchObject({ noteId: id, masked: [], warnings: [] });
    expect(outcome.recorded.changes.map(({ path }) => path)).toEqual([pathOfNote('semantic', id)]);
    expect(outcome.note).toEqual({ ...learned, confidence: 0.7 });
  });

  it('raises the confidence each time, never to certainty, and finally stays quiet', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 0.94, noNaN: true }), (confidence) => {
        let note = makeNote({ id, confidence });
        for (let times = 0; ; times += 1) {
          expect(times).toBeLessThan(30);
          const outcome = given({ notes: [note] }).when(confirm());
          if (outcome.kind === 'quiet') break;
          const after = outcome.note;
          expect(after.confidence).toBeGreaterThan(note.confidence);
          expect(after.confidence).toBeLessThanOrEqual(0.95);
          note = after;
        }
        expect(note.confidence).toBeGreaterThan(0.9);
      }),
    );
  });

  it.each([1, 0.99, 0.95, 7])(
    'stays quiet for a note of confidence %d, which a person may have set on purpose',
    (confidence) => {
      given({ notes: [makeNote({ id, confidence })] })
        .when(confirm())
        .thenStaysQuiet(id);
    },
  );

  it('changes only the confidence line of the file', () => {
    const text = formatNoteFile(newNoteFile(learned)).toString().replace('tags:', 'mood: fine # really\ntags:');
    const { changes } = given({ notes: [known(learned, { text })] }).when(confirm()).recorded;
    expect(changes[0]?.bytes?.toString()).toBe(text.replace('confidence: 0.6', 'confidence: 0.7'));
  });

  it('masks a secret in the reason', () => {
    const outcome = given({ notes: [learned] }).when(confirm(`said again with ${secret}`));
    expect(outcome.event.reason).toBe('said again with [REDACTED:github-token]');
    expect(outcome.recorded.masked).toEqual([{ kind: 'github-token', count: 1 }]);
  });

  it('refuses an unknown note, a forgotten note and a reason that is too long', () => {
    given()
      .when(confirm())
      .thenRefuses({ code: 'note-unknown', message: `there is no note ${id}` });
    given({ forgotten: [learned] })
      .when(confirm())
      .thenRefuses({
        code: 'note-forgotten',
        next: expect.stringContaining(`restore ${id}`),
      });
    given({ notes: [learned] })
      .when(confirm('x'.repeat(1001)))
      .thenRefuses({ message: expect.stringMatching(/reason has at most 1000/) });
  });

  it('refuses a file whose keys are not on separate lines', () => {
    const flow = known(learned, { text: `---\n{id: ${id}, type: semantic, title: A, confidence: 0.5}\n---\nB` });
    given({ notes: [flow] })
      .when(confirm())
      .thenRefuses('not-editable');
  });
});
