import { existsSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { problem } from '../../../src/setup/doctor/check.js';
import { carryOut, diagnose, planFixes } from '../../../src/setup/doctor/examine.js';
import { openPatient, type Patient, pictureOf } from './support.js';

let patient: Patient;
afterEach(() => patient.remove());

describe('a diagnosis', () => {
  it('finds a healthy store of 72 notes well within 3 seconds, and changes nothing in it', async () => {
    patient = await openPatient({ notes: 72 });
    const before = pictureOf(patient.folder);
    const started = performance.now();
    const found = await patient.diagnose();
    expect(performance.now() - started).toBeLessThan(3_000);
    expect(found.findings.filter(({ check, state }) => state !== 'ok' && check !== 'agents')).toEqual([]);
    expect(found).toMatchObject({ ok: true, damaged: false });
    expect(pictureOf(patient.folder)).toEqual(before);
  });
  it('makes nothing where there is no store', async () => {
    patient = await openPatient();
    const before = pictureOf(patient.folder);
    const found = await patient.diagnose();
    expect(found.damaged).toBe(false);
    expect(found.findings).toContainEqual(expect.objectContaining({ check: 'store', state: 'warning' }));
    expect(existsSync(patient.store)).toBe(false);
    expect(pictureOf(patient.folder)).toEqual(before);
  });
  it('reports why a check threw, and runs the others', async () => {
    patient = await openPatient();
    const { findings } = await diagnose(patient.around, [
      {
        name: 'broken',
        look: () => {
          throw new Error('no such device\nand more');
        },
      },
      { name: 'late', look: () => Promise.reject('refused') },
      { name: 'well', look: () => 'fine' },
    ]);
    expect(findings).toMatchObject([
      { check: 'broken', state: 'problem', message: 'could not be checked: no such device' },
      { check: 'late', state: 'problem', message: 'could not be checked: refused' },
      { check: 'well', state: 'ok' },
    ]);
  });
});

describe('fixing', () => {
  it('carries out each plan once, in order, and continues after one that fails', async () => {
    patient = await openPatient();
    const done: string[] = [];
    const fix = (plan: string) => ({
      plan,
      carryOut: async () => {
        done.push(plan);
        if (plan === 'b') throw new Error('it is gone');
        return `${plan} done`;
      },
    });
    const findings = ['a', 'b', 'a', 'c'].map((plan) => ({ ...problem('x', 'y', { fix: fix(plan) }), check: 'z' }));
    expect(await carryOut(planFixes(findings))).toEqual([
      { fix: 'a', done: true, message: 'a done' },
      { fix: 'b', done: false, message: 'it is gone' },
      { fix: 'c', done: true, message: 'c done' },
    ]);
    expect(done).toEqual(['a', 'b', 'c']);
  });
});
