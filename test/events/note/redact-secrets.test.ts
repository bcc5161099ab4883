/** How many generated secrets of every kind and place are masked, and how many look-alikes are left alone. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { redact } from '../../../src/events/note/redact.js';
import { makeLookAlikes } from '../../support/secrets/look-alikes.js';
import {
  isShownIn,
  makePlacedSecrets,
  makeUnsecret,
  placeCount,
} from '../../support/secrets/places-and-look-alikes.js';
import { isShown, kindCount, type MadeSecret, makeSecrets } from '../../support/secrets/secrets.js';

const count = Number(process.env['SECRETS'] ?? 2000);
const seed = Number(process.env['SEED'] ?? 20260);

const isMasked = (secret: MadeSecret): boolean => !isShown(secret, redact(secret.text).text);
type Tally = { made: number; masked: number };
const tallyBy = (made: readonly MadeSecret[], keyOf: (secret: MadeSecret) => string): ReadonlyMap<string, Tally> => {
  const tallies = new Map<string, Tally>();
  for (const secret of made) {
    const tally = tallies.get(keyOf(secret)) ?? { made: 0, masked: 0 };
    tally.made++;
    if (isMasked(secret)) tally.masked++;
    tallies.set(keyOf(secret), tally);
  }
  return tallies;
};
const percent = ({ made, masked }: Tally): number => (masked / made) * 100;

describe.each([seed, seed + 1])(`${count} generated secrets of ${kindCount} kinds, seed %i`, (from) => {
  const made = makeSecrets(from, count);
  it('are masked completely in at least 97 of 100 texts', () => {
    const exposed = made.filter((secret) => !isMasked(secret)).map(({ kind, text }) => `${kind}: ${text}`);
    expect(exposed.length, exposed.join('\n')).toBeLessThanOrEqual(count * 0.03);
  });
  it('leave no text that a second masking would change', () => {
    const changed = made.map(({ text }) => redact(text).text).filter((text) => redact(text).masked.length > 0);
    expect(changed).toEqual([]);
  });
});

/** Endings put directly after a secret that is masked in its own text, which should not expose it. */
const endings = [
  '',
  '\n',
  '\\n',
  ' user="bob"',
  " level='x'",
  ' <b class="x">',
  ', see "log"',
  ' [output truncated]',
  '`',
  '"}',
];
it.each(endings)('masks at least 98 of 100 secrets when the text ends after them with %j', (rest) => {
  const endingSo = makeSecrets(seed, count)
    .filter(isMasked)
    .flatMap((secret) => {
      const [hidden = ''] = secret.hidden.slice(-1);
      const at = secret.text.lastIndexOf(hidden);
      return at === -1 ? [] : [{ ...secret, text: `${secret.text.slice(0, at + hidden.length)}${rest}` }];
    });
  const exposed = endingSo.filter((secret) => !isMasked(secret)).map(({ kind, text }) => `${kind}: ${text}`);
  expect(endingSo.length).toBeGreaterThan(count * 0.9);
  expect(exposed.length, exposed.join('\n')).toBeLessThanOrEqual(endingSo.length * 0.02);
});

it('masks at least 95 of 100 secrets of every kind', () => {
  const weak = [...tallyBy(makeSecrets(seed, kindCount * 60), ({ kind }) => kind)]
    .filter(([, tally]) => percent(tally) < 95)
    .map(([kind, { made, masked }]) => `${kind}: ${masked} of ${made}`);
  expect(weak).toEqual([]);
});

it.each([seed, seed + 1])('mistakes at most 1 in 100 of 500 look-alikes for secrets, seed %i', (from) => {
  const taken = makeLookAlikes(from, 500)
    .map(({ kind, text }) => ({ kind, text, masked: redact(text).text }))
    .filter(({ text, masked }) => text !== masked);
  expect(taken.length, JSON.stringify(taken, null, 1)).toBeLessThanOrEqual(5);
});

/** Made by a generator that was written before the rules; a few of its misses have been mended since. */
describe.each([1, seed])('of another generator, seed %i', (from) => {
  it(`at least 97 of 100 secrets in ${placeCount} kinds of places are masked`, () => {
    const made = makePlacedSecrets(from, 3000);
    const exposed = made.filter((secret) => isShownIn(redact(secret.text).text, secret));
    const list = exposed.map(({ place, text }) => `${place}: ${text}`).join('\n');
    expect(exposed.length, list).toBeLessThanOrEqual(made.length * 0.03);
  });
  it('at most 1 in 100 look-alikes is masked', () => {
    const made = makeUnsecret(from, 2000);
    const taken = made.filter(({ text }) => redact(text).text !== text).map(({ kind, text }) => `${kind}: ${text}`);
    expect(taken.length, taken.join('\n')).toBeLessThanOrEqual(made.length * 0.01);
  });
});

/** The rows of the table in docs/security.md, as this run measures them. */
const rows = (): readonly string[] =>
  [...tallyBy(makeSecrets(seed, 2000), ({ group }) => group)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, tally]) => `| ${group} | ${tally.made} | ${percent(tally).toFixed(1)} % |`);

it('the table in docs/security.md has the measured rates', () => {
  const documented = readFileSync('docs/security.md', 'utf8')
    .split('\n')
    .map((line) => line.replace(/ +/g, ' ').trim());
  const missing = rows().filter((row) => !documented.includes(row));
  expect(missing, `write these rows:\n${rows().join('\n')}`).toEqual([]);
});
