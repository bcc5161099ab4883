import { describe, expect, it } from 'vitest';
import { settleClash } from '../../../src/events/note/settle-clash.js';

describe('two texts that clash', () => {
  const base = 'one\ntwo\n';

  it('become the one that includes the change of the other', () => {
    const first = 'NEW\none\ntwo\n';
    const both = 'NEW\nAND MORE\none\ntwo\n';
    expect(settleClash(base, first, both)).toBe(both);
    expect(settleClash(base, both, first)).toBe(both);
  });

  it('become the one that includes the removal of the other', () => {
    expect(settleClash(base, 'two\n', 'MORE\ntwo\n')).toBe('MORE\ntwo\n');
  });

  it('keep lines that both added at the end', () => {
    expect(settleClash(base, 'one\ntwo\nours\n', 'one\ntwo\ntheirs\n')).toBe('one\ntwo\nours\ntheirs\n');
  });

  it('stay a clash when each has its own change or the base is unknown', () => {
    expect(settleClash(base, 'OURS\ntwo\n', 'THEIRS\ntwo\n')).toBeUndefined();
    expect(settleClash(undefined, 'one\n', 'one\ntwo\n')).toBeUndefined();
  });

  it('stay a clash when the order of lines was changed', () => {
    expect(settleClash('a\nb\n', 'b\na\n', 'a\nX\nb\n')).toBeUndefined();
    const steps = '# Steps\n1. stop\n2. copy\n3. start\n';
    const swapped = '# Steps\n2. copy\n1. stop\n3. start\n';
    expect(settleClash(steps, swapped, steps.replace('2. copy', '2. copy (as root)'))).toBeUndefined();
  });

  it('keep the changes that each made elsewhere', () => {
    const list = 'top\nA\n- [ ] run\nB\n- [ ] run\n';
    const first = 'NEW\ntop\nA\n- [x] run\nB\n- [ ] run\n';
    const second = 'NEW\nMORE\ntop\nA\n- [ ] run\nB\n- [x] run\n';
    expect(settleClash(list, first, second)).toBe('NEW\nMORE\ntop\nA\n- [x] run\nB\n- [x] run\n');
  });

  it('are settled in time linear in their lines', () => {
    const lines = Array.from({ length: 200_000 }, (_, at) => `${at}\n`);
    const first = `NEW\n${lines.map((line) => `a ${line}`).join('')}`;
    expect(settleClash(lines.join(''), first, `${first}MORE\n`)).toBe(`${first}MORE\n`);
  });

  it('stay a clash when a removed line was added again', () => {
    expect(settleClash(base, 'two\n', 'MORE\none\ntwo\n')).toBeUndefined();
  });
});
