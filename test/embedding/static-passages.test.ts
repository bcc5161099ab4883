import { describe, expect, it } from 'vitest';
import { packVectors } from '../../src/embedding/packed-vectors.js';
import { nearestPart, staticIdentity, staticPassages, staticQuery } from '../../src/embedding/static-passages.js';
import { madeUpModel } from './made-up-model.js';

const model = madeUpModel();
const cosinesOf = (query: string, title: string, body: string): readonly number[] => {
  const { count, values, scales } = staticPassages(model, { title, body });
  const asked = staticQuery(model, query);
  return Array.from({ length: count }, (_, passage) =>
    asked.reduce(
      (sum, value, at) => sum + value * (scales[passage] ?? 0) * (values[passage * model.dimension + at] ?? 0),
      0,
    ),
  );
};

describe('the passages of a note', () => {
  it('are 32 tokens each, the last one the rest, and one without text', () => {
    expect(staticPassages(model, { title: 'car', body: '' }).count).toBe(1);
    expect(staticPassages(model, { title: 'car', body: 'car '.repeat(32) }).count).toBe(1);
    expect(staticPassages(model, { title: 'car', body: 'car '.repeat(33) }).count).toBe(2);
    expect(staticPassages(model, { title: '', body: 'car '.repeat(100_000) }).count).toBe(128);
  });

  it('are nearest to a query if they answer it', () => {
    const [first = 0, second = 0] = cosinesOf('automobile', '', `${'bread '.repeat(32)}${'vehicle '.repeat(8)}`);
    expect(second).toBeGreaterThan(0.9);
    expect(first).toBeLessThan(0.3);
  });

  it('all include the title', () => {
    const body = 'bread '.repeat(64);
    const [without = 0] = cosinesOf('automobile', '', body);
    for (const cosine of cosinesOf('automobile', 'car car car car car car car car', body))
      expect(cosine).toBeGreaterThan(without + 0.1);
  });

  it('are the same numbers for the same text, and zeros where the model knows no word', () => {
    const note = { title: 'car', body: 'bread loaf' };
    expect(staticPassages(model, note)).toEqual(staticPassages(model, note));
    expect(staticPassages(model, { title: '', body: '東京' }).values.every((value) => value === 0)).toBe(true);
    expect(staticQuery(model, '東京').every((value) => value === 0)).toBe(true);
  });

  it('belong to the model and its version', () => {
    expect(staticIdentity({ id: 'a@1' })).not.toBe(staticIdentity({ id: 'a@2' }));
  });
});

describe('packing', () => {
  it('keeps a vector within a hundredth of its length', () => {
    const vector = [0.6, -0.8, 0, 0.01];
    const { values, scales, count } = packVectors([vector, [0, 0, 0, 0]], 4);
    expect(count).toBe(2);
    vector.forEach((value, at) => {
      expect(Math.abs((values[at] ?? 0) * (scales[0] ?? 0) - value)).toBeLessThan(0.01);
    });
    expect([...values.subarray(4)]).toEqual([0, 0, 0, 0]);
  });
});

describe('the part of a text that is nearest to a query', () => {
  const text = `${'bread '.repeat(48)}vehicle ${'loaf '.repeat(60)}`;

  it('begins with a word and contains what the query means', () => {
    const from = nearestPart(model, 'automobile', text);
    expect(text.slice(from)).toMatch(/^(?:bread |vehicle )/);
    expect(text.slice(from).split(' ').slice(0, 24)).toContain('vehicle');
  });

  it('is the first if the model knows no word', () => {
    expect(nearestPart(model, '東京', text)).toBe(0);
    expect(nearestPart(model, 'automobile', '')).toBe(0);
  });
});
