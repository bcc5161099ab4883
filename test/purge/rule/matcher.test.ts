import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { knowing, literalMatcher, patternMatcher, purgeText } from '../../../src/purge/rule/matcher.js';

const purge = (text: string, literal: string): string => purgeText(text, literalMatcher(literal)).text;

describe('a literal text', () => {
  it.each([
    ['as it stands', 'a s3cret-text b', 's3cret-text', 'a [PURGED] b'],
    ['twice', 's3cret-text,s3cret-text', 's3cret-text', '[PURGED],[PURGED]'],
    ['broken within a word', 'a s3cret-\n   text b', 's3cret-text', 'a [PURGED] b'],
    ['with other white space', 'my  pass\r\n\tphrase', 'my pass phrase', '[PURGED]'],
    ['as JSON escapes it', JSON.stringify({ a: 'say "hi"\nñ\\o' }), 'say "hi"\nñ\\o', '{"a":"[PURGED]"}'],
    ['with its characters as Unicode escapes', 'caf\\u00e9-au-lait', 'café-au-lait', '[PURGED]'],
    ['with its quotes doubled as in YAML', "title: 'it''s mine'", "it's mine", "title: '[PURGED]'"],
    ['composed another way', 'se\u0303nor-secret', 'sẽnor-secret', '[PURGED]'],
    ['cut at the end of a subject', 'the key is s3cret-t…', 's3cret-text', 'the key is [PURGED]…'],
    ['with characters that are special in patterns', 'a (x+y)*[z] b', '(x+y)*[z]', 'a [PURGED] b'],
  ])('is found %s', (_, text, literal, expected) => {
    expect(purge(text, literal)).toBe(expected);
  });
  it('is not found when only a part of it is there', () => {
    expect(purge('s3cret text, s3cre…', 's3cret-text')).toBe('s3cret text, s3cre…');
    expect(purge('s3c…', 's3cret-text')).toBe('s3c…');
  });
  it('is found across its lines when it has several thousand characters', () => {
    const key = Array.from({ length: 60 }, (_, n) => `line-${n}-${'x'.repeat(60)}`).join('\n');
    expect(purge(`a ${key.replaceAll('\n', '\r\n')} b`, key)).toBe('a [PURGED] b');
  });
  it('is found whatever surrounds it, and the mark takes its place', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string({ minLength: 4 }).filter((text) => text.trim().length >= 4),
        fc.string(),
        (before, literal, after) => {
          fc.pre(!'[PURGED]'.includes(literal) && literalMatcher(literal).spans('[PURGED]').length === 0);
          const purged = purgeText(`${before}${literal}${after}`, literalMatcher(literal));
          expect(purged.places).toBeGreaterThan(0);
          expect(purged.text.length).toBeLessThanOrEqual(
            before.length + literal.length + after.length + 8 * purged.places,
          );
        },
      ),
    );
  });
});

describe('a pattern', () => {
  it('matches as in JavaScript, and ignores case when asked to', () => {
    const matcher = patternMatcher('key-\\d+', { ignoreCase: true });
    expect(matcher === undefined ? '' : purgeText('a KEY-12 key-x key-3', matcher).text).toBe(
      'a [PURGED] key-x [PURGED]',
    );
  });
  it('finds the beginning of a known match before a cut', () => {
    const matcher = knowing(patternMatcher('key-\\d{8}', { ignoreCase: false })!, ['key-12345678']);
    expect(purgeText('it is key-123…', matcher).text).toBe('it is [PURGED]…');
  });
  it('gives no matcher when it is invalid', () => {
    expect(patternMatcher('(', { ignoreCase: false })).toBeUndefined();
  });
});
