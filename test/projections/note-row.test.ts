import { describe, expect, it } from 'vitest';
import { parseNoteFile } from '../../src/events/note/note-file.js';
import { type NoteRow, projectNote } from '../../src/projections/note-row.js';

const id = '01J2000000000000000000000A';

const rowOf = (lines: readonly string[]): NoteRow => {
  const text = ['---', `id: ${id}`, 'type: semantic', ...lines, '---', 'x', ''].join('\n');
  const projected = projectNote(
    parseNoteFile(Buffer.from(text), 'portable', 'a.md'),
    'portable',
    'a.md',
    '0'.repeat(40),
  );
  if ('skipped' in projected) throw new Error(projected.skipped.message);
  return projected.note;
};

describe('the row of a note with oversized front matter', () => {
  it('has only the beginning of a title, and only the words in it', () => {
    const { title, words } = rowOf([`title: ${'deploy '.repeat(100_000)}end`]);
    expect(title).toBe(`${'deploy '.repeat(143).slice(0, 1000)}…`);
    expect(words).toEqual(rowOf([`title: ${'deploy '.repeat(143)}`]).words);
  });

  it('has the whole of any title that a command can set', () => {
    const title = '\u{1f600}'.repeat(300);
    expect(rowOf([`title: ${title}`]).title).toBe(title);
  });

  it('is never cut inside a surrogate pair', () => {
    expect(rowOf([`title: a${'\u{1f600}'.repeat(600)}`]).title).toBe(`a${'\u{1f600}'.repeat(499)}…`);
  });
});
