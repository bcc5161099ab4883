import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { diskCheck, gitCheck, sqliteCheck } from '../../../src/setup/doctor/environment.js';
import { bundleProgram, openPatient, type Patient } from './support.js';

let patient: Patient;
beforeEach(async () => {
  patient = await openPatient({ notes: 1 });
});
afterEach(() => patient.remove());

describe('git', () => {
  const withGit = (script: string | undefined) => {
    const bin = join(patient.folder, 'bin');
    mkdirSync(bin, { recursive: true });
    if (script !== undefined) {
      writeFileSync(join(bin, 'git'), `#!/bin/sh\n${script}\n`);
      chmodSync(join(bin, 'git'), 0o755);
    }
    return { environment: { ...patient.environment, PATH: bin } };
  };
  it.each([
    ['git version 2.39.5', 'ok', '2.39.5'],
    ['git version 2.36.0', 'ok', '2.36.0'],
    ['git version 2.34.0', 'warning', 'power cut'],
    ['git version 3.0.1.windows.2', 'ok', '3.0.1'],
    ['git version 2.33.9 (Apple Git-1)', 'problem', '2.33.9 is too old'],
    ['git version 1.99.0', 'problem', '1.99.0 is too old'],
    ['no version here', 'problem', 'could not be started'],
  ])('that says %j is %s', async (said, state, message) => {
    const found = await patient.find(gitCheck, withGit(`echo '${said}'`));
    expect(found).toMatchObject([{ state, message: expect.stringContaining(message) }]);
  });
  it('that is missing or fails is reported, and checks that need it are skipped', async () => {
    expect(await patient.find(gitCheck, withGit(undefined))).toMatchObject([
      { state: 'problem', next: expect.stringContaining('2.34') },
    ]);
    expect(await patient.find(gitCheck, withGit('exit 1'))).toMatchObject([{ state: 'problem' }]);
    const { findings } = await patient.diagnose(undefined, withGit('exit 1'));
    expect(findings.filter(({ state }) => state === 'problem').map(({ check }) => check)).toEqual(['git']);
  });
});

describe('SQLite', () => {
  it('loads here', async () => {
    expect(await patient.find(sqliteCheck)).toMatchObject([
      { state: 'ok', message: expect.stringContaining(process.version) },
    ]);
  });
});

const canMount = spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=1M none /mnt']).status === 0;

describe('the disk', () => {
  it('is also checked where the store will be', async () => {
    const environment = { ...patient.environment, ANAMNESIS_HOME: join(patient.folder, 'not', 'yet', 'there') };
    const [found] = await patient.find(diskCheck, { environment });
    expect(found!.message).toMatch(new RegExp(`^\\d+ MiB free at ${patient.folder}$`));
  });
  it.skipIf(!canMount).each([
    ['1M', 'problem', 1],
    ['200M', 'warning', 0],
  ])('of %s is a %s', async (size, state, code) => {
    const program = await bundleProgram('test/setup/doctor/program.ts');
    const full = join(patient.folder, 'full');
    mkdirSync(full);
    const line = `mount -t tmpfs -o size=${size} none '${full}' && '${process.execPath}' '${program}' doctor --json`;
    const ran = spawnSync('unshare', ['-rm', 'sh', '-c', line], {
      env: { ...patient.environment, ANAMNESIS_HOME: join(full, 'store') },
      encoding: 'utf8',
    });
    const found = JSON.parse(ran.stdout).checks.find((one: { check: string }) => one.check === 'disk');
    expect(found).toMatchObject({ state, message: expect.stringContaining(`MiB free at ${full}`) });
    expect(ran.status).toBe(code);
  });
});
