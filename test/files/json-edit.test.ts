import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appendValue, removeValue, setValue } from '../../src/files/json-edit.js';
import { type JsonDialect, type JsonText, parseJsonText } from '../../src/files/json-text.js';

const parse = (text: string, dialect: JsonDialect = 'json'): JsonText => {
  const result = parseJsonText(text, dialect);
  if (!result.ok) throw new Error(JSON.stringify(result.problem));
  return result.parsed;
};

describe('reading JSON', () => {
  it.each([
    ['{\n  "a": 1,\n}', 3, 1],
    ['{"a": 1', 1, 8],
    ['{\n  // why\n  "a": 1\n}', 2, 3],
    ["{'a': 1}", 1, 2],
    ['', 1, 1],
    ['{} {}', 1, 4],
    ['{"a": 01}', 1, 8],
    ['{"a": "x\ny"}', 1, 7],
    ['nonsense', 1, 1],
    ['{"a": +1}', 1, 7],
  ])('refuses %j and says where', (text, line, column) => {
    expect(parseJsonText(text, 'json')).toEqual({ ok: false, problem: { line, column, what: expect.any(String) } });
  });
  it('refuses nesting so deep that reading it would overflow the stack', () => {
    for (const depth of [201, 1_000_000]) {
      const result = parseJsonText(`${'['.repeat(depth)}${']'.repeat(depth)}`, 'json');
      expect(result).toMatchObject({ ok: false, problem: { what: 'nested more than 200 deep' } });
    }
    expect(parseJsonText(`["${'['.repeat(1000)}"]`, 'json').ok).toBe(true);
  });
  it('keeps keys that would reach an object’s prototype', () => {
    for (const dialect of ['json', 'jsonc'] as const) {
      const { value } = parse('{"__proto__": {"polluted": 1}, "constructor": 2}', dialect);
      expect(Object.keys(Object(value))).toEqual(['__proto__', 'constructor']);
    }
    expect(Object(({} as Record<string, unknown>)['polluted'])).toEqual({});
  });
  it('reads the same values in both dialects', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(8), (text, indent) => {
        const written = JSON.stringify(JSON.parse(text), null, indent);
        expect(JSON.stringify(parse(written, 'jsonc').value)).toBe(JSON.stringify(parse(written).value));
      }),
    );
  });
});

describe('editing JSON', () => {
  it.each([
    ['{}', '{\n  "x": {\n    "y": 1\n  }\n}'],
    ['{\n    "a": 1\n}\n', '{\n    "a": 1,\n    "x": {\n        "y": 1\n    }\n}\n'],
    ['{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"x": {\n\t\t"y": 1\n\t}\n}'],
    ['{\r\n  "a": 1\r\n}\r\n', '{\r\n  "a": 1,\r\n  "x": {\r\n    "y": 1\r\n  }\r\n}\r\n'],
    ['{"a":1}', '{"a":1,"x":{"y":1}}'],
    ['{"a":1, "x":{}}', '{"a":1, "x":{"y":1}}'],
    ['{\n  "x": {},\n  "a": 1\n}', '{\n  "x": {\n    "y": 1\n  },\n  "a": 1\n}'],
    ['{\n  "x": {"y": 0}\n}', '{\n  "x": {"y": 1}\n}'],
    ['{\n"a": 1\n}', '{\n"a": 1,\n"x": {"y":1}\n}'],
  ])('sets a value in %j with its own indentation', (text, expected) => {
    expect(setValue(parse(text), ['x', 'y'], 1).text).toBe(expected);
  });
  it.each([
    ['{\n  "a": 1, // one\n  "b": 2 // two\n}', '{\n  "a": 1, // one\n  "b": 2, // two\n  "x": 3\n}'],
    ['{\n  "a": 1, /* last */\n}', '{\n  "a": 1, /* last */\n  "x": 3,\n}'],
    ['{\n  // nothing yet\n}', '{\n  // nothing yet\n  "x": 3\n}'],
    ['{ "a": 1 // one\n}', '{ "a": 1,"x":3 // one\n}'],
    ['{ "a": 1, /* , */ }', '{ "a": 1,"x":3, /* , */ }'],
  ])('adds to %j and keeps its comments in place', (text, expected) => {
    expect(setValue(parse(text, 'jsonc'), ['x'], 3).text).toBe(expected);
  });
  it.each([
    ['{\n  "a": 1, // one\n  "x": 2\n}', '{\n  "a": 1 // one\n}'],
    ['{\n  "x": 2, // mine\n  "a": 1\n}', '{\n  // mine\n  "a": 1\n}'],
    ['{ "a": 1, // one\n "x": 2 }', '{ "a": 1 // one\n }'],
    ['{ // first\n  "x": 2, "a": 1 }', '{ // first\n  "a": 1 }'],
    ['{"x": 2}', '{}'],
    ['{\n  "x": 2\n}', '{}'],
    ['{\n  "x": 2,\n}', '{}'],
    ['{ "a": 1, "x": 2, "b": 3 }', '{ "a": 1, "b": 3 }'],
    ['{ "x": 2 /* c */ , "b": 3 }', '{ /* c */  "b": 3 }'],
    ['{\r\n  "a": 1,\r\n  "x": 2\r\n}', '{\r\n  "a": 1\r\n}'],
    ['{"x": 1, "x": 2, "a": 0}', '{"x": 1, "a": 0}'],
  ])('removes a value from %j and leaves everything else', (text, expected) => {
    expect(removeValue(parse(text, 'jsonc'), ['x']).text).toBe(expected);
  });
  it('appends to a list, and creates the list if there is none', () => {
    expect(appendValue(parse('{"l":[]}'), ['l'], 1).text).toBe('{"l":[1]}');
    expect(appendValue(parse('{\n "l": [\n  1\n ]\n}'), ['l'], 2).text).toBe('{\n "l": [\n  1,\n  2\n ]\n}');
    expect(appendValue(parse('{}'), ['a', 'l'], 1).value).toEqual({ a: { l: [1] } });
  });
  it('removes exactly what it added, in any JSON with any indentation', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(object, fc.constantFrom('', ' ', '  ', '    ', '\t'), fc.boolean(), (value, unit, crlf) => {
        const plain = JSON.stringify({ ...value, mine: { kept: [] } }, null, unit);
        const text = crlf ? plain.replaceAll('\n', '\r\n') : plain;
        const before = parse(text);
        const set = setValue(before, ['mine', 'x'], { a: [1, 'two'] });
        const both = appendValue(set, ['added'], { deep: { er: true } });
        expect(both.value).toEqual({
          ...Object(before.value),
          mine: { kept: [], x: { a: [1, 'two'] } },
          added: [{ deep: { er: true } }],
        });
        expect(removeValue(removeValue(both, ['added']), ['mine', 'x']).text).toBe(text);
      }),
    );
  });
});
