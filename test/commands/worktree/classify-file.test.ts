import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyFile, type FileAction } from '../../../src/commands/worktree/classify-file.js';

const none = undefined;
describe('a path is reconciled by the version checked out, the version in the head and the file', () => {
  it.each<
    [reading: string, base: string | undefined, head: string | undefined, file: string | undefined, done: FileAction]
  >([
    ['all agree', 'a', 'a', 'a', 'nothing'],
    ['there never was a file', none, none, none, 'nothing'],
    ['killed after the commit, or a foreign commit', 'a', 'b', 'a', 'put'],
    ['a new note was committed but not put yet', none, 'b', none, 'put'],
    ['a note was forgotten and its file is still there', 'a', none, 'a', 'put'],
    ['killed after the file was put', 'a', 'b', 'b', 'advance'],
    ['killed after a new file was put', none, 'b', 'b', 'advance'],
    ['killed after the file was removed', 'a', none, none, 'advance'],
    ['a person edited', 'a', 'a', 'f', 'adopt'],
    ['a person removed the file', 'a', 'a', none, 'adopt'],
    ['a person added a file', none, none, 'f', 'adopt'],
    ['a person edited while the head moved', 'a', 'b', 'f', 'merge'],
    ['both added a file at one path', none, 'b', 'f', 'merge'],
    ['a person edited what was forgotten: the edit is kept', 'a', none, 'f', 'adopt'],
    ['a person removed what was edited: the edit is kept', 'a', 'b', none, 'put'],
  ])('%s', (_, base, head, file, done) => {
    expect(classifyFile(base, head, file)).toBe(done);
  });

  it('never overwrites a file that is neither of the two known versions', () => {
    const anyBlob = fc.constantFrom('a', 'b', 'c', none);
    fc.assert(
      fc.property(anyBlob, anyBlob, anyBlob, (base, head, file) => {
        const done = classifyFile(base, head, file);
        if (file !== undefined && file !== base && file !== head) expect(['adopt', 'merge']).toContain(done);
        if (done === 'nothing' || done === 'advance') expect(file).toBe(head);
        if (done === 'merge') expect([head, file]).not.toContain(undefined);
      }),
    );
  });
});
