import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatAllLost, formatLost, parseLost } from '../../../src/events/note/lost-values.js';
import { anyText, anyUlid } from '../../support/arbitraries.js';

const anyScalar = fc.oneof(
  anyText,
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);

it('a lost value is read as it is written in the trailer', () => {
  fc.assert(
    fc.property(anyUlid, anyScalar, (noteId, value) => {
      const written: unknown = JSON.parse(JSON.stringify(value));
      expect(parseLost(`${noteId} expires_at ${JSON.stringify(value)}`)).toEqual({
        noteId,
        key: 'expires_at',
        value: written,
      });
    }),
  );
});

it('a lost value is read back under any key that a front matter may have', () => {
  fc.assert(
    fc.property(anyUlid, anyText, anyText, (noteId, key, value) => {
      fc.pre(key !== '');
      expect(parseLost(formatLost({ noteId, key, value }))).toEqual({ noteId, key, value });
    }),
  );
});

it('a lost value under a key of many megabytes is ignored', () => {
  expect(parseLost(`01J0000000000000000000000A "${'k '.repeat(5_000_000)}" 1`)).toBeUndefined();
  expect(parseLost(`01J0000000000000000000000A ${'k'.repeat(10_000_000)} 1`)).toBeUndefined();
  expect(parseLost('k'.repeat(10_000_000))).toBeUndefined();
});

it.each([
  ['no note', 'laptop title "x"'],
  ['no value', '01J0000000000000000000000A title'],
  ['a value that is not JSON', '01J0000000000000000000000A title x'],
  ['a list', '01J0000000000000000000000A tags ["x"]'],
  ['nothing', ''],
])('a lost value is not read from a trailer with %s', (_, text) => {
  expect(parseLost(text)).toBeUndefined();
});

it('lost values fill at most 64 KiB of a commit’s message', () => {
  const lost = Array.from({ length: 100 }, () => ({
    noteId: '01J0000000000000000000000A',
    key: 'title',
    value: 'x'.repeat(1000),
  }));
  expect(formatAllLost(lost)).toHaveLength(63);
  expect(formatAllLost([])).toBeUndefined();
});
