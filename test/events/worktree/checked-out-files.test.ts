import { describe, expect, it } from 'vitest';
import { openCheckedOut, openComparison } from '../../../src/events/worktree/checked-out-files.js';

/** Written at ten seconds past, looked at `laterMs` after that. */
const stamp = (size: number): string => `${size} 10000000000 10000000001 77`;
const openRows = (rows: readonly (readonly [path: string, stamp: string, laterMs: number])[]) =>
  openCheckedOut({
    paths: rows.map(([path]) => path),
    blobs: rows.map(() => 'b'),
    stamps: rows.map(([, one]) => one),
    seenMs: rows.map(([, , laterMs]) => String(10_000 + laterMs)),
  });

/** Compares files with these stamps, in the order that they are found. */
const compare = (files: readonly (readonly [path: string, stamp: string])[], rows: ReturnType<typeof openRows>) => {
  const { see, result } = openComparison(rows);
  for (const [path, one] of files) {
    const [size = '', mtimeNs = '', ctimeNs = '', ino = ''] = one.split(' ');
    see(path, { size: Number(size), mtimeNs, ctimeNs, ino });
  }
  return result();
};

describe('comparing the files of a working tree with their rows', () => {
  it('tells those that are unchanged, changed, new and gone', () => {
    const rows = openRows([
      ['a', stamp(1), 5000],
      ['b', stamp(1), 5000],
      ['c', stamp(1), 5000],
      ['d', stamp(1), 5000],
    ]);
    const { changed, missing, isUnchanged } = compare(
      [
        ['a', stamp(1)],
        ['aa', stamp(1)],
        ['c', stamp(2)],
        ['d', stamp(1)],
      ],
      rows,
    );
    expect(changed).toEqual(['aa', 'c']);
    expect(missing).toEqual(['b']);
    expect(rows.paths.map((path) => isUnchanged(rows.placeOf(path)))).toEqual([true, false, false, true]);
  });

  it('trusts no row of a file that had changed less than two seconds before', () => {
    const rows = openRows([
      ['a', stamp(1), 2000],
      ['b', stamp(1), 2001],
    ]);
    const files = ['a', 'b'].map((path) => [path, stamp(1)] as const);
    expect(compare(files, rows).changed).toEqual(['a']);
  });

  it('finds the rows of files that come in another order', () => {
    const rows = openRows([
      ['a', stamp(1), 5000],
      ['b', stamp(1), 5000],
    ]);
    const files = ['b', 'a'].map((path) => [path, stamp(1)] as const);
    expect(compare(files, rows)).toMatchObject({ changed: [], missing: [] });
  });

  it('gives a row back as it was recorded', () => {
    const rows = openRows([['a', stamp(3), 5000]]);
    expect(rows.rowAt(0)).toEqual({
      path: 'a',
      blob: 'b',
      size: 3,
      mtimeNs: '10000000000',
      ctimeNs: '10000000001',
      ino: '77',
      seenMs: 15_000,
    });
  });
});
