import { afterEach, describe, expect, it, vi } from 'vitest';
import { cleanLine, cleanText, ink } from '../../src/cli/output.js';
import { cutTo, formatPairs, formatTable } from '../../src/cli/table.js';
import { widthOf, wrapLines, wrapWords } from '../../src/cli/wrap.js';

describe('text from outside', () => {
  it('reaches a terminal without escape sequences', () => {
    expect(cleanLine('a\x1b[31mred\x1b[0m\nb\tc\x9b2J\u202ed')).toBe('a [31mred [0m b c 2J d');
    expect(cleanText('one\r\ntwo\tthree\x1b]0;title\x07\u2066x\n')).toBe('one\ntwo\tthree]0;titlex\n');
  });
});

describe('lines for a terminal', () => {
  it('break between words and continue at their own indentation', () => {
    expect(wrapLines('  left memory/notes/a.md: its name is no ULID\nshort\n', 28)).toBe(
      '  left memory/notes/a.md:\n  its name is no ULID\nshort\n',
    );
  });
  it('keep a path and a command to type in one piece', () => {
    const path = `/home/ada/${'deep/'.repeat(12)}note.md`;
    expect(wrapWords(`it is in ${path} now`, 40)).toEqual(['it is in', path, 'now']);
    expect(wrapWords('it was forgotten before; anamnesis restore JEJ5M1 --json brings it back', 40)).toEqual([
      'it was forgotten before;',
      'anamnesis restore JEJ5M1 --json brings',
      'it back',
    ]);
    expect(wrapWords("see: anamnesis write 'one two three four five six'", 30)).toEqual([
      "see: anamnesis write 'one two",
      "three four five six'",
    ]);
  });
  it('are measured without their colours', () => {
    expect(wrapWords('\x1b[33mone two\x1b[39m three', 13)).toEqual(['\x1b[33mone two\x1b[39m three']);
  });
});

describe('tables', () => {
  const rows = [
    ['a', 'first'],
    ['bcd', 'second'],
  ] as const;

  it('align without tabs or trailing spaces', () => {
    const columns = [
      { head: 'X', of: (row: readonly string[]) => row[0] ?? '' },
      { head: 'N', of: (row: readonly string[]) => String(row[1]?.length), align: 'right' },
      { head: 'LAST', of: (row: readonly string[]) => row[1] ?? '' },
    ] as const;
    expect(formatTable(columns, rows)).toBe('X    N  LAST\na    5  first\nbcd  6  second\n');
    expect(formatTable(columns, [])).toBe('');
  });
  it('count wide characters as two columns and combining marks as none', () => {
    expect(['abc', '日本', 'e\u0301', '👍'].map(widthOf)).toEqual([3, 4, 1, 2]);
    expect(cutTo('日本語のノート', 7)).toBe('日本語…');
    expect(cutTo('github.com/acme/shop', 10, 'start')).toBe('…acme/shop');
    expect(cutTo('short', 5)).toBe('short');
    expect(cutTo('longer', 5)).toBe('long…');
  });
  it.each([
    ['a family', '👨‍👩‍👧', 2],
    ['a flag', '🇩🇪', 2],
    ['a skin tone', '👍🏽', 2],
    ['a heart that a selector makes an emoji', '❤️', 2],
    ['a keycap', '1️⃣', 2],
    ['a combining accent', 'e\u0301', 1],
    ['Hebrew points', 'שָׁלוֹם', 4],
    ['decomposed Hangul', '\u1112\u1161\u11ab', 2],
    ['Persian with a non-joiner', 'می\u200cخواهم', 7],
    ['Hindi with vowel signs beside the letters', 'दुनिया', 5],
    ['full width', '１２', 4],
    ['half width', 'ｱｲｳ', 3],
    ['an ellipsis', '…', 1],
  ])('count %s as a terminal shows it', (_, text, width) => {
    expect(widthOf(text)).toBe(width);
  });

  it('cut between letters, never within one', () => {
    expect(cutTo('👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧', 5)).toBe('👨‍👩‍👧👨‍👩‍👧…');
    expect(cutTo('🇩🇪🇫🇷🇮🇹', 4)).toBe('🇩🇪…');
    expect(cutTo('re\u0301sume\u0301', 3)).toBe('re\u0301…');
    expect(cutTo('cafe\u0301/re\u0301sume\u0301', 5, 'start')).toBe('…sume\u0301');
    expect(cutTo('github.com/日本語', 5, 'start')).toBe('…本語');
  });

  it.each([80, 120])('stay aligned in a terminal of %i columns, whatever they contain', (width) => {
    const texts = [
      'plain words '.repeat(20),
      '日本語のノート'.repeat(20),
      '👨‍👩‍👧 the family 🇩🇪 '.repeat(20),
      'Re\u0301sume\u0301 à la carte '.repeat(20),
      'नमस्ते दुनिया '.repeat(20),
      'می\u200cخواهم '.repeat(20),
      '한국어 \u1112\u1161\u11ab '.repeat(20),
      'short',
    ];
    const shown = formatTable(
      [
        { head: 'ID', of: (text: string) => text.slice(0, 5) },
        { head: 'PROJECT', of: (text: string) => text, cut: 'start' },
        { head: 'N', of: (text: string) => String(text.length), align: 'right' },
        { head: 'TITLE', of: (text: string) => text, cut: 'end' },
      ],
      texts,
      width,
    );
    const lines = shown.split('\n').slice(0, -1);
    expect(lines).toHaveLength(texts.length + 1);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
    // In every line, the number ends in the same column as its head.
    const end = widthOf(/^.*? N(?= )/.exec(lines[0] ?? '')?.[0] ?? '');
    for (const [at, line] of lines.slice(1).entries()) {
      const before = line.slice(0, line.lastIndexOf(`${texts[at]?.length}  `) + String(texts[at]?.length).length);
      expect(widthOf(before)).toBe(end);
    }
  });

  it('name the columns that they leave out for lack of room', () => {
    const columns = [
      { head: 'SET', of: (text: string) => text },
      { head: 'RIGHT', of: () => '0.783' },
      { head: 'SHOWN', of: () => '2.100', optional: true },
      { head: 'LINES', of: () => '0.500', optional: true },
    ] as const;
    expect(formatTable(columns, ['a set'], 20)).toBe('SET    RIGHT  SHOWN\na set  0.783  2.100\n');
  });

  it('narrow a key to 25 columns, then a title to 32, then both', () => {
    const row = { key: 'github.com/an-organisation/a-repository', title: 'word '.repeat(40).trim() };
    const widths = (maxWidth: number): readonly number[] => {
      const columns = [
        { head: 'PROJECT', of: ({ key }: typeof row) => key, cut: 'start' },
        { head: 'TITLE', of: ({ title }: typeof row) => title, cut: 'end', main: true },
      ] as const;
      const [, line = ''] = formatTable(columns, [row], maxWidth).split('\n');
      const at = line.indexOf('  ');
      return [at, maxWidth - at - 2];
    };
    expect(widths(120)).toEqual([25, 93]);
    expect(widths(80)).toEqual([25, 53]);
    expect(widths(65)).toEqual([25, 38]);
    expect(widths(50)).toEqual([16, 32]);
    expect(widths(30)).toEqual([12, 16]);
  });

  it('leave out pairs without a value', () => {
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
  afterEach(() => void vi.unstubAllEnvs());
  it('is forced by FORCE_COLOR=1, and off with FORCE_COLOR=0', () => {
    vi.stubEnv('NO_COLOR', undefined);
    vi.stubEnv('FORCE_COLOR', '1');
    expect(ink('red', 'x')).toBe('\x1b[31mx\x1b[39m');
    vi.stubEnv('FORCE_COLOR', '0');
    expect(ink('red', 'x')).toBe('x');
  });
});
