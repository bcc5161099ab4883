import { chmodSync, copyFileSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CheckInput, DoctorSurroundings } from '../../../src/setup/doctor/check.js';
import { claudeSettingsCheck } from '../../../src/setup/doctor/claude-settings.js';
import { probeHook, probeServer } from '../../../src/setup/doctor/probe.js';
import { registrationCheck } from '../../../src/setup/doctor/registration.js';
import type { ClientName } from '../../../src/setup/surroundings.js';
import { bundleProgram, openPatient, type Patient, pictureOf, register, writeStandIn } from './support.js';

/** The real program. */
let built: string;
beforeAll(async () => {
  built = await bundleProgram();
});

let patient: Patient;
let program: string;
let overrides: Partial<DoctorSurroundings>;
let settings: string;
beforeEach(async () => {
  patient = await openPatient({ notes: 1 });
  program = writeStandIn(patient);
  overrides = { scriptPath: program };
  settings = join(patient.claudeHome, 'settings.json');
});
afterEach(() => patient.remove());

const find = () => patient.find(registrationCheck, overrides);
const mend = () => patient.mend(registrationCheck, overrides);
const allAreOk = async () => expect((await find()).map(({ state }) => state)).toEqual(['ok', 'ok']);

/** Changes the text of a client's file. */
const edit = (file: string, change: (text: string) => string): void =>
  writeFileSync(file, change(readFileSync(file, 'utf8')));

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('the program that clients start', () => {
  it('is not checked before init', async () => {
    expect(await find()).toEqual([]);
    expect(await patient.find(claudeSettingsCheck, overrides)).toMatchObject([{ check: 'agents', state: 'warning' }]);
  });
  it('answers once init has registered it, and checking changes nothing', async () => {
    overrides = { scriptPath: built };
    await register(patient, built);
    const before = pictureOf(patient.folder);
    expect(await find()).toMatchObject([
      {
        check: 'claude-code server',
        state: 'ok',
        message: expect.stringMatching(/^answers in \d+ ms, version 0\.0\.0-test$/),
      },
      { check: 'claude-code hooks', state: 'ok', message: expect.stringMatching(/^9 hooks, answered in \d+ ms$/) },
    ]);
    expect(await patient.find(claudeSettingsCheck, overrides)).toMatchObject([{ state: 'ok' }]);
    expect(pictureOf(patient.folder)).toEqual(before);
  });
  it('is found by its mark when the record is lost', async () => {
    await register(patient, program);
    rmSync(patient.path('setup'), { recursive: true });
    await allAreOk();
  });
  it.each(['codex', 'cursor', 'gemini', 'opencode', 'vscode'] as const satisfies readonly ClientName[])(
    'answers when %s starts it',
    async (client) => {
      overrides = { scriptPath: built };
      await register(patient, built, { clients: [client] });
      const found = await find();
      expect(found.length).toBe(client === 'codex' ? 2 : 1);
      for (const { check, state, message } of found)
        expect([check.split(' ')[0], state, message]).toEqual([client, 'ok', message]);
    },
  );
  it('answers under another name and for a store in another place', async () => {
    const home = join(patient.folder, 'else where');
    const environment = { ...patient.environment, ANAMNESIS_HOME: home };
    overrides = { scriptPath: built };
    await register(patient, built, { name: 'notes', storeHome: home, clients: ['claude-code', 'codex'] });
    const found = await patient.find(registrationCheck, { ...overrides, environment });
    expect(found.map(({ state }) => state)).toEqual(['ok', 'ok', 'ok', 'ok']);
  });
});

describe('paths that moved', () => {
  it('are reported and registered again: the script', async () => {
    const old = join(patient.folder, 'old.cjs');
    copyFileSync(program, old);
    await register(patient, old, { clients: ['claude-code', 'codex', 'cursor'] });
    rmSync(old);
    const found = await find();
    expect(found.map(({ check, state }) => [check, state])).toEqual(
      ['claude-code server', 'claude-code hooks', 'codex server', 'codex hooks', 'cursor server'].map((check) => [
        check,
        'problem',
      ]),
    );
    for (const { message } of found) expect(message).toContain(`${old}, which is not there`);
    expect(await mend()).toMatchObject(Array(5).fill({ done: true }));
    expect((await find()).map(({ state }) => state)).toEqual(Array(5).fill('ok'));
    expect(readFileSync(settings, 'utf8')).not.toContain(old);
  });
  it('are reported and registered again: Node', async () => {
    const node = join(patient.folder, 'node');
    symlinkSync(process.execPath, node);
    await register(patient, program, {}, { execPath: node });
    await allAreOk();
    rmSync(node);
    for (const found of await find()) {
      expect(found).toMatchObject({
        state: 'problem',
        message: expect.stringContaining(`${node}, which is not there`),
      });
    }
    await mend();
    await allAreOk();
  });
  it('are reported when the file there cannot be run', async () => {
    const node = join(patient.folder, 'node');
    writeFileSync(node, '#!/bin/sh\n');
    await register(patient, program, {}, { execPath: node });
    for (const found of await find()) {
      expect(found).toMatchObject({ state: 'problem', message: expect.stringContaining("which can't be run") });
    }
    await mend();
    await allAreOk();
  });
});

describe('a registered program', () => {
  const registerScript = async (script: string): Promise<string> => {
    const file = join(patient.folder, 'other.cjs');
    writeFileSync(file, script);
    await register(patient, file);
    return file;
  };
  it.each([
    ['ends with an error', 'throw new Error("no such thing")', /it ended with 1: Error: no such thing/],
    ['says something else', 'console.log("hello")', /no answer to initialize|unexpected output: hello/],
    [
      'is another server',
      `console.log('{"result":{"serverInfo":{"name":"other"}}}'); process.exitCode = 3`,
      /another server answers|ended with 3/,
    ],
    ['is killed', 'process.kill(process.pid, "SIGKILL")', /a signal/],
  ])('is reported when it %s', async (_, script, why) => {
    const file = await registerScript(script);
    const found = await find();
    expect(found.map(({ state }) => state)).toEqual(['problem', 'problem']);
    for (const { message } of found) expect(message).toMatch(why);
    expect(found[0]!.message).toContain(`${process.execPath} ${file} serve`);
    await mend();
    await allAreOk();
  });
  it('times out when it never answers, and leaves no process running', async () => {
    const file = join(patient.folder, 'other.cjs');
    const pids = join(patient.folder, 'pids');
    writeFileSync(
      file,
      `require('node:fs').appendFileSync(${JSON.stringify(pids)}, process.pid + '\\n'); setInterval(() => undefined, 1000);`,
    );
    const examined = { ...patient.around, home: patient.store } as CheckInput;
    const answers = await Promise.all([
      probeServer([process.execPath, file, 'serve'], examined, 1_500),
      probeHook([process.execPath, file, 'hook', 'Stop'], examined, 1_500),
    ]);
    for (const reached of answers) expect(reached).toEqual({ ok: false, why: 'no answer within 1.5 seconds' });
    const started = readFileSync(pids, 'utf8').trim().split('\n').map(Number);
    expect(started.length).toBe(2);
    await expect.poll(() => started.filter(isAlive)).toEqual([]);
  });
  it('is reported when its Node is not the version that the native part was built for', async () => {
    const node = join(patient.folder, 'node');
    writeFileSync(node, `#!/bin/sh\nif [ "$1" = -p ]; then echo 1; else exec ${process.execPath} "$@"; fi\n`, {
      mode: 0o755,
    });
    chmodSync(node, 0o755);
    await register(patient, program, {}, { execPath: node });
    const [server] = await find();
    expect(server).toMatchObject({ state: 'problem', message: expect.stringContaining('another version of Node') });
    await mend();
    await allAreOk();
  });
  it('is reported when it serves another store', async () => {
    const environment = { ...patient.environment, ANAMNESIS_HOME: join(patient.folder, 'a') };
    await register(patient, program, { storeHome: join(patient.folder, 'a') });
    edit(settings, (text) => text.replaceAll(join(patient.folder, 'a'), join(patient.folder, 'b')));
    const [, hooks] = await patient.find(registrationCheck, { ...overrides, environment });
    expect(hooks).toMatchObject({ state: 'problem', message: expect.stringContaining(join(patient.folder, 'b')) });
    await patient.mend(registrationCheck, { ...overrides, environment });
    expect((await patient.find(registrationCheck, { ...overrides, environment })).map(({ state }) => state)).toEqual([
      'ok',
      'ok',
    ]);
  });
});

it('hooks that init was told to leave out are not reported as missing', async () => {
  await register(patient, program, { parts: ['server'] });
  writeFileSync(settings, '{"disableAllHooks": true}');
  expect((await find()).map(({ check, state }) => [check, state])).toEqual([['claude-code server', 'ok']]);
  expect(await patient.find(claudeSettingsCheck, overrides)).toMatchObject([
    { state: 'ok', message: expect.stringContaining('no hooks are registered') },
  ]);
});
