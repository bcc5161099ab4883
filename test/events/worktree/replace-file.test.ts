import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { blobIdOf } from '../../../src/events/note/blob-id.js';
import { clearSetAside, exchangeFile } from '../../../src/events/worktree/replace-file.js';
import { putNoteFile, removeNoteFile } from '../../../src/events/worktree/working-tree.js';
import { temporaryFolder } from '../../support/store.js';

const bytes = (text: string): Buffer => Buffer.from(text);
const blobOf = (text: string): string => blobIdOf(bytes(text), undefined);

const isOtherDisk = (folder: string): boolean => existsSync(folder) && statSync(folder).dev !== statSync(tmpdir()).dev;
const otherDisk = ['/dev/shm', '/tmp', process.cwd()].find(isOtherDisk);

describe('replacing a file', () => {
  let folder = '';
  beforeEach(() => {
    folder = temporaryFolder();
    mkdirSync(join(folder, '.git'));
    mkdirSync(join(folder, 'semantic', 'aa'), { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const path = 'semantic/aa/note.md';
  const fileAt = (at: string): string => join(folder, at);
  const read = (at: string): string => readFileSync(fileAt(at), 'utf8');
  const put = (at: string, text: string, expected?: string) =>
    putNoteFile(folder, at, bytes(text), expected === undefined ? undefined : blobOf(expected));

  it('does not write into a note that a killed process of the same id left under two names', () => {
    put(path, 'one');
    // Killed after the file was named and before its temporary name was removed; in a container, process ids recur.
    linkSync(fileAt(path), fileAt(`semantic/aa/.anamnesis-${process.pid}.tmp`));
    put('semantic/aa/other.md', 'two');
    expect(read(path)).toBe('one');
    expect(read('semantic/aa/other.md')).toBe('two');
    expect(readdirSync(fileAt('semantic/aa')).sort()).toEqual(['note.md', 'other.md']);
  });

  it('keeps the old file when the new one cannot be placed', () => {
    put(path, 'one');
    const missing = fileAt('semantic/aa/no-such-file');
    const incoming = { file: missing, blob: blobOf('two') };
    expect(() => exchangeFile(folder, path, blobOf('one'), incoming)).toThrow('ENOENT');
    expect(read(path)).toBe('one');
  });

  it('keeps what a person saved at that moment when the new one cannot be placed', () => {
    put(path, 'saved');
    const missing = fileAt('semantic/aa/no-such-file');
    const incoming = { file: missing, blob: blobOf('two') };
    expect(() => exchangeFile(folder, path, blobOf('one'), incoming)).toThrow('ENOENT');
    expect(read(path)).toBe('saved');
    expect(readdirSync(fileAt('.git/anamnesis-replaced'))).toEqual([]);
  });

  it('keeps a text that git does not have when the file was removed meanwhile', () => {
    const late = fileAt('.git/late');
    writeFileSync(late, 'written late');
    expect(exchangeFile(folder, path, blobOf('one'), { file: late, blob: undefined })).toBe('changed');
    expect(read(path)).toBe('written late');
  });

  it('keeps what a person saved at that moment rather than a late text, which is set aside', () => {
    put(path, 'saved since');
    const late = fileAt('.git/late');
    writeFileSync(late, 'written late');
    expect(exchangeFile(folder, path, blobOf('one'), { file: late, blob: undefined })).toBe('changed');
    expect(read(path)).toBe('saved since');
    const written = clearSetAside(folder, 0);
    expect(written.map(({ file }) => readFileSync(file, 'utf8'))).toEqual(['written late']);
  });

  it('immediately detects what a program writes into a replaced file, even if its time does not show it', () => {
    put(path, 'one');
    utimesSync(fileAt(path), 1e9, 1e9);
    const program = openSync(fileAt(path), 'a');
    put(path, 'two', 'one');
    expect(clearSetAside(folder, 60_000)).toEqual([]);
    writeSync(program, ' and more');
    closeSync(program);
    const [aside] = clearSetAside(folder, 60_000);
    expect(readFileSync(aside?.file ?? '', 'utf8')).toBe('one and more');
    utimesSync(aside?.file ?? '', 1e9, 1e9);
    expect(clearSetAside(folder, 60_000)).toHaveLength(1);
  });

  it('clears what was set aside by a clock that has been set back since', () => {
    put(path, 'one');
    put(path, 'two', 'one');
    const [aside] = readdirSync(fileAt('.git/anamnesis-replaced'));
    const later = aside?.replace(/^\d+/, String(Date.now() + 1e9)) ?? '';
    renameSync(fileAt(`.git/anamnesis-replaced/${aside}`), fileAt(`.git/anamnesis-replaced/${later}`));
    expect(clearSetAside(folder, 0)).toEqual([]);
    expect(readdirSync(fileAt('.git/anamnesis-replaced'))).toEqual([]);
  });

  it.skipIf(otherDisk === undefined)('works when .git is a link to another disk', () => {
    const elsewhere = mkdtempSync(join(otherDisk ?? '', 'anamnesis-test-'));
    try {
      rmSync(fileAt('.git'), { recursive: true });
      symlinkSync(elsewhere, fileAt('.git'));
      put(path, 'one');
      put(path, 'two', 'one');
      expect(read(path)).toBe('two');
      expect(readdirSync(fileAt('.anamnesis-replaced'))).toHaveLength(1);
      expect(removeNoteFile(folder, path, blobOf('two'))).toBe('removed');
      expect(clearSetAside(folder, 0)).toEqual([]);
      expect(readdirSync(fileAt('.anamnesis-replaced'))).toEqual([]);
    } finally {
      rmSync(elsewhere, { recursive: true, force: true });
    }
  });

  it('works when the folder of files set aside is missing', () => {
    put(path, 'one');
    put(path, 'two', 'one');
    rmSync(fileAt('.git/anamnesis-replaced'), { recursive: true });
    put(path, 'three', 'two');
    expect(read(path)).toBe('three');
    rmSync(fileAt('.git/anamnesis-replaced'), { recursive: true });
    expect(removeNoteFile(folder, path, blobOf('three'))).toBe('removed');
    expect(existsSync(fileAt('semantic/aa'))).toBe(false);
  });
});
