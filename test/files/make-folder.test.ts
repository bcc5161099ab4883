import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder } from '../../src/files/folders.js';
import { temporaryFolder } from '../support/store.js';

describe('making a folder', () => {
  let folder = '';
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('makes its parents too, for their owner alone, and accepts one that exists', () => {
    makeFolder(join(folder, 'a', 'b', 'c'));
    makeFolder(join(folder, 'a', 'b', 'c'));
    expect(statSync(join(folder, 'a', 'b', 'c')).mode & 0o777).toBe(0o700);
  });

  it('fails below a file', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => makeFolder(join(folder, 'file', 'a'))).toThrow();
  });

  it.runIf(existsSync('/proc/self'))('fails in a folder that allows no others', () => {
    expect(() => makeFolder('/proc/anamnesis/a')).toThrow('ENOENT');
  });
});
