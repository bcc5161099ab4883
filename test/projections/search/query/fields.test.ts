import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { conditionsOf, isField } from '../../../../src/projections/search/query/fields.js';

const now = Date.parse('2026-06-24T12:00:00Z') / 1000;
const only = (key: string, value: string, isWithout = false) =>
  conditionsOf([{ key, value, isWithout }], now).conditions[0];

beforeEach(() => {
  vi.stubEnv('TZ', 'UTC');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a field', () => {
  it.each([
    ['tag', 'infra'],
    ['type', 'semantic'],
    ['type', 'semantic,procedural'],
    ['scope', 'machine-local'],
    ['after', '2026'],
    ['after', '2026-06'],
    ['before', '2026-06-24'],
    ['after', '2026-06-24T10:00:00Z'],
    ['after', '12h'],
    ['before', 'yesterday'],
    ['is', 'superseded'],
    ['has', 'secret'],
    ['type', 'Semantic'],
    ['scope', 'Portable'],
    ['is', 'Live'],
    ['after', 'Yesterday'],
    ['id', '6ddrkk'],
  ])('is %s:%s', (key, value) => {
    expect(isField({ key, value }, now)).toBe(true);
  });

  it.each([
    ['type', 'string'],
    ['type', 'semantic,string'],
    ['tag', ','],
    ['after', 'noon'],
    ['after', '2026-02-31'],
    ['after', '06/24'],
    ['is', 'open'],
    ['has', 'issues'],
    ['is', 'constructor'],
    ['constructor', 'x'],
    ['http', '//example.com'],
    ['id', 'abc'],
    ['id', 'user-1'],
  ])('is not %s:%s', (key, value) => {
    expect(isField({ key, value }, now)).toBe(false);
  });

  it.each<[value: string, time: string]>([
    ['2026', '2026-01-01T00:00:00Z'],
    ['2026-06', '2026-06-01T00:00:00Z'],
    ['2026-06-24', '2026-06-24T00:00:00Z'],
    ['2026-06-24T10:00:00+02:00', '2026-06-24T08:00:00Z'],
    ['30m', '2026-06-24T11:30:00Z'],
    ['12h', '2026-06-24T00:00:00Z'],
    ['2d', '2026-06-22T12:00:00Z'],
    ['1w', '2026-06-17T12:00:00Z'],
    ['today', '2026-06-24T00:00:00Z'],
    ['yesterday', '2026-06-23T00:00:00Z'],
  ])('after:%s counts from %s', (value, time) => {
    expect(only('after', value)?.args).toEqual([Date.parse(time) / 1000]);
  });

  it('shows what a search hides if it is asked for, but not if it is excluded', () => {
    expect(conditionsOf([{ key: 'is', value: 'superseded', isWithout: false }], now).shown).toEqual(['superseded']);
    expect(conditionsOf([{ key: 'is', value: 'any', isWithout: false }], now).shown).toEqual(['superseded', 'expired']);
    expect(conditionsOf([{ key: 'is', value: 'superseded', isWithout: true }], now).shown).toEqual([]);
    expect(conditionsOf([{ key: 'is', value: 'Superseded', isWithout: false }], now).shown).toEqual(['superseded']);
    expect(conditionsOf([{ key: 'id', value: '6DDRKK', isWithout: false }], now).shown).toEqual([
      'superseded',
      'expired',
    ]);
  });

  it('that is excluded also lets through notes without the key', () => {
    expect(only('agent', 'claude', true)?.sql).toMatch(/IS NOT TRUE$/);
  });
});
