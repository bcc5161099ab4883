import fc from 'fast-check';
import { FAILSAFE_SCHEMA, safeLoad } from 'js-yaml';
import { expect, it } from 'vitest';
import { readPlainKeys } from '../../../src/events/note/yaml-text.js';

const byParser = (yaml: string): unknown => {
  try {
    return safeLoad(yaml, { schema: FAILSAFE_SCHEMA });
  } catch {
    return 'refused';
  }
};

it('reads the usual keys of a note', () => {
  expect(readPlainKeys("id: 01A\ntitle: 'a: b'\nconfidence: 1.0\ntags: []\nsupersedes:\n- x\n- 'y z'\n")).toEqual({
    id: '01A',
    title: 'a: b',
    confidence: '1.0',
    tags: [],
    supersedes: ['x', 'y z'],
  });
});

it('reads values that begin like names and paths in code', () => {
  expect(readPlainKeys('title: _validate(x)\ntags:\n- /etc/hosts\n- $HOME\n- (new)\n')).toEqual({
    title: '_validate(x)',
    tags: ['/etc/hosts', '$HOME', '(new)'],
  });
});

it.each([
  'a: b: c\n',
  'a: b #c\n',
  "a: 'it''s'\n",
  'a:\n',
  'a: b\na: c\n',
  'a: b\n c\n',
  '- a\n',
  'a: |\n  b\n',
  'a: b',
  'a:\tb\n',
  'a: &x b\n',
])('leaves %j to the parser', (yaml) => {
  expect(readPlainKeys(yaml)).toBeUndefined();
});

const odd = fc.constantFrom(
  'a',
  '_',
  '/',
  '$',
  '(',
  'B',
  '1',
  ' ',
  '-',
  '- ',
  ':',
  ': ',
  '#',
  ' #',
  "'",
  "''",
  '"',
  '[',
  ']',
  '[]',
  '{',
  '}',
  ',',
  '|',
  '>',
  '&',
  '*',
  '!',
  '%',
  '@',
  '`',
  '~',
  '\\',
  '\t',
  'é',
  '\u2028',
  '...',
  '---',
  '?',
  '=',
  '.',
);
const scalar = fc.oneof(
  fc.array(odd, { maxLength: 6 }).map((parts) => parts.join('')),
  fc.array(odd, { maxLength: 6 }).map((parts) => `'${parts.join('')}'`),
  fc.string({ maxLength: 12 }).map((text) => text.replace(/[\r\n]/g, ' ')),
);
const line = fc.oneof(
  fc.tuple(fc.constantFrom('id', 'title', 'tags', 'x_y', 'A'), scalar).map(([key, value]) => `${key}: ${value}`),
  fc.constantFrom('id', 'tags', 'other').map((key) => `${key}:`),
  scalar.map((value) => `- ${value}`),
  scalar,
);

it('returns what the YAML parser returns, or nothing', () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), (lines) => {
      const yaml = `${lines.join('\n')}\n`;
      const plain = readPlainKeys(yaml);
      if (plain !== undefined) expect(byParser(yaml)).toEqual(plain);
    }),
  );
});
