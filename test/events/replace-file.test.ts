import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { blobIdOf } from '../../src/events/git-files.js';
import { putNoteFile, removeNoteFile } from '../../src/events/working-tree.js';
import { temporaryFolder } from '../support/store.js';

const bytes = (text: string): Buffer => Buffer.from(text);
const blobOf = (text: string): string => blobIdOf(bytes(text), undefined);

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

  it('writes into no note that a killed process of the same number left under two names', () => {
    put(path, 'one');
    // Killed after the file got its name and before the temporary one went; in a container the next process is it again.
    linkSync(fileAt(path), fileAt(`semantic/aa/.anamnesis-${process.pid}.tmp`));
    put('semantic/aa/other.md', 'two');
    expect(read(path)).toBe('one');
    expect(read('semantic/aa/other.md')).toBe('two');
    expect(readdirSync(fileAt('semantic/aa')).sort()).toEqual(['note.md', 'other.md']);
  });

  it('goes on where the folder of what was set aside is gone', () => {
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
