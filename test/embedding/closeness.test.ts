import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openCloseness } from '../../src/embedding/closeness.js';
import { madeUpModel } from './made-up-model.js';

const model = madeUpModel();
const closeTo = (text: string) =>
  openCloseness(model, { text, words: text.split(' ').map((word) => ({ word, weight: 1 })) });

describe('openCloseness', () => {
  it('finds a note that says the same in other words', () => {
    const close = closeTo('car');
    const vehicle = close({ title: '', body: 'the vehicle' });
    expect(vehicle.cover).toBeGreaterThan(close({ title: '', body: 'the bakery' }).cover + 0.3);
    expect(vehicle.nearness).toBeGreaterThan(close({ title: '', body: 'the bakery' }).nearness + 0.3);
  });

  it('reads the title with every passage', () => {
    const apart = 'un '.repeat(200);
    const close = closeTo('car bread');
    const both = close({ title: 'car', body: `${apart} bread ${apart}` });
    const one = close({ title: '', body: `${apart} bread ${apart}` });
    expect(both.cover).toBeCloseTo(1, 1);
    expect(one.cover).toBeLessThan(0.9);
  });

  it('prefers the words of a query in one passage', () => {
    const near = closeTo('car bread')({ title: '', body: `${'un '.repeat(100)} car bread` });
    const apart = closeTo('car bread')({ title: '', body: `car ${'un '.repeat(100)} bread` });
    expect(near.cover).toBeGreaterThan(apart.cover + 0.1);
  });

  it('lets a word with a greater weight count more', () => {
    const coverOf = (weight: number, body: string): number =>
      openCloseness(model, {
        text: 'car bread',
        words: [
          { word: 'car', weight },
          { word: 'bread', weight: 1 },
        ],
      })({ title: '', body }).cover;
    expect(coverOf(3, 'car')).toBeGreaterThan(coverOf(3, 'bread') + 0.3);
    expect(coverOf(1 / 3, 'car')).toBeLessThan(coverOf(1 / 3, 'bread') - 0.3);
  });

  it('gives 0 for a query or a note in which the model knows no word', () => {
    const nothing = { cover: 0, nearness: 0 };
    expect(closeTo('zzz')({ title: 'car', body: 'car' })).toEqual(nothing);
    expect(closeTo('car')({ title: 'zzz', body: '' })).toEqual(nothing);
    expect(closeTo('')({ title: '', body: '' })).toEqual(nothing);
  });

  it('gives shares from -1 to 1 for any texts', () => {
    const words = fc.array(fc.constantFrom('car', 'bread', 'running', '...', 'é', 'un')).map((all) => all.join(' '));
    fc.assert(
      fc.property(words, words, words, (query, title, body) => {
        const { cover, nearness } = closeTo(query)({ title, body });
        expect([cover, nearness].every((value) => value >= -1.001 && value <= 1.001)).toBe(true);
      }),
    );
  });
});
