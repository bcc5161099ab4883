import { describe, expect, it } from 'vitest';
import { markRef } from '../../../../src/events/git/remote/machine-marks.js';
import { isSharedRef } from '../../../../src/events/git/remote/shared-refs.js';

describe('a shared ref', () => {
  it.each([
    ['a machine', markRef('My-Laptop.local')],
    ['a machine with the name of a device', markRef('con')],
  ])('is accepted for %s', (_, ref) => {
    expect(isSharedRef(ref)).toBe(true);
  });

  it.each([
    ['below a machine', 'refs/anamnesis/machines/laptop/x'],
    ['with capital letters', 'refs/anamnesis/machines/Laptop'],
    ['of a purge that an older version recorded', 'refs/anamnesis/purges/01J0000000000000000000000A'],
    ['elsewhere', 'refs/heads/main'],
  ])('is refused %s', (_, ref) => {
    expect(isSharedRef(ref)).toBe(false);
  });
});
