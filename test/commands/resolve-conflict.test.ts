import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Decision, KnownNote } from '../../src/commands/command.js';
import { hasMarks, markConflict } from '../../src/commands/conflict-marks.js';
import { decide } from '../../src/commands/handlers.js';
import { maxBodyBytes } from '../../src/commands/limits.js';
import type { ResolveConflict } from '../../src/commands/resolve-conflict.js';
import { conflictsWith } from '../../src/events/note/conflict-link.js';
import { conflictCopy } from '../../src/events/note/merge.js';
import type { Note } from '../../src/events/note/note.js';
import { formatNoteFile, type NoteFile, parseNoteFile } from '../../src/events/note/note-file.js';
import { pathOfNote } from '../../src/events/note/paths.js';
import { anyBody, idOf, makeNote, makeStamp } from '../support/arbitraries.js';
import { type Known, knowing, known } from '../support/known-notes.js';

const now = '2026-06-25T18:33:07+00:00';
const id = idOf(1);
const note = makeNote({ id, title: 'Ports', body: 'The API is on 9090.\n', tags: ['api'] });
const made = conflictCopy(note, 'The API is on 7070.\n', idOf(9), 0, now);
const copyId = made.note.id;
const copyOf = (text = formatNoteFile(made).toString()): KnownNote => known(made.note, { text });
const copy = copyOf();
const both: Known = { notes: [note, copy] };

const given = (state: Known = both) => ({
  when: (verdict: ResolveConflict['verdict'], more: Partial<ResolveConflict> = {}): Decision =>
    decide({ kind: 'resolve-conflict', copy: copyId, original: id, verdict, ...more }, knowing(state), makeStamp()),
});
const recorded = (decision: Decision) => {
  if (decision.kind !== 'record') throw new Error(`not recorded: ${JSON.stringify(decision)}`);
  return decision;
};
const refusal = (decision: Decision) => {
  if (decision.kind !== 'refuse') throw new Error(`not refused: ${JSON.stringify(decision)}`);
  return decision.refusal;
};
const fileAfter = (decision: Decision): NoteFile => {
  const written = recorded(decision).changes.find(({ bytes }) => bytes !== undefined);
  const parsed = parseNoteFile(written!.bytes!, written!.journal, written!.path);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.file;
};
const noteAfter = (decision: Decision): Note => fileAfter(decision).note;
const removed = (decision: Decision): readonly string[] =>
  recorded(decision).changes.flatMap(({ path, bytes }) => (bytes === undefined ? [path] : []));

describe('ours', () => {
  it('gives the note the text of the copy, and removes the copy', () => {
    const decision = recorded(given().when('ours'));
    expect(noteAfter(decision)).toEqual({ ...note, body: 'The API is on 7070.\n', updatedAt: now });
    expect(removed(decision)).toEqual([pathOfNote('semantic', copyId)]);
    expect(decision).toMatchObject({ noteId: id, masked: [], warnings: [] });
    expect(decision.event).toEqual({
      kind: 'conflict.resolved',
      subject: 'ours: Ports',
      notes: [id, copyId],
      reason: 'ours',
      project: 'shop',
    });
  });

  it('sets the title that lost, where one did', () => {
    expect(noteAfter(given().when('ours', { title: 'Ports of the API' })).title).toBe('Ports of the API');
  });

  it('only removes the copy where both say the same by now', () => {
    const decision = given({ notes: [{ ...note, body: 'The API is on 7070.\n' }, copy] }).when('ours');
    expect(recorded(decision).changes).toEqual([
      { journal: 'memory', path: pathOfNote('semantic', copyId), bytes: undefined },
    ]);
  });

  it('masks a secret that a person committed into the copy', () => {
    const text = formatNoteFile(made).toString().replace('7070', 'ghp_Zr8Kq2mVx5Lw9TbN4cYh7Jd3Gf6Ps1Xu0EaR');
    const decision = recorded(given({ notes: [note, copyOf(text)] }).when('ours'));
    expect(noteAfter(decision).body).toBe('The API is on [REDACTED:github-token].\n');
    expect(decision.masked).toEqual([{ kind: 'github-token', count: 1 }]);
  });
});

describe('theirs', () => {
  it('leaves the note as it is, updated_at included, and removes the copy', () => {
    expect(recorded(given().when('theirs')).changes).toEqual([
      { journal: 'memory', path: pathOfNote('semantic', copyId), bytes: undefined },
    ]);
  });
});

describe('both', () => {
  it('puts the text of the copy below that of the note, with a rule between', () => {
    expect(noteAfter(given().when('both')).body).toBe('The API is on 9090.\n\n---\n\nThe API is on 7070.\n');
  });

  it('writes the line ends of the note', () => {
    const state = { notes: [{ ...note, body: 'one\r\ntwo\r\n' }, copy] };
    expect(noteAfter(given(state).when('both')).body).toBe('one\r\ntwo\r\n\r\n---\r\n\r\nThe API is on 7070.\n');
  });

  it('is refused where that would be more than a note may hold', () => {
    const state = { notes: [{ ...note, body: 'x'.repeat(maxBodyBytes) }, copy] };
    expect(refusal(given(state).when('both'))).toMatchObject({ code: 'limit-passed' });
  });
});

describe('edit', () => {
  it('gives the note the text, with its secrets masked', () => {
    const decision = recorded(given().when('edit', { body: 'ghp_Zr8Kq2mVx5Lw9TbN4cYh7Jd3Gf6Ps1Xu0EaR\n' }));
    expect(noteAfter(decision).body).toBe('[REDACTED:github-token]\n');
    expect(removed(decision)).toEqual([pathOfNote('semantic', copyId)]);
  });

  it('is refused while a mark of the conflict remains', () => {
    const text = markConflict(note.body, made.note.body);
    expect(refusal(given().when('edit', { body: text })).code).toBe('marks-remain');
    for (const mark of text.split('\n').filter((line) => /^(?:<<<|===|>>>)/.test(line)))
      expect(refusal(given().when('edit', { body: `a\r\n${mark}\r\nb\n` })).code).toBe('marks-remain');
  });

  it('is refused for an empty text', () => {
    expect(refusal(given().when('edit', { body: ' \n' })).code).toBe('body-empty');
    expect(refusal(given().when('edit')).code).toBe('body-empty');
  });

  it.each(['note', 'copy'] as const)('is refused when the %s is not the version that the person saw', (side) => {
    const decision = given().when('edit', { body: 'x\n', expected: { [side]: 'f'.repeat(40) } });
    expect(refusal(decision)).toMatchObject({ code: 'version-moved' });
  });

  it('is recorded when both are the versions that the person saw', () => {
    const expected = { note: known(note).place.blob, copy: copy.place.blob };
    expect(noteAfter(given().when('edit', { body: 'x\n', expected })).body).toBe('x\n');
  });
});

describe('a conflict about a note that is gone', () => {
  const alone: Known = { notes: [copy], forgotten: [note] };

  it('leaves the copy as a note of its own: no link, and the title that the note had', () => {
    const decision = recorded(given(alone).when('ours'));
    const after = fileAfter(decision);
    expect(after.note).toEqual({ ...made.note, title: 'Ports', updatedAt: now });
    expect(conflictsWith(after)).toBeUndefined();
    expect(after.front.values).not.toHaveProperty('links');
    expect(decision).toMatchObject({ noteId: copyId, event: { subject: 'ours: Ports', notes: [id, copyId] } });
  });

  it('keeps other links and unknown keys of the copy', () => {
    const text = formatNoteFile(made).toString().replace('links:\n', 'mood: fine\nlinks:\n- see-also x\n');
    const after = fileAfter(given({ notes: [copyOf(text)], forgotten: [note] }).when('ours'));
    expect(after.front.values).toMatchObject({ mood: 'fine', links: ['see-also x'] });
  });

  it('goes with the copy where the person takes their side', () => {
    const decision = recorded(given(alone).when('theirs'));
    expect(decision.changes.map(({ bytes }) => bytes)).toEqual([undefined]);
    expect(decision.noteId).toBeUndefined();
  });

  it.each(['both', 'edit'] as const)('is refused for %s, naming what can be done', (verdict) => {
    expect(refusal(given(alone).when(verdict, { body: 'x\n' }))).toMatchObject({
      code: 'note-gone',
      next: expect.stringContaining(`anamnesis restore ${id}`),
    });
  });

  it('does not make a note of an id that was none', () => {
    expect(recorded(given({ notes: [copy] }).when('theirs')).event.notes).toEqual([copyId]);
  });
});

describe('a conflict that is over', () => {
  it('is quiet when the copy is gone', () => {
    expect(given({ notes: [note], forgotten: [made.note] }).when('ours')).toMatchObject({ kind: 'quiet', noteId: id });
  });

  it('is quiet when somebody took the link away', () => {
    const text = formatNoteFile(made)
      .toString()
      .replace(/links:\n- .*\n/, '');
    expect(given({ notes: [note, copyOf(text)] }).when('ours')).toMatchObject({ kind: 'quiet' });
  });

  it('is refused for a copy that never was', () => {
    expect(refusal(given({ notes: [note] }).when('ours')).code).toBe('note-unknown');
  });
});

describe('a note with more than one file', () => {
  it('keeps one, and so does the copy none', () => {
    const twin = { journal: 'memory' as const, path: `semantic/${id}.md`, blob: 'c'.repeat(40) };
    const other = { journal: 'memory' as const, path: `semantic/${copyId}.md`, blob: 'd'.repeat(40) };
    const state = { notes: [known(note, { copies: [twin] }), { ...copy, copies: [other] }] };
    expect(removed(given(state).when('ours'))).toEqual([twin.path, pathOfNote('semantic', copyId), other.path]);
  });
});

describe('the text with marks', () => {
  it('shows once what both say, and where they differ one above the other', () => {
    expect(markConflict('same\nours\nend', 'same\ntheirs\nend')).toBe(
      'same\n<<<<<<< the note says\nours\n======= the conflicting edit says\ntheirs\n>>>>>>> end of the conflict\nend',
    );
  });

  it('has marks exactly where the texts differ, and gives either text back without the other’s lines', () => {
    const side = (text: string, keep: 'note' | 'copy'): string => {
      let at: 'both' | 'note' | 'copy' = 'both';
      return text
        .split(/(?<=\n)/)
        .filter((line) => {
          if (line.startsWith('<<<<<<< the')) at = 'note';
          else if (line.startsWith('======= or') || line.startsWith('======= the')) at = 'copy';
          else if (line.startsWith('>>>>>>> end')) at = 'both';
          else return at === 'both' || at === keep;
          return false;
        })
        .join('');
    };
    const withEnd = anyBody.map((body) => `${body}\n`);
    fc.assert(
      fc.property(withEnd, withEnd, (one, other) => {
        const text = markConflict(one, other);
        expect(hasMarks(text)).toBe(one !== other);
        expect([side(text, 'note'), side(text, 'copy')]).toEqual([one, other]);
      }),
    );
  });
});
