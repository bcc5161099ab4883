import { expect, it } from 'vitest';
import { namesOfCode } from '../../../src/projections/recall/names-of-code.js';

it.each([
  ['__dirname is not defined in ES module scope', ['dirname']],
  ['useFakeTimers() hangs, and so does `retryLater`.', ['usefaketimers', 'retrylater']],
  ['clients get 429 from port 5432', ['429', '5432']],
  ['rename snake_case to camelCase', ['camelcase']],
  ['limit it to 500 rows of 2026, GitHub has 12 and 301', []],
  ['', []],
])('finds the names from code in %j', (text, names) => {
  expect([...namesOfCode(text)]).toEqual(names);
});

it('searches only the beginning of a long text', () => {
  expect(namesOfCode(`${'a_'.repeat(500_000)} retryLater`).size).toBe(0);
});
