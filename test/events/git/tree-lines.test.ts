import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { treeLine } from '../../../src/events/git/git-log.js';
import { compareLines } from '../../../src/events/git/note-tree.js';

const known = (files: readonly (readonly [path: string, blob: string])[]) => {
  const paths = files.map(([path]) => path);
  return { paths, blobs: files.map(([, blob]) => blob), placeOf: (path: string) => paths.indexOf(path) };
};
const blob = (digit: string): string => digit.repeat(40);
const isNote = (path: string): boolean => path.endsWith('.md');

describe('comparing the lines of a tree with known files', () => {
  it('returns the positions of files that the tree contains unchanged, and all other entries', () => {
    const files = known([
      ['a/1.md', blob('1')],
      ['a/2.md', blob('2')],
      ['a/3.md', blob('3')],
      ['a/4.md', blob('4')],
    ]);
    const lines = [
      treeLine('README', blob('0')),
      treeLine('a/1.md', blob('1')),
      treeLine('a/3.md', blob('9')),
      `100755 blob ${blob('4')}\ta/4.md`,
      treeLine('b/5.md', blob('5')),
      '',
    ];
    const { isSame, others } = compareLines(lines, files, isNote);
    expect([...isSame]).toEqual([1, 0, 0, 0]);
    expect(others.map(({ mode, path }) => `${mode} ${path}`)).toEqual([
      '100644 README',
      '100644 a/3.md',
      '100755 a/4.md',
      '100644 b/5.md',
    ]);
  });

  it('returns the same whatever the order of both', () => {
    const file = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), fc.constantFrom('1', '2'));
    const list = fc.uniqueArray(file, { selector: ([name]) => name });
    fc.assert(
      fc.property(list, list, (ours, theirs) => {
        const files = known(ours.map(([name, digit]) => [`${name}.md`, blob(digit)]));
        const lines = theirs.map(([name, digit]) => treeLine(`${name}.md`, blob(digit)));
        const { isSame, others } = compareLines(lines, files, isNote);
        expect([...isSame]).toEqual(
          files.paths.map((path, at) => Number(lines.includes(treeLine(path, files.blobs[at] ?? '')))),
        );
        const same = files.paths.filter((_, at) => isSame[at] === 1);
        expect(others.map(({ path }) => path)).toEqual(
          theirs.map(([name]) => `${name}.md`).filter((path) => !same.includes(path)),
        );
      }),
    );
  });
});
