import { describe, expect, it } from 'vitest';
import type { EditNote } from '../../src/commands/edit.js';
import { formatNoteFile, newNoteFile } from '../../src/events/note/note-file.js';
import { linksOf } from '../../src/events/note/note-links.js';
import { idOf, makeNote } from '../support/arbitraries.js';
import { given, now } from '../support/decider.js';
import { known } from '../support/known-notes.js';

const trouble = makeNote({ id: idOf(1), title: 'Note 1' });
const answer = makeNote({ id: idOf(2), title: 'Note 2' });
const other = makeNote({ id: idOf(3), title: 'Note 3' });
const resolve = (...resolvedBy: readonly string[]): EditNote => ({ kind: 'edit', id: trouble.id, set: { resolvedBy } });
const withLinks = (links: string) =>
  known(trouble, { text: formatNoteFile(newNoteFile(trouble)).toString().replace('tags:', `links: ${links}\ntags:`) });

describe('edit of the notes that resolve a note', () => {
  it('replaces the resolved-by links and leaves other links and the text alone', () => {
    const before = withLinks(`[part-of ${other.id}, resolved-by ${other.id}]`);
    const outcome = given({ notes: [before, answer, other] }).when(resolve(answer.id, answer.id));
    outcome.thenRecords({ kind: 'note.edited', subject: 'Note 1', notes: [trouble.id], project: trouble.project });
    const [file] = outcome.noteFiles;
    expect(file && linksOf(file)).toEqual([`part-of ${other.id}`, `resolved-by ${answer.id}`]);
    expect(file?.note).toEqual({ ...trouble, updatedAt: now });
  });

  it('removes the key with the last link', () => {
    const outcome = given({ notes: [withLinks(`[resolved-by ${answer.id}]`), answer] }).when(resolve());
    expect([...outcome.files.values()].join('')).not.toContain('links');
  });

  it('stays quiet when it already names them, in any order', () => {
    const before = withLinks(`[resolved-by ${answer.id}, resolved-by ${other.id}]`);
    given({ notes: [before, answer, other] })
      .when(resolve(other.id, answer.id))
      .thenStaysQuiet(trouble.id);
    given({ notes: [trouble] })
      .when(resolve())
      .thenStaysQuiet(trouble.id);
  });

  it('refuses the note itself, an unknown note and a forgotten note', () => {
    given({ notes: [trouble] })
      .when(resolve(trouble.id))
      .thenRefuses('resolves-itself');
    given({ notes: [trouble] })
      .when(resolve(answer.id))
      .thenRefuses('note-unknown');
    given({ notes: [trouble], forgotten: [answer] })
      .when(resolve(answer.id))
      .thenRefuses('note-forgotten');
  });

  it('refuses to overwrite links of another form, but keeps text links', () => {
    for (const links of ['[{to: there}]', '{to: there}'])
      given({ notes: [withLinks(links), answer] })
        .when(resolve(answer.id))
        .thenRefuses('links-foreign');
    const outcome = given({ notes: [withLinks('see the wiki'), answer] }).when(resolve(answer.id));
    expect(outcome.noteFiles.map(linksOf)).toEqual([['see the wiki', `resolved-by ${answer.id}`]]);
  });
});
