import fc from 'fast-check';
import { DEFAULT_SAFE_SCHEMA, FAILSAFE_SCHEMA, safeLoad } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { formatYamlKey, type YamlValue } from '../../../src/events/note/yaml-text.js';
import { anyShare, anyText, oddTexts } from '../../support/arbitraries.js';

const readAs = (value: YamlValue, schema: typeof FAILSAFE_SCHEMA, eol = '\n'): unknown => {
  const read: unknown = safeLoad(formatYamlKey('key', value, eol), { schema });
  return typeof read === 'object' && read !== null && 'key' in read ? read.key : undefined;
};
const lineOf = (value: YamlValue): string => formatYamlKey('key', value, '\n');

describe('a text', () => {
  it.each(oddTexts.map((text) => [JSON.stringify(text), text]))('is read back unchanged: %s', (_, text) => {
    expect(readAs(text, FAILSAFE_SCHEMA)).toBe(text);
    expect(readAs(text, DEFAULT_SAFE_SCHEMA)).toBe(text);
  });

  it('is read back unchanged with either schema, whatever it contains', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom('\n', '\r\n'), (text, eol) => {
        expect(readAs(text, FAILSAFE_SCHEMA, eol)).toBe(text);
        expect(readAs(text, DEFAULT_SAFE_SCHEMA, eol)).toBe(text);
      }),
    );
  });

  it('is read back unchanged when it consists of characters special to YAML', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[-+.:eExob_0-9~ ,#&*!|>'"%@`?[\]{}=<TZtzyn]{0,10}$/), (text) => {
        expect(readAs(text, FAILSAFE_SCHEMA)).toBe(text);
        expect(readAs(text, DEFAULT_SAFE_SCHEMA)).toBe(text);
      }),
    );
  });

  it('is written on one line, whatever it contains', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(lineOf(text).split(/\r\n|[\n\r\u0085\u2028\u2029]/)).toHaveLength(2);
      }),
    );
  });

  it('keeps half a surrogate pair', () => {
    expect(readAs('a\ud800b', FAILSAFE_SCHEMA)).toBe('a\ud800b');
  });
});

describe('the style of PyYAML', () => {
  it.each<[name: string, value: YamlValue, written: string]>([
    ['a plain word', 'laptop', 'key: laptop\n'],
    ['a sentence', 'Use WAL mode, not rollback', 'key: Use WAL mode, not rollback\n'],
    ['a whole number with a point', 1, 'key: 1.0\n'],
    ['zero with a point', 0, 'key: 0.0\n'],
    ['a fraction as it is', 0.85, 'key: 0.85\n'],
    ['a time in quotes', '2026-06-24T18:33:07+00:00', "key: '2026-06-24T18:33:07+00:00'\n"],
    ['a date in quotes', '2026-06-24', "key: '2026-06-24'\n"],
    ['a text that looks like a number in quotes', '1.0', "key: '1.0'\n"],
    ['an empty text in quotes', '', "key: ''\n"],
    ['yes in quotes', 'yes', "key: 'yes'\n"],
    ['null in quotes', 'null', "key: 'null'\n"],
    ['a colon in quotes', 'a: b', "key: 'a: b'\n"],
    ['a single quote doubled', "it's: so", "key: 'it''s: so'\n"],
    ['a single quote in a plain text alone', "it's", "key: it's\n"],
    ['an empty list in brackets', [], 'key: []\n'],
    ['a list that is not indented', ['a', 'b c'], 'key:\n- a\n- b c\n'],
    ['an entry that looks like a list in quotes', ['- a'], "key:\n- '- a'\n"],
    ['true bare', true, 'key: true\n'],
    ['unicode as it is', '日本語 🚀', 'key: 日本語 🚀\n'],
  ])('writes %s', (_, value, written) => {
    expect(lineOf(value)).toBe(written);
  });

  it('ends every line as the file does', () => {
    expect(formatYamlKey('tags', ['a', 'b'], '\r\n')).toBe('tags:\r\n- a\r\n- b\r\n');
  });

  it('writes a small number with a point, without which PyYAML would read text', () => {
    expect(lineOf(1e-7)).toBe('key: 1.0e-07\n');
  });
});

describe('a number', () => {
  it('is read back as that number', () => {
    fc.assert(
      fc.property(anyShare, (value) => {
        expect(readAs(value, DEFAULT_SAFE_SCHEMA)).toBe(value);
        expect(Number(readAs(value, FAILSAFE_SCHEMA))).toBe(value);
      }),
    );
  });

  it('is read back even if a person wrote one that is far too large', () => {
    expect(Number(readAs(1e21, FAILSAFE_SCHEMA))).toBe(1e21);
  });
});

describe('a list', () => {
  it('is read back as the same texts', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 5 }), (list) => {
        expect(readAs(list, FAILSAFE_SCHEMA)).toEqual(list);
        expect(readAs(list, DEFAULT_SAFE_SCHEMA)).toEqual(list);
      }),
    );
  });
});
