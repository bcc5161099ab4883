import { afterEach, describe, expect, it } from 'vitest';
import { cleanLine, cleanText, ink } from '../../src/cli/output.js';
import { cutTo, formatPairs, formatTable, widthOf } from '../../src/cli/table.js';

describe('text that came from somewhere', () => {
  it('reaches a terminal without escape sequences', () => {
    expect(cleanLine('a\x1b[31mred\x1b[0m\nb\tc\x9b2J\u202ed')).toBe('a [31mred [0m b c 2J d');
    expect(cleanText('one\r\ntwo\tthree\x1b]0;title\x07\u2066x\n')).toBe('one\ntwo\tthree]0;titlex\n');
  });
});

describe('tables', () => {
  const rows = [
    ['a', 'first'],
    ['bcd', 'second'],
  ] as const;

  it('align without tabs and without spaces at the end', () => {
    const columns = [
      { head: 'X', of: (row: readonly string[]) => row[0] ?? '' },
      { head: 'N', of: (row: readonly string[]) => String(row[1]?.length), align: 'right' },
      { head: 'LAST', of: (row: readonly string[]) => row[1] ?? '' },
    ] as const;
    expect(formatTable(columns, rows)).toBe('X    N  LAST\na    5  first\nbcd  6  second\n');
    expect(formatTable(columns, [])).toBe('');
  });
  it('count wide characters as two and marks as none', () => {
    expect(['abc', '日本', 'e\u0301', '👍'].map(widthOf)).toEqual([3, 4, 1, 2]);
    expect(cutTo('日本語のノート', 7)).toBe('日本語…');
    expect(cutTo('github.com/acme/shop', 10, 'start')).toBe('…acme/shop');
    expect(cutTo('short', 5)).toBe('short');
    expect(cutTo('longer', 5)).toBe('long…');
  });
  it('leave out what has no value', () => {
    expect(
      formatPairs([
        ['id', 'x'],
        ['longer', undefined],
        ['n', 0],
      ]),
    ).toBe('id  x\nn   0\n');
  });
});

describe('colour', () => {
  const before = { ...process.env };
  afterEach(() => {
    process.env = { ...before };
  });
  it('is forced by FORCE_COLOR, and off in a pipe', () => {
    delete process.env['NO_COLOR'];
    delete process.env['FORCE_COLOR'];
    process.env['FORCE_COLOR'] = '1';
    expect(ink('red', 'x')).toBe('\x1b[31mx\x1b[39m');
    process.env['FORCE_COLOR'] = '0';
    expect(ink('red', 'x')).toBe('x');
  });
});
