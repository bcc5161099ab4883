import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../src/commands/command.js';
import { decide } from '../../src/commands/handlers.js';
import type { Note } from '../../src/events/note/note.js';
import { formatNoteFile, newNoteFile, parseNoteFile } from '../../src/events/note/note-file.js';
import { pathOfNote } from '../../src/events/note/paths.js';
import { idOf, makeNote, makeStamp } from '../support/arbitraries.js';
import { type Known, knowing, known } from '../support/known-notes.js';

const id = idOf(1);
const learned = makeNote({ id, title: 'Push with tags', source: 'session-end', confidence: 0.6 });
const secret = `gh${'p_'}a1B2c3D4e5F6g7H8a1B2c3D4e5F6g7H8a1B2`;

const given = (state: Known = {}) => ({
  confirm: (reason?: string): Decision => decide({ kind: 'confirm', id, reason }, knowing(state), makeStamp()),
});
const recorded = (decision: Decision) => {
  if (decision.kind !== 'record') throw new Error(`not recorded: ${JSON.stringify(decision)}`);
  return decision;
};
const refusal = (decision: Decision) => {
  if (decision.kind !== 'refuse') throw new Error(`not refused: ${JSON.stringify(decision)}`);
  return decision.refusal;
};
const noteAfter = (decision: Decision): Note => {
  const { journal, path, bytes } = recorded(decision).changes[0]!;
  const parsed = parseNoteFile(bytes!, journal, path);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.file.note;
};

describe('confirm', () => {
  it('records a quarter less doubt and leaves everything else as it is, updated_at too', () => {
    const decision = recorded(given({ notes: [learned] }).confirm('learned again in session s-2'));
    expect(decision.event).toEqual({
      kind: 'note.confirmed',
      subject: 'Push with tags',
      notes: [id],
      reason: 'learned again in session s-2',
      project: 'shop',
    });
    expect(decision).toMatchObject({ noteId: id, masked: [], warnings: [] });
    expect(decision.changes.map(({ path }) => path)).toEqual([pathOfNote('semantic', id)]);
    expect(noteAfter(decision)).toEqual({ ...learned, confidence: 0.7 });
  });

  it('raises each time, never reaches certainty, and is quiet in the end', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 0.94, noNaN: true }), (confidence) => {
        let note = makeNote({ id, confidence });
        for (let times = 0; ; times += 1) {
          expect(times).toBeLessThan(30);
          const decision = given({ notes: [note] }).confirm();
          if (decision.kind === 'quiet') break;
          const after = noteAfter(decision);
          expect(after.confidence).toBeGreaterThan(note.confidence);
          expect(after.confidence).toBeLessThanOrEqual(0.95);
          note = after;
        }
        expect(note.confidence).toBeGreaterThan(0.9);
      }),
    );
  });

  it.each([1, 0.99, 0.95, 7])(
    'is quiet for a note of confidence %d: what a person is sure of stays so',
    (confidence) => {
      expect(given({ notes: [makeNote({ id, confidence })] }).confirm()).toEqual({
        kind: 'quiet',
        noteId: id,
        warnings: [],
      });
    },
  );

  it('changes no line of the file but that of the confidence', () => {
    const text = formatNoteFile(newNoteFile(learned)).toString().replace('tags:', 'mood: fine # really\ntags:');
    const { changes } = recorded(given({ notes: [known(learned, { text })] }).confirm());
    expect(changes[0]?.bytes?.toString()).toBe(text.replace('confidence: 0.6', 'confidence: 0.7'));
  });

  it('folds further files of the note in', () => {
    const copies = [{ journal: 'memory' as const, path: `semantic/${id}.md`, blob: 'c'.repeat(40) }];
    const { changes } = recorded(given({ notes: [known(learned, { copies })] }).confirm());
    expect(changes.map(({ path, bytes }) => [path, bytes === undefined])).toEqual([
      [pathOfNote('semantic', id), false],
      [`semantic/${id}.md`, true],
    ]);
  });

  it('masks a secret in the reason', () => {
    const decision = recorded(given({ notes: [learned] }).confirm(`said again with ${secret}`));
    expect(decision.event.reason).toBe('said again with [REDACTED:github-token]');
    expect(decision.masked).toEqual([{ kind: 'github-token', count: 1 }]);
  });

  it('refuses a note that never was, one that was forgotten, and a reason that is too long', () => {
    expect(refusal(given().confirm())).toMatchObject({ code: 'note-unknown', message: `there is no note ${id}` });
    expect(refusal(given({ forgotten: [learned] }).confirm())).toMatchObject({
      code: 'note-forgotten',
      next: expect.stringContaining(`restore ${id}`),
    });
    expect(refusal(given({ notes: [learned] }).confirm('x'.repeat(1001))).message).toMatch(/reason has at most 1000/);
  });

  it('refuses a file whose keys do not stand on lines of their own', () => {
    const flow = known(learned, { text: `---\n{id: ${id}, type: semantic, title: A, confidence: 0.5}\n---\nB` });
    expect(refusal(given({ notes: [flow] }).confirm()).code).toBe('not-editable');
  });
});
