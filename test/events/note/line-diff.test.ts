import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines, formatUnified } from '../../../src/events/note/line-diff.js';

const anyText = fc
  .array(fc.constantFrom('a', 'b', '', '  c', 'constructor', '__proto__', 'é'), { maxLength: 12 })
  .chain((lines) => fc.constantFrom('\n', '').map((end) => lines.join('\n') + end));

describe('the differing lines', () => {
  it('rebuild both texts together with the equal lines', () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        const parts = diffLines(before, after);
        const join = (side: 'before' | 'after') =>
          parts.flatMap((part) => (part.kind === 'same' ? part.lines : part[side])).join('');
        expect([join('before'), join('after')]).toEqual([before, after]);
        expect(parts.every((part) => part.kind === 'changed' || part.lines.length > 0)).toBe(true);
      }),
    );
  });

  it('are empty for equal texts', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(formatUnified(diffLines(text, text))).toEqual([]);
      }),
    );
  });

  it('are one part when a blank line repeats thousands of times, which would take minutes to compare', () => {
    const text = (end: string): string => `${end}\n${'\n'.repeat(50_000)}${end}\n`;
    expect(diffLines(text('a'), text('b')).map(({ kind }) => kind)).toEqual(['changed']);
  });
});

describe('the unified view', () => {
  const lines = (from: number, to: number): string =>
    Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}\n`).join('');

  it('shows three lines around a change', () => {
    expect(formatUnified(diffLines(lines(1, 9), `${lines(1, 4)}new\n${lines(6, 9)}`))).toEqual([
      '@@ -2,7 +2,7 @@',
      ' line 2',
      ' line 3',
      ' line 4',
      '-line 5',
      '+new',
      ' line 6',
      ' line 7',
      ' line 8',
    ]);
  });

  it('marks a missing final newline when only one text lacks it', () => {
    expect(formatUnified(diffLines('a\nb', 'a\nb\nc\n'))).toEqual([
      ...['@@ -1,2 +1,3 @@', ' a', '-b', '\\ No newline at end of file', '+b', '+c'],
    ]);
    expect(formatUnified(diffLines('b\n', 'b'))).toEqual([
      ...['@@ -1 +1 @@', '-b', '+b', '\\ No newline at end of file'],
    ]);
    expect(formatUnified(diffLines('a', 'b'))).toEqual(['@@ -1 +1 @@', '-a', '+b']);
  });

  it('joins changes that are close together and separates those that are not', () => {
    const near = formatUnified(diffLines(lines(1, 12), `a\n${lines(2, 7)}b\n${lines(9, 12)}`));
    expect(near.filter((line) => line.startsWith('@@'))).toEqual(['@@ -1,11 +1,11 @@']);
    const far = formatUnified(diffLines(lines(1, 12), `a\n${lines(2, 8)}b\n${lines(10, 12)}`));
    expect(far.filter((line) => line.startsWith('@@'))).toEqual(['@@ -1,4 +1,4 @@', '@@ -6,7 +6,7 @@']);
  });

  it.each([
    ['a text that was empty', '', 'a\n', ['@@ -0,0 +1 @@', '+a']],
    ['a text that is empty now', 'a\nb\n', '', ['@@ -1,2 +0,0 @@', '-a', '-b']],
    ['a line that was added at the end', 'a\n', 'a\nb\n', ['@@ -1 +1,2 @@', ' a', '+b']],
  ])('gives the position of %s', (_, before, after, shown) => {
    expect(formatUnified(diffLines(before, after))).toEqual(shown);
  });

  it('counts the lines of both texts separately', () => {
    expect(formatUnified(diffLines('a\nb\nc\nd\ne\nf\ng\nh\n', 'b\nc\nd\ne\nX\nf\ng\nh\n'))).toEqual([
      '@@ -1,8 +1,8 @@',
      '-a',
      ' b',
      ' c',
      ' d',
      ' e',
      '+X',
      ' f',
      ' g',
      ' h',
    ]);
  });
});
