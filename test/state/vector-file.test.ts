import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packVectors } from '../../src/embedding/packed-vectors.js';
import {
  beginVectorFile,
  hasVectors,
  type NoteVersion,
  notesPerSegment,
  openVectorFile,
  removeVectors,
  type VectorFile,
  vectorFileOf,
} from '../../src/state/vector-file.js';

let folder: string;
let file: VectorFile;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anamnesis-vectors-'));
  file = openVectorFile(folder, 'a model');
});
afterEach(() => {
  file.close();
  rmSync(folder, { recursive: true, force: true });
});

const note = (path: string, blob = 'b1'): NoteVersion => ({ journal: 'portable', path, blob });
const at = (segment: number, place: number) => ({ segment, place });
const vectors = (...numbers: number[]) => packVectors([numbers], numbers.length);
const put = (notes: readonly NoteVersion[], reflects?: string): void =>
  file.change({ add: { notes, vectors: notes.map((_, at) => vectors(1, at)) }, reflects });

describe('a file of vectors', () => {
  it('returns what was put, note by note', () => {
    put([note('a.md'), note('b.md')], 'c1');
    expect(file.reflects()).toBe('c1');
    expect(file.notes()).toEqual([note('a.md'), note('b.md')]);
    const [segment] = file.segments(0);
    expect(segment).toMatchObject({ id: 1, count: 2 });
    expect([...(segment?.values ?? [])]).toEqual([127, 0, 127, 127]);
    expect(file.notesAt([at(1, 1), at(1, 0), at(9, 9)])).toEqual([note('b.md'), note('a.md'), undefined]);
  });

  it('returns no note for the place of an older version, and reads only newer segments', () => {
    put([note('a.md'), note('b.md')]);
    put([note('a.md', 'b2')]);
    expect(file.notesAt([at(1, 0)])[0]).toBeUndefined();
    expect(file.notesAt([at(2, 0)])[0]).toEqual(note('a.md', 'b2'));
    expect(file.segments(1).map(({ id }) => id)).toEqual([2]);
    expect(file.waste()).toEqual({ places: 1, notes: 2, segments: 2 });
  });

  it('removes a version that no longer exists, and keeps a newer one', () => {
    put([note('a.md', 'b2')], 'c1');
    file.change({ remove: [note('a.md', 'b1')] });
    expect(file.notes()).toHaveLength(1);
    file.change({ remove: [note('a.md', 'b2')] });
    expect(file.notes()).toEqual([]);
    // Whether it reflects all notes is unknown until the next catch-up.
    expect(file.reflects()).toBeUndefined();
  });

  it('packs the remaining notes into few segments with new numbers', () => {
    for (let at = 0; at < 5; at += 1) put([note(`${at}.md`)]);
    put([note('0.md', 'b2')], 'c1');
    const before = file.firstSegment();
    file.pack();
    expect(file.firstSegment()).toBeGreaterThan(before);
    expect(file.waste()).toEqual({ places: 0, notes: 5, segments: 1 });
    expect(file.reflects()).toBe('c1');
    expect(file.notesAt([at(file.firstSegment(), 0)])[0]).toEqual(note('0.md', 'b2'));
  });

  it('splits many notes into segments', () => {
    put(Array.from({ length: notesPerSegment + 1 }, (_, at) => note(`${String(at).padStart(4, '0')}.md`)));
    expect(file.segments(0).map(({ counts }) => counts.length)).toEqual([notesPerSegment, 1]);
    expect(file.notesAt([at(2, 0)])[0]?.path).toBe(`0${notesPerSegment}.md`);
  });

  it('is accessible to its owner only', () => {
    expect(statSync(file.file).mode & 0o777).toBe(0o600);
  });

  it('belongs to one model, and is replaced by that of another', () => {
    put([note('a.md')]);
    const other = openVectorFile(folder, 'another model');
    expect(other.notes()).toEqual([]);
    expect(readdirSync(folder)).toHaveLength(1);
    expect(vectorFileOf(folder, 'a model')).toBeUndefined();
    expect(file.isCurrent()).toBe(false);
    other.close();
  });

  it('is told to be damaged, and begun anew under another name', () => {
    const before = file.file;
    put([note('a.md')]);
    file.close();
    writeFileSync(before, 'no database at all, and longer than a header '.repeat(100));
    expect(() => openVectorFile(folder, 'a model')).toThrow('not a database');
    file = beginVectorFile(folder, 'a model');
    expect(file.notes()).toEqual([]);
    expect(file.file).not.toBe(before);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('is removed with every file beside it that belongs to it', () => {
    writeFileSync(`${file.file}-journal`, '');
    writeFileSync(join(folder, 'v14-000001.db'), '');
    expect(hasVectors(folder)).toBe(true);
    removeVectors(folder);
    expect(readdirSync(folder)).toEqual(['v14-000001.db']);
    expect(file.isCurrent()).toBe(false);
  });
});
