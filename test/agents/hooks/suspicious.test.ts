import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSuspicious } from '../../../src/agents/hooks/suspicious.js';
import { maskText } from '../../../src/events/note/mask-text.js';
import { tools } from '../../../src/events/note/redact/commands.js';
import { nameRoots } from '../../../src/events/note/redact/names.js';
import { vendorTokens } from '../../../src/events/note/redact/vendors.js';
import * as places from '../../support/secrets/places.js';
import { password, type Random, seeded, urlSafe } from '../../support/secrets/random.js';
import { makeSecrets } from '../../support/secrets/secrets.js';

/** Returns the texts that masking changes although the quick check lets them pass. */
const missed = (texts: readonly string[]): readonly string[] =>
  texts.filter((text) => !isSuspicious(text) && maskText(text) !== text);

const random = seeded(42);
const repeat = <T>(count: number, make: (random: Random) => T): readonly T[] =>
  Array.from({ length: count }, () => make(random));

describe('the quick check finds everything that masking changes in', () => {
  it('generated secrets of all kinds, and each of their lines and words alone', () => {
    const texts = makeSecrets(3, 4000).map(({ text }) => text);
    const parts = texts.flatMap((text) => [text, ...text.split('\n'), ...text.split(/\s+/)]);
    expect(missed(parts)).toEqual([]);
  });
  it('short passwords beside each name, in sentences and after each sign', () => {
    const lines = nameRoots.flatMap((name) =>
      repeat(30, (r) => {
        const value = r.pick([password(r), r.chars(urlSafe, [6, 15]), r.chars('aBcDeFgHiJkLmNop/.', [8, 40])]);
        const sign = r.pick([' ', ' is ', ' now ', '|', '>', ' -> ', ',', ' = ', ': ', '%3D', '/', ';', ' (']);
        return r.pick([`the ${name}${sign}${value} now`, `${name}${sign}${value}`, `${value} is the ${name}`]);
      }),
    );
    expect(missed(lines)).toEqual([]);
  });
  it('commands with a password, with or without digits, in each place of a generated secret', () => {
    const lines = [...places.commandPlaces, ...places.prosePlaces, ...places.headerPlaces].flatMap((place) =>
      repeat(20, (r) => place.replace(/V/g, r.pick([password(r), r.chars('abcdefgh', [4, 12])])).replace(/U/g, 'me')),
    );
    const commands = [...tools.keys()].flatMap((tool) =>
      repeat(20, (r) => {
        const option = r.pick([
          '-p',
          '-p ',
          '-P ',
          '-u me:',
          '-a ',
          '--password ',
          '-passin pass:',
          '/p:',
          '-w ',
          'login ',
          'user me ',
          '',
        ]);
        return `${r.pick(['run ', '', '"'])}${tool} ${r.pick(['login ', 'add_user me ', 'me ', ''])}${option}${r.chars('abcdefgh', [4, 12])} shop`;
      }),
    );
    expect(missed([...lines, ...commands])).toEqual([]);
  });
  it('tokens of each issuer, even when cut', () => {
    const body = fc.string({ unit: fc.constantFrom(...'aB3dE9fGh+/-_.~=K'), minLength: 8, maxLength: 120 });
    const prefix = fc.constantFrom(...vendorTokens.flatMap(({ prefixes }) => prefixes), 'eyJ', 'sk-', 'xoxb-');
    // The shortest token of all has 15 characters in a row.
    expect(missed(['xoxb-aaa3aaaaaa', 'it is xoxb-aaa3aaaaaa/aaaaaa'])).toEqual([]);
    fc.assert(
      fc.property(prefix, body, (front, rest) => {
        expect(missed([front + rest, `it is ${front}${rest}`])).toEqual([]);
      }),
    );
  });
  it('random combinations of words and signs', () => {
    const part = fc.constantFrom(
      ...nameRoots,
      ...tools.keys(),
      ...[
        'Xk9mQ2vR7w',
        'aBcDeFgH',
        'Bcdfgh',
        'hunter2',
        '-p',
        '-----',
        '|',
        '>',
        ',',
        ';',
        '/',
        '(',
        ')',
        '.',
        '~',
        '[',
        ']',
      ],
      ...[
        'is',
        'the',
        'with',
        'machine',
        'hooks.zapier.com/hooks/catch/',
        'maker.ifttt.com/trigger/a/with/key/',
        'PRIVATE KEY',
      ],
    );
    const text = fc.array(part, { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(text, fc.constantFrom(' ', ''), (parts, between) => {
        expect(missed([parts.join(between)])).toEqual([]);
      }),
    );
  });
});

it.each([
  '/home/anna/shop',
  '/Users/anna/projects2/shop',
  '3bf75f14-4c3f-4b0e-9a51-0f6f2a1c9d7e',
  's1',
  'All 12 tests are green now, see above.',
  'Done.',
])('the quick check sees nothing in %s, so masking is not loaded for it', (text) =>
  expect(isSuspicious(text)).toBe(false),
);
