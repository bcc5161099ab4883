import { afterEach, beforeEach, expect, it } from 'vitest';
import { beginPurge, endPurge, setUnpublished } from '../../../src/purge/purge-state.js';
import { purgeCheck } from '../../../src/setup/doctor/databases.js';
import { openPatient, type Patient } from './support.js';

let patient: Patient;
beforeEach(async () => {
  patient = await openPatient({ notes: 1 });
});
afterEach(() => patient.remove());

const at = '2026-11-21T21:38:02+00:00';

it('reports a purge that was begun, until it is done', async () => {
  expect(await patient.find(purgeCheck)).toEqual([]);
  await patient.with(async (memory) => beginPurge((await memory.store()).state, { at, what: 'a literal' }));
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

it('reports a purge that is not on the remote yet', async () => {
  await patient.with(async (memory) => setUnpublished((await memory.store()).state, 'a'.repeat(40)));
  expect(await patient.find(purgeCheck)).toMatchObject([{ next: 'run: anamnesis sync' }]);
});
