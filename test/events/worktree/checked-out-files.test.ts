import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CheckedOutFiles, openComparison } from '../../../src/events/worktree/checked-out-files.js';
import { isSettled } from '../../../src/events/worktree/working-tree.js';
import { openState } from '../../../src/state/state.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anamnesis-rows-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** The stamp of a file written at 10 s, whose row is recorded `laterMs` after that. */
const stamp = (size: number): string => `${size} 10000000000 10000000001 77`;
/** The stat of a file in milliseconds, for its stamp in nanoseconds. */
const numbersOf = (one: string) => {
  const { size, mtimeNs, ctimeNs, ino } = fieldsOf(one);
  return { size, mtimeMs: msOf(mtimeNs), ctimeMs: msOf(ctimeNs), ino: Number(ino) };
};
const msOf = (ns: string): number => Number(BigInt(ns) / 10n ** 9n) * 1000 + Number(BigInt(ns) % 10n ** 9n) / 1_000_000;
const fieldsOf = (one: string) => {
  const [size = '', mtimeNs = '', ctimeNs = '', ino = ''] = one.split(' ');
  return { size: Number(size), mtimeNs, ctimeNs, ino };
};
const openRows = (rows: readonly (readonly [path: string, stamp: string, laterMs: number])[]): CheckedOutFiles => {
  const state = openState(join(folder, 'state.db'));
  const put = rows.map(([path, one, laterMs]) => ({ path, blob: 'b', ...fieldsOf(one), seenMs: 10_000 + laterMs }));
  state.advance('portable', undefined, put, []);
  const all = state.allCheckedOut('portable');
  state.close();
  return all;
};

/** Compares files with these stamps, in the given order. */
const compare = (files: readonly (readonly [path: string, stamp: string])[], rows: CheckedOutFiles) => {
  const stamps = new Map(files);
  const { see, result } = openComparison(rows, (path) => fieldsOf(stamps.get(path) ?? ''));
  for (const [path, one] of files) see(path, numbersOf(one), true);
  return result();
};

describe('comparing the files of a working tree with their rows', () => {
  it('distinguishes files that are unchanged, changed, new and missing', () => {
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

  it('reports everything as checked out unless one file is missing or added', () => {
    const rows = openRows([
      ['a', stamp(1), 5000],
      ['b', stamp(1), 5000],
    ]);
    const files = ['a', 'b', 'c'].map((path) => [path, stamp(1)] as const);
    expect(compare(files.slice(0, 2), rows)).toMatchObject({ changed: [], missing: [], isAsCheckedOut: true });
    expect(compare(files.slice(0, 1), rows)).toMatchObject({ changed: [], missing: ['b'], isAsCheckedOut: false });
    expect(compare(files, rows)).toMatchObject({ changed: ['c'], missing: [], isAsCheckedOut: false });
  });

  it('trusts no row of a file that had changed within the two seconds before', () => {
    const rows = openRows([
      ['a', stamp(1), 2000],
      ['b', stamp(1), 2001],
    ]);
    const files = ['a', 'b'].map((path) => [path, stamp(1)] as const);
    expect(compare(files, rows).changed).toEqual(['a']);
  });

  it('trusts the same rows as the check of a single file, to the millisecond', () => {
    const ctimeMs = 1_700_000_000_123;
    const one = `1 ${ctimeMs}456789 ${ctimeMs}999999 77`;
    const seen = [0, 1999, 2000, 2001, 60_000].map((laterMs) => ctimeMs + laterMs);
    const rows = openRows(seen.map((seenMs, at) => [`${at}`, one, seenMs - 10_000]));
    expect(rows.paths.map((_, place) => rows.isUnchangedAt(place, one))).toEqual(seen.map((ms) => isSettled(one, ms)));
    expect(seen.map((ms) => isSettled(one, ms))).toEqual([false, false, false, true, true]);
    expect(rows.rowAt(0)).toMatchObject({ ctimeNs: `${ctimeMs}999999`, ino: '77', seenMs: ctimeMs });
  });

  it.each([
    ['its size', '2 1700000000123456000 1700000000123456000 77'],
    ['its mtime by a microsecond', '1 1700000000123457000 1700000000123456000 77'],
    ['its ctime by a microsecond', '1 1700000000123456000 1700000000123457000 77'],
    ['its ctime by a second', '1 1700000000123456000 1700000001123456000 77'],
    ['its inode', '1 1700000000123456000 1700000000123456000 78'],
    ['an inode too large for a number', '1 1700000000123456000 1700000000123456000 9007199254740993'],
  ])('reports a file as changed when it differs in %s', (_, one) => {
    const ino = one.endsWith('93') ? '9007199254740992' : '77';
    const rows = openRows([['a', `1 1700000000123456000 1700000000123456000 ${ino}`, 1_700_000_000_000]]);
    expect(compare([['a', one]], rows).changed).toEqual(['a']);
  });

  it('finds the rows of files that are listed in another order', () => {
    const rows = openRows([
      ['a', stamp(1), 5000],
      ['b', stamp(1), 5000],
    ]);
    const files = ['b', 'a'].map((path) => [path, stamp(1)] as const);
    expect(compare(files, rows)).toMatchObject({ changed: [], missing: [] });
  });

  it('returns a row as it was recorded', () => {
    const rows = openRows([['a', stamp(3), 5000]]);
    expect(rows.tree).toBe('100644 blob b\ta\0');
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
