/** An index of given notes without a store, as a replay would write it. */
import { rmSync } from 'node:fs';
import type Database from 'better-sqlite3';
import type { Note } from '../../src/events/note/note.js';
import { formatNoteFile, newNoteFile, parseNoteFile } from '../../src/events/note/note-file.js';
import { beginGeneration, discardGeneration } from '../../src/projections/new-generation.js';
import { type ProjectedNote, projectNote } from '../../src/projections/note-row.js';
import { beginFold, makeIndexes } from '../../src/projections/registry.js';
import { idOf, makeNote } from './arbitraries.js';
import { temporaryFolder } from './store.js';

export type NotesIndex = { readonly database: Database.Database; close(): void };

/** The `at`th note of a store; its id is `idOf(at)`. */
export const projected = (note: Partial<Note>, at: number): ProjectedNote => {
  const made = makeNote({ id: idOf(at), title: `Note ${at}`, body: '', ...note });
  const path = `semantic/00/${made.id}.md`;
  const parsed = parseNoteFile(formatNoteFile(newNoteFile(made)), 'portable', path);
  return projectNote(parsed, 'portable', path, String(at).padStart(40, '0'));
};

export const indexNotes = (notes: readonly Partial<Note>[]): NotesIndex => {
  const folder = temporaryFolder();
  const { file, database } = beginGeneration(folder);
  const fold = beginFold(database, 'replay');
  notes.forEach((note, at) => {
    fold.insert(projected(note, at));
  });
  makeIndexes(database);
  fold.finish();
  return {
    database,
    close() {
      discardGeneration(file, database);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
