import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readGivenFile } from '../../src/files/given-file.js';
import { temporaryFolder } from '../support/store.js';

const folder = (): string => {
  const made = temporaryFolder();
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
};
const pipe = (): string => {
  const path = join(folder(), 'pipe');
  spawnSync('mkfifo', [path]);
  return path;
};
const fileWith = (text: string): string => {
  const path = join(folder(), 'file');
  writeFileSync(path, text);
  return path;
};

describe('a named file', () => {
  it('is read whole if it just fits the limit', () => {
    expect(readGivenFile(fileWith('hello'), 5)).toEqual({ ok: true, bytes: Buffer.from('hello') });
  });
  it('is refused with its size if it is larger', () => {
    expect(readGivenFile(fileWith('hello!'), 5)).toEqual({ ok: false, problem: 'too-large', why: '6 bytes' });
  });
  it('may be empty', () => {
    expect(readGivenFile(fileWith(''), 5)).toEqual({ ok: true, bytes: Buffer.alloc(0) });
  });
  it('is missing if nothing is there or its path leads through a file', () => {
    expect(readGivenFile(join(folder(), 'none'), 5)).toMatchObject({ problem: 'missing', why: expect.any(String) });
    expect(readGivenFile(join(fileWith('x'), 'none'), 5)).toMatchObject({ problem: 'missing' });
  });
  it('is refused if it is a folder', () => {
    const path = join(folder(), 'sub');
    mkdirSync(path);
    expect(readGivenFile(path, 5)).toEqual({ ok: false, problem: 'unreadable', why: 'it is a folder' });
  });
});

describe.skipIf(process.platform === 'win32')('an endless file', () => {
  it('is read up to the limit and no further', () => {
    const why = 'more than 200000 bytes';
    expect(readGivenFile('/dev/zero', 200_000)).toEqual({ ok: false, problem: 'too-large', why });
  });
  it('is read up to the limit from a pipe', () => {
    const path = pipe();
    const writer = spawn('sh', ['-c', `cat /dev/zero > '${path}'`], { stdio: 'ignore' });
    onTestFinished(() => void writer.kill());
    expect(readGivenFile(path, 1000)).toMatchObject({ problem: 'too-large' });
  });
});

describe.skipIf(process.platform === 'win32')('a pipe', () => {
  it('is read until its writer is done', () => {
    const path = pipe();
    const words = `sleep 0.2; { printf one; sleep 0.2; printf two; } > '${path}'`;
    const writer = spawn('sh', ['-c', words], { stdio: 'ignore' });
    onTestFinished(() => void writer.kill());
    expect(readGivenFile(path, 1000)).toEqual({ ok: true, bytes: Buffer.from('onetwo') });
  });
});

describe.runIf(process.platform === 'linux')('a file that only looks like one', () => {
  it('is reported as unreadable, without its path', () => {
    expect(readGivenFile('/proc/self/mem', 1000)).toEqual({
      ok: false,
      problem: 'unreadable',
      why: 'EIO: i/o error',
    });
  });
});
