import { describe, expect, it } from 'vitest';
import { patchLines } from '../../src/cli/patch-lines.js';

describe('a line of a difference', () => {
  it.each(['\r', '\v', '\f', '\u0085', '\u2028', '\u2029', '\r\n'])(
    'has its sign before each part, where %j ends a line for a terminal',
    (end) => {
      expect(patchLines(`+never.${end}  keep it:  anamnesis forget X`)).toEqual([
        '+never.',
        '+  keep it:  anamnesis forget X',
      ]);
    },
  );

  it('is one line where it ends as Windows ends lines', () => {
    expect(patchLines('-a line\r')).toEqual(['-a line']);
  });
});
