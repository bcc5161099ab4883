import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KnownNote } from '../../src/commands/command.js';
import { hasMarks, markConflict } from '../../src/commands/conflict-marks.js';
import { maxBodyBytes } from '../../src/commands/limits.js';
import type { ResolveConflict } from '../../src/commands/resolve-conflict.js';
import { conflictCopy } from '../../src/events/note/merge.js';
import { formatNoteFile } from '../../src/events/note/note-file.js';
import { conflictsWith } from '../../src/events/note/note-links.js';
import { pathOfNote } from '../../src/events/note/paths.js';
import { anyBody, idOf, makeNote } from '../support/arbitraries.js';
import { given, now, type Outcome } from '../support/decider.js';
import { type Known, known } from '../support/known-notes.js';

const id = idOf(1);
const note = makeNote({ id, title: 'Ports', body: 'The API is on 9090.\n', tags: ['api'] });
const made = conflictCopy(note, 'The API is on 7070.\n', idOf(9), 0, now);
const copyId = made.note.id;
const copyOf = (text = formatNoteFile(made).toString()): KnownNote => known(made.note, { text });
const copy = copyOf();
const both: Known = { notes: [note, copy] };

const resolve = (verdict: ResolveConflict['verdict'], more: Partial<ResolveConflict> = {}): ResolveConflict => ({
  kind: 'resolve-conflict',
  copy: copyId,
  original: id,
  verdict,
  ...more,
});
const local = '---\nscope: machine-local\n---\nPRIVATE\n';
const removed = ({ recorded }: Outcome): readonly string[] =>
  recorded.changes.flatMap(({ path, bytes }) => (bytes === undefined ? [path] : []));

describe('ours', () => {
  it('gives the note the text of the copy and removes the copy', () => {
    const outcome = given(both).when(resolve('ours'));
    expect(outcome.note).toEqual({ ...note, body: 'The API is on 7070.\n', updatedAt: now });
    expect(removed(outcome)).toEqual([pathOfNote('semantic', copyId)]);
    expect(outcome.recorded).toMatchObject({ noteId: id, masked: [], warnings: [] });
    outcome.thenRecords({
      kind: 'conflict.resolved',
      subject: 'Ports',
      notes: [id, copyId],
      reason: 'ours',
      project: 'shop',
    });
  });

  it('also sets the given title of the copy', () => {
    expect(given(both).when(resolve('ours', { title: 'Ports of the API' })).note.title).toBe('Ports of the API');
  });

  it('only removes the copy when both now have the same text', () => {
    const outcome = given({ notes: [{ ...note, body: 'The API is on 7070.\n' }, copy] }).when(resolve('ours'));
    expect(outcome.recorded.changes).toEqual([
      { journal: 'portable', path: pathOfNote('semantic', copyId), bytes: undefined },
    ]);
  });

  it('masks a secret that a person committed into the copy', () => {
    const text = formatNoteFile(made).toString().replace('7070', 'ghp_Zr8Kq2mVx5Lw9TbN4cYh7Jd3Gf6Ps1Xu0EaR');
    const outcome = given({ notes: [note, copyOf(text)] }).when(resolve('ours'));
    expect(outcome.note.body).toBe('The API is on [REDACTED:github-token].\n');
    expect(outcome.recorded.masked).toEqual([{ kind: 'github-token', count: 1 }]);
  });
});

describe('theirs', () => {
  it('leaves the note as it is, including updated_at, and removes the copy', () => {
    expect(given(both).when(resolve('theirs')).recorded.changes).toEqual([
      { journal: 'portable', path: pathOfNote('semantic', copyId), bytes: undefined },
    ]);
  });
});

describe('both', () => {
  it('appends the text of the copy to the note, below a horizontal rule', () => {
    expect(given(both).when(resolve('both')).note.body).toBe('The API is on 9090.\n\n---\n\nThe API is on 7070.\n');
  });

  it('writes the line endings of the note', () => {
    const state = { notes: [{ ...note, body: 'one\r\ntwo\r\n' }, copy] };
    expect(given(state).when(resolve('both')).note.body).toBe('one\r\ntwo\r\n\r\n---\r\n\r\nThe API is on 7070.\n');
  });

  it('drops the blank lines at the start of the copy, even many megabytes of them', () => {
    const text = formatNoteFile(made)
      .toString()
      .replace('The API', `${' \n\t\r\n'.repeat(3_000_000)}  The API`);
    const outcome = given({ notes: [note, copyOf(text)] }).when(resolve('both'));
    expect(outcome.note.body).toBe('The API is on 9090.\n\n---\n\n  The API is on 7070.\n');
  });

  it('is refused when the joined text exceeds the limit of a body', () => {
    const state = { notes: [{ ...note, body: 'x'.repeat(maxBodyBytes) }, copy] };
    given(state).when(resolve('both')).thenRefuses({ code: 'limit-passed' });
  });
});

describe('edit', () => {
  it('gives the note the given text with its secrets masked', () => {
    const outcome = given(both).when(resolve('edit', { body: 'ghp_Zr8Kq2mVx5Lw9TbN4cYh7Jd3Gf6Ps1Xu0EaR\n' }));
    expect(outcome.note.body).toBe('[REDACTED:github-token]\n');
    expect(removed(outcome)).toEqual([pathOfNote('semantic', copyId)]);
  });

  it('is refused while a conflict marker remains', () => {
    const text = markConflict(note.body, made.note.body);
    given(both)
      .when(resolve('edit', { body: text }))
      .thenRefuses('marks-remain');
    for (const mark of text.split('\n').filter((line) => /^(?:<<<|===|>>>)/.test(line)))
      given(both)
        .when(resolve('edit', { body: `a\r\n${mark}\r\nb\n` }))
        .thenRefuses('marks-remain');
  });

  it('accepts such a text for a note that is itself machine-local', () => {
    const here = { scope: 'machine-local' } as const;
    const notes = [
      known({ ...note, ...here }),
      known({ ...made.note, ...here }, { text: formatNoteFile(made).toString() }),
    ];
    expect(given({ notes }).when(resolve('edit', { body: local })).note.body).toBe(local);
  });

  it('is refused for an empty text', () => {
    given(both)
      .when(resolve('edit', { body: ' \n' }))
      .thenRefuses('body-empty');
    given(both).when(resolve('edit')).thenRefuses('body-empty');
  });

  it.each(['note', 'copy'] as const)('is refused when the %s is no longer the version that the person saw', (side) => {
    const outcome = given(both).when(resolve('edit', { body: 'x\n', expected: { [side]: 'f'.repeat(40) } }));
    expect(outcome.refusal).toMatchObject({ code: 'version-moved' });
  });

  it('is recorded when both are still the versions that the person saw', () => {
    const expected = { note: known(note).place.blob, copy: copy.place.blob };
    expect(given(both).when(resolve('edit', { body: 'x\n', expected })).note.body).toBe('x\n');
  });
});

describe('a conflict whose note was forgotten', () => {
  const alone: Known = { notes: [copy], forgotten: [note] };

  it('turns the copy into a note of its own with ours: no link, and the title of the note', () => {
    const outcome = given(alone).when(resolve('ours'));
    const after = outcome.noteFiles[0]!;
    expect(after.note).toEqual({ ...made.note, title: 'Ports', updatedAt: now });
    expect(conflictsWith(after)).toBeUndefined();
    expect(after.front.values).not.toHaveProperty('links');
    expect(outcome.recorded).toMatchObject({ noteId: copyId, event: { subject: 'Ports', notes: [id, copyId] } });
  });

  it('keeps other links and unknown keys of the copy', () => {
    const text = formatNoteFile(made).toString().replace('links:\n', 'mood: fine\nlinks:\n- see-also x\n');
    const after = given({ notes: [copyOf(text)], forgotten: [note] }).when(resolve('ours')).noteFiles[0]!;
    expect(after.front.values).toMatchObject({ mood: 'fine', links: ['see-also x'] });
  });

  it('removes the copy with theirs', () => {
    const outcome = given(alone).when(resolve('theirs'));
    expect(outcome.recorded.changes.map(({ bytes }) => bytes)).toEqual([undefined]);
    expect(outcome.noteId).toBeUndefined();
  });

  it.each(['both', 'edit'] as const)('is refused for %s, with a next step', (verdict) => {
    given(alone)
      .when(resolve(verdict, { body: 'x\n' }))
      .thenRefuses({
        code: 'note-gone',
        next: expect.stringContaining(`anamnesis restore ${id}`),
      });
  });

  it('does not name an original that never was a note in the event', () => {
    expect(given({ notes: [copy] }).when(resolve('theirs')).event.notes).toEqual([copyId]);
  });
});

describe('a conflict that is over', () => {
  it('stays quiet when the copy is forgotten', () => {
    expect(given({ notes: [note], forgotten: [made.note] }).when(resolve('ours')).decision).toMatchObject({
      kind: 'quiet',
      noteId: id,
    });
  });

  it('stays quiet when the link was removed', () => {
    const text = formatNoteFile(made)
      .toString()
      .replace(/links:\n- .*\n/, '');
    expect(given({ notes: [note, copyOf(text)] }).when(resolve('ours')).decision).toMatchObject({ kind: 'quiet' });
  });

  it('is refused for an unknown copy', () => {
    given({ notes: [note] })
      .when(resolve('ours'))
      .thenRefuses('note-unknown');
  });
});

describe('a conflict copy with more than one file', () => {
  it('keeps none', () => {
    const other = { journal: 'portable' as const, path: `semantic/${copyId}.md`, blob: 'd'.repeat(40) };
    const state = { notes: [note, { ...copy, copies: [other] }] };
    expect(removed(given(state).when(resolve('ours')))).toEqual([pathOfNote('semantic', copyId), other.path]);
  });
});

describe('the text with conflict markers', () => {
  it('shows common lines once and differing lines one above the other', () => {
    expect(markConflict('same\nours\nend', 'same\ntheirs\nend')).toBe(
      'same\n<<<<<<< the note says\nours\n======= the conflicting edit says\ntheirs\n>>>>>>> end of the conflict\nend',
    );
  });

  it('has markers exactly when the texts differ, and yields either text without the other’s lines', () => {
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
