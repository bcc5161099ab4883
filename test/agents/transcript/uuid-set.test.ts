import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { UuidSet } from '../../../src/agents/transcript/uuid-set.js';

it('recognises the ids that were added, and only those', () => {
  const set = new UuidSet();
  expect(set.has('a')).toBe(false);
  expect([set.add('a'), set.add('b'), set.add('a'), set.add('')]).toEqual([true, true, false, true]);
  expect([set.has('a'), set.has('b'), set.has(''), set.has('c')]).toEqual([true, true, true, false]);
});

it('mistakes none of 120,000 ids for another', () => {
  const random = new UuidSet();
  const ids = Array.from({ length: 60_000 }, () => randomUUID());
  expect(ids.filter((id) => !random.add(id))).toEqual([]);
  expect(ids.every((id) => random.has(id))).toBe(true);
  const counted = new UuidSet();
  const taken = Array.from({ length: 60_000 }, (_, i) => counted.add(`00000000-0000-4000-8000-${i}`));
  expect(taken.every(Boolean)).toBe(true);
});
