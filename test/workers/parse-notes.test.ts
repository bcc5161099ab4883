import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { blobIdOf } from '../../src/events/note/blob-id.js';
import { formatNoteFile, newNoteFile } from '../../src/events/note/note-file.js';
import { type ParseTask, parsePacked } from '../../src/workers/parse-notes.js';
import { idOf, makeNote } from '../support/arbitraries.js';
import { temporaryFolder } from '../support/store.js';

describe('the rows that a thread sends', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
    mkdirSync(join(folder, 'semantic'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const taskOf = (inserting: number, title: string): ParseTask => {
    const note = makeNote({ id: idOf(1), title, body: '', tags: [], keywords: [] });
    const bytes = formatNoteFile(newNoteFile(note));
    const path = `semantic/${note.id}.md`;
    writeFileSync(join(folder, path), bytes);
    return {
      task: 'parse',
      journal: 'portable',
      folder,
      entries: [{ path, blob: blobIdOf(bytes) }],
      inserting,
    };
  };
  const placesOf = ({ rows }: ReturnType<typeof parsePacked>): readonly (readonly number[])[] =>
    rows.map((row) => (row !== undefined && 'note' in row ? row.note.words.places : []));

  it('carry each word once, and start a new list for another replay', () => {
    const first = parsePacked(taskOf(1, 'pool size'));
    const second = parsePacked(taskOf(1, 'deploy the pool'));
    const other = parsePacked(taskOf(2, 'the pool'));
    expect(first).toMatchObject({ before: 0, added: ['pool', 'size'] });
    expect(second).toMatchObject({ before: 2, added: ['deploy', 'the'] });
    expect(placesOf(second)).toEqual([[2, 3, 0]]);
    expect(other).toMatchObject({ before: 0, added: ['the', 'pool'] });
  });
});
