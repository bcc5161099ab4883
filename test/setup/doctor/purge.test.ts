import { afterEach, beforeEach, expect, it } from 'vitest';
import { beginPurge, endPurge } from '../../../src/purge/purge-state.js';
import { purgeCheck } from '../../../src/setup/doctor/purge.js';
import { openPatient, type Patient } from './support.js';

let patient: Patient;
beforeEach(async () => {
  patient = await openPatient({ notes: 1 });
});
afterEach(() => patient.remove());

const at = '2026-11-21T21:38:02+00:00';

it('reports a purge that was begun, until it is done', async () => {
  expect(await patient.find(purgeCheck)).toEqual([]);
  await patient.with(async (memory) =>
    beginPurge((await memory.store()).state, { at, what: 'a literal', followed: [] }),
  );
  expect(await patient.find(purgeCheck)).toMatchObject([
    {
      state: 'problem',
      message: expect.stringContaining('a purge of a literal was begun'),
      next: expect.stringMatching(/repeat/),
    },
  ]);
  await patient.with(async (memory) => endPurge((await memory.store()).state));
  expect(await patient.find(purgeCheck)).toEqual([]);
});

it('reports a purge from another machine that was not applied completely', async () => {
  await patient.with(async (memory) =>
    beginPurge((await memory.store()).state, { at, what: undefined, followed: ['01J'] }),
  );
  expect(await patient.find(purgeCheck)).toMatchObject([{ next: expect.stringContaining('anamnesis sync') }]);
});
