import { describe, expect, test } from 'vitest';
import { newNameOf } from '../../src/purge/refs.js';
import { literalMatcher } from '../../src/purge/rule/matcher.js';

const renamed = (literal: string, name: string, taken: readonly string[] = []): string =>
  newNameOf(name, literalMatcher(literal), new Set(taken));

describe('the name of a ref', () => {
  test.each([
    ['kiwi', 'refs/heads/about-kiwi', 'refs/heads/about-purged'],
    ['kiwi', 'refs/tags/kiwi/1', 'refs/tags/purged/1'],
    ['kiwi', 'refs/notes/kiwi', 'refs/notes/purged'],
    ['kiwi', 'refs/anamnesis/rescue/kiwi', 'refs/anamnesis/rescue/purged'],
    ['kiwi', 'refs/heads/other', 'refs/heads/other'],
  ])('loses %s: %s becomes %s', (literal, name, expected) => {
    expect(renamed(literal, name)).toBe(expected);
  });

  test.each([
    ['refs/heads/main', 'main'],
    ['refs/anamnesis/remote', 'remote'],
    ['refs/anamnesis/remote-before', 'anamnesis'],
    ['refs/anamnesis/machines/laptop', 'laptop'],
    ['refs/anamnesis/purges/01M8E4BGVD7S3WJR595R9W3JR2', 'purges'],
  ])('stays if the program gave it: %s', (name, literal) => {
    expect(renamed(literal, name)).toBe(name);
  });

  test.each([
    ['refs', 'refs/heads/a'],
    ['refs/heads', 'refs/heads/a'],
    ['heads/a', 'refs/heads/a'],
    ['refs/heads/a', 'refs/heads/a'],
    ['/', 'refs/heads/a/b'],
  ])('stays a branch of its own, whatever the text is: %s', (literal, name) => {
    const first = renamed(literal, name);
    const second = renamed(literal, name, [first]);
    expect(first).toMatch(/^refs\/heads\/[^/]/);
    expect(second).toMatch(/^refs\/heads\/[^/]/);
    expect(second).not.toBe(first);
  });
});
