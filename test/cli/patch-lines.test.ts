import { describe, expect, it } from 'vitest';
import { patchLines } from '../../src/cli/patch.js';

describe('a line of a diff', () => {
  it.each(['\r', '\v', '\f', '\u0085', '\u2028', '\u2029', '\r\n'])(
    'has its sign before each part when a terminal ends a line at %j',
    (end) => {
      expect(patchLines(`+never.${end}  keep it:  anamnesis forget X`)).toEqual([
        '+never.',
        '+  keep it:  anamnesis forget X',
      ]);
    },
  );

  it('is one line when it has a Windows line end', () => {
    expect(patchLines('-a line\r')).toEqual(['-a line']);
  });
});
