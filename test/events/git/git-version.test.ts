import { expect, it } from 'vitest';
import { isTooOld, parseGitVersion, syncsRefs } from '../../../src/events/git/git-version.js';

it.each([
  ['git version 2.39.5\n', '2.39.5'],
  ['git version 2.37.1 (Apple Git-137.1)', '2.37.1'],
  ['git version 2.41.0.windows.3', '2.41.0'],
  ['not git 2.39', undefined],
  ['', undefined],
])('reads %j as %s', (text, version) => {
  expect(parseGitVersion(text)).toBe(version);
});

it.each([
  ['1.99.9', true, false],
  ['2.9.5', true, false],
  ['2.33.9', true, false],
  ['2.34', false, false],
  ['2.35.1', false, false],
  ['2.36.0', false, true],
  ['3.0', false, true],
])('version %s is too old: %s, syncs refs: %s', (version, tooOld, syncs) => {
  expect([isTooOld(version), syncsRefs(version)]).toEqual([tooOld, syncs]);
});
