import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeHidden, inOneLine, withoutHidden } from '../../../src/events/note/plain-text.js';
import { anyCharacter } from '../../support/any-character.js';
import { processorMs } from '../../support/processor-time.js';

describe('text without hidden characters', () => {
  it.each([
    ['an escape sequence', 'a\x1b[2J\x1b]0;t\x07b\x9bc', 'a[2J]0;tbc'],
    ['a tag', 'a\u{e0001}\u{e0068}\u{e0069}b', 'ab'],
    ['the writing direction', 'a\u202eb\u2066c\u061c\u200e', 'abc'],
    ['zero width', 'pass\u200bword\ufeff\u2060\u00ad\u180e', 'password'],
    ['a joiner between letters that need none', 'a\u200db\u200cc', 'abc'],
    ['bytes in variation selectors', 'a\ufe00\ufe01\u{e0100}\u{e01ef}', 'a'],
    ['a joiner repeated', '👩\u200d\u200d💻', '👩💻'],
    ['a joiner after a selector that shapes nothing', '\ufe0f\u200d👩', '👩'],
    ['a joiner after a vowel that is itself hidden', '\u17b4\u200dក', 'ក'],
    ['fillers', 'a\u3164\u115f\u034fb', 'ab'],
    ['a carriage return', 'one\rtwo\r\nthree\u2028four', 'one\ntwo\nthree\nfour'],
  ])('has no %s', (_, text, left) => {
    expect(withoutHidden(text)).toBe(left);
  });

  it.each([
    '👩🏽\u200d💻 👨‍👩‍👧 ❤️ 1️⃣ ✈︎',
    'می\u200cخواهم',
    'क्\u200dष',
    'ශ්\u200dරී',
    'a\tb\n\nc',
    'naïve e\u0301',
    '日本語',
  ])('keeps %s', (text) => {
    expect(withoutHidden(text)).toBe(text);
  });

  it('has no character that Unicode ignores by default, and no control character', () => {
    const left = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code))
      .filter((mark) => /\p{Default_Ignorable_Code_Point}|[^\P{Cc}\n\t]/u.test(mark))
      .filter((mark) => !/^a\n?b$/.test(withoutHidden(`a${mark}b`)));
    expect(left).toEqual([]);
  });

  it('keeps no active character, whatever the text, and stays the same when cleaned again', () => {
    const marks = [
      '\x1b',
      '\x9b',
      '\u200d',
      '\u200c',
      '\ufe0f',
      '\u202e',
      '\u{e0041}',
      '👩',
      'क',
      'a',
      ' ',
      '\r',
      '\n',
      '\ud800',
    ];
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(fc.constantFrom(...marks), fc.string({ minLength: 1, maxLength: 1, unit: anyCharacter })),
        }),
        (text) => {
          const once = withoutHidden(text);
          expect(once).not.toMatch(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069\u200b\ufeff]|[\u{e0000}-\u{e0fff}]/u);
          expect(withoutHidden(once)).toBe(once);
          expect(inOneLine(text)).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        },
      ),
    );
  });

  it('is computed quickly for a long text', () => {
    const begin = processorMs();
    for (const mark of ['a', '\u200d', '\u{e0041}', '👩\u200d', '\x1b', 'é']) withoutHidden(mark.repeat(65_536));
    expect(processorMs() - begin).toBeLessThan(500);
  });
});

describe('JSON', () => {
  it('keeps its value when every hidden character is escaped', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const json = escapeHidden(JSON.stringify(`${text}\u{e0041}\u202e\x9b\u200b`));
        expect(JSON.parse(json)).toBe(`${text}\u{e0041}\u202e\x9b\u200b`);
        expect(withoutHidden(json)).toBe(json);
        expect(json).toContain('\\udb40\\udc41\\u202e\\u009b\\u200b');
      }),
    );
  });
});
