import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeLines } from '../../../src/events/note/line-diff.js';

const anyLines = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n'), { maxLength: 8 }).map((lines) => lines.join(''));
/** Texts with and without a final newline. */
const anyText = fc.tuple(anyLines, fc.boolean()).map(([text, isCut]) => (isCut ? text.replace(/\n$/, '') : text));
const sideOf = (parts: ReturnType<typeof mergeLines>, side: 'ours' | 'theirs'): string =>
  parts.flatMap((part) => (part.kind === 'merged' ? part.lines : part[side])).join('');

describe('the merge of three texts by lines', () => {
  it('applies each side’s change where they do not overlap', () => {
    expect(
      mergeLines('1\n2\n3\n4\n5\n', 'one\n2\n3\n4\n5\n', '1\n2\n3\n4\nfive\n').every(({ kind }) => kind === 'merged'),
    ).toBe(true);
    expect(sideOf(mergeLines('1\n2\n3\n4\n5\n', 'one\n2\n3\n4\n5\n', '1\n2\n3\n4\nfive\n'), 'ours')).toBe(
      'one\n2\n3\n4\nfive\n',
    );
  });

  it('clashes where both changed the same lines', () => {
    const parts = mergeLines('a\nb\nc\n', 'a\nours\nc\n', 'a\ntheirs\nc\n');
    expect(parts.filter(({ kind }) => kind === 'clash')).toEqual([
      { kind: 'clash', base: ['b\n'], ours: ['ours\n'], theirs: ['theirs\n'] },
    ]);
    expect(sideOf(parts, 'ours')).toBe('a\nours\nc\n');
    expect(sideOf(parts, 'theirs')).toBe('a\ntheirs\nc\n');
  });

  it.each<[what: string, base: string, ours: string, theirs: string, merged: string]>([
    ['added it', 'a\nb\nc', 'A\nb\nc\n', 'a\nb\nc\nd', 'A\nb\nc\nd\n'],
    ['removed it', 'a\nb\nc\n', 'A\nb\nc', 'a\nb\nc\n', 'A\nb\nc'],
    ['removed it and the other added a line', 'a\nb\nc\n', 'A\nb\nc', 'a\nb\nc\nd\n', 'A\nb\nc\nd'],
    ['did not touch it', 'a\nb\nc', 'A\nb\nc', 'a\nb\nC', 'A\nb\nC'],
    ['added one of two characters', 'a\r\nb\r\nc', 'A\r\nb\r\nc\r\n', 'a\r\nb\r\nc\r\nd', 'A\r\nb\r\nc\r\nd\r\n'],
  ])('does not treat the end of the last line as a change of that line when one side %s', (_, ...texts) => {
    const [base, ours, theirs, expected] = texts;
    for (const parts of [mergeLines(base, ours, theirs), mergeLines(base, theirs, ours)]) {
      expect(parts.every(({ kind }) => kind === 'merged')).toBe(true);
      expect(sideOf(parts, 'ours')).toBe(expected);
    }
  });

  it('leaves the ends of clashing last lines as they are', () => {
    const parts = mergeLines('a\nb', 'a\nours', 'a\ntheirs\n');
    expect(sideOf(parts, 'ours')).toBe('a\nours');
    expect(sideOf(parts, 'theirs')).toBe('a\ntheirs\n');
  });

  it('returns the other side when one changed nothing', () => {
    fc.assert(
      fc.property(anyText, anyText, (base, changed) => {
        expect(sideOf(mergeLines(base, changed, base), 'theirs')).toBe(changed);
        expect(sideOf(mergeLines(base, base, changed), 'ours')).toBe(changed);
      }),
    );
  });

  it('reports a clash of twenty thousand equal lines changed throughout, and loses none of them', () => {
    const again = 'again\n'.repeat(20_000);
    const [ours, theirs] = ['mine\nagain\n'.repeat(10_000), `theirs\n${again}theirs\n`];
    const parts = mergeLines(`first\n${again}`, `first\n${ours}`, `first\n${theirs}`);
    expect(parts.map(({ kind }) => kind)).toEqual(['merged', 'clash', 'merged']);
    expect(sideOf(parts, 'ours')).toBe(`first\n${ours}`);
    expect(sideOf(parts, 'theirs')).toBe(`first\n${theirs}`);
  });

  it('merges a small change in a long text of equal lines', () => {
    const again = 'again\n'.repeat(20_000);
    const parts = mergeLines(`a\n${again}b\n`, `a\nmine\n${again}b\n`, `a\n${again}b\n`);
    expect(parts.every(({ kind }) => kind === 'merged')).toBe(true);
    expect(sideOf(parts, 'ours')).toBe(`a\nmine\n${again}b\n`);
  });
});
