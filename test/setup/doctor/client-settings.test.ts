import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DoctorSurroundings } from '../../../src/setup/doctor/check.js';
import { claudeSettingsCheck } from '../../../src/setup/doctor/claude-settings.js';
import { registrationCheck } from '../../../src/setup/doctor/registration.js';
import { bundleProgram, openPatient, type Patient, register, writeStandIn } from './support.js';

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

describe('settings of a client', () => {
  beforeEach(() => register(patient, program));

  it.each([
    ['settings.json', () => settings, 'claude-code hooks'],
    ['.claude.json', () => join(patient.folder, '.claude.json'), 'claude-code server'],
  ])('are reported with line and column when %s cannot be parsed, and left unchanged', async (_, file, check) => {
    writeFileSync(file(), '{\n  "a": 1,\n  "b" 2\n}\n');
    const found = (await find()).find((one) => one.check === check);
    expect(found).toMatchObject({ state: 'problem', message: expect.stringContaining('line 3, column') });
    expect(found!.fix).toBeUndefined();
    await mend();
    expect(readFileSync(file(), 'utf8')).toBe('{\n  "a": 1,\n  "b" 2\n}\n');
  });
  it('are reported when our entries are gone, and get them back', async () => {
    writeFileSync(settings, '{"model": "opus"}\n');
    rmSync(join(patient.folder, '.claude.json'));
    for (const found of await find())
      expect(found).toMatchObject({ state: 'problem', message: expect.stringMatching(/^no longer in /) });
    await mend();
    await allAreOk();
    expect(JSON.parse(readFileSync(settings, 'utf8'))).toMatchObject({ model: 'opus' });
  });
  it('are reported when one event lost its hook, or has it twice', async () => {
    const value = JSON.parse(readFileSync(settings, 'utf8'));
    const { Stop, ...others } = value.hooks;
    writeFileSync(settings, JSON.stringify({ hooks: others }));
    expect((await find())[1]).toMatchObject({
      state: 'problem',
      message: expect.stringMatching(/no hook of ours for Stop$/),
    });
    writeFileSync(settings, JSON.stringify({ hooks: { ...others, Stop: [...Stop, ...Stop] } }));
    expect((await find())[1]).toMatchObject({ state: 'warning', message: expect.stringMatching(/twice for Stop$/) });
    await mend();
    await allAreOk();
  });
  it('are reported when a hook with our mark starts another program, which is not run', async () => {
    const trace = join(patient.folder, 'trace');
    const value = JSON.parse(readFileSync(settings, 'utf8'));
    value.hooks.Stop[0].hooks[0] = {
      ...value.hooks.Stop[0].hooks[0],
      command: '/bin/sh',
      args: ['-c', `touch ${trace}`],
    };
    writeFileSync(settings, JSON.stringify(value));
    expect((await find())[1]).toMatchObject({ state: 'problem', message: expect.stringContaining('something else') });
    expect(existsSync(trace)).toBe(false);
    await mend();
    await allAreOk();
  });
  it('are reported when hooks are turned off', async () => {
    edit(settings, (text) => text.replace('{', '{"disableAllHooks": true,'));
    expect(await patient.find(claudeSettingsCheck, overrides)).toMatchObject([
      { state: 'problem', message: expect.stringContaining('"disableAllHooks" is set') },
    ]);
  });
  it('are reported when the plugin is enabled too', async () => {
    edit(settings, (text) => text.replace('{', '{"enabledPlugins": {"anamnesis@anamnesis": true, "other@x": true},'));
    expect(await patient.find(claudeSettingsCheck, overrides)).toMatchObject([
      { state: 'warning', message: expect.stringContaining('registered twice') },
    ]);
    edit(settings, (text) => text.replace('"anamnesis@anamnesis": true', '"anamnesis@anamnesis": false'));
    expect(await patient.find(claudeSettingsCheck, overrides)).toMatchObject([{ state: 'ok' }]);
  });
  it.each([
    '[]',
    '"text"',
    '{"hooks": 3}',
    '{"hooks": {"Stop": {"a": 1}, "__proto__": [1]}}',
    '{"enabledPlugins": []}',
    '',
    '\ufeff{}',
  ])('of the form %j break no check', async (text) => {
    writeFileSync(settings, text);
    for (const { message } of await find()) expect(message).not.toMatch(/could not be checked/);
    for (const { message } of await patient.find(claudeSettingsCheck, overrides))
      expect(message).not.toMatch(/could not be checked/);
  });
});

it('any JSON in settings.json breaks no check and is left unchanged', async () => {
  await register(patient, program);
  const handler = fc.oneof(
    fc.jsonValue(),
    fc.record({ _managed_by: fc.constantFrom('anamnesis', 'x'), command: fc.jsonValue(), args: fc.jsonValue() }),
  );
  const group = fc.oneof(fc.jsonValue(), fc.record({ hooks: fc.array(handler, { maxLength: 2 }) }));
  const hooks = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom('Stop', 'x', '__proto__'), fc.array(group, { maxLength: 2 })),
  );
  const anySettings = fc.oneof(
    fc.jsonValue(),
    fc.record({ hooks, enabledPlugins: fc.jsonValue(), disableAllHooks: fc.jsonValue() }),
  );
  await fc.assert(
    fc.asyncProperty(anySettings, async (value) => {
      const text = JSON.stringify(value);
      writeFileSync(settings, text);
      const found = [...(await find()), ...(await patient.find(claudeSettingsCheck, overrides))];
      expect(found.filter(({ message }) => message.includes('could not be checked'))).toEqual([]);
      expect(readFileSync(settings, 'utf8')).toBe(text);
    }),
    { numRuns: 25 },
  );
});

describe('the plugin alone', () => {
  beforeEach(() => writeFileSync(settings, '{"enabledPlugins": {"anamnesis@anamnesis": true}}'));

  it('needs the program on PATH', async () => {
    expect(await patient.find(claudeSettingsCheck, overrides)).toMatchObject([
      { check: 'claude-code plugin', state: 'problem', message: expect.stringContaining('not on PATH') },
    ]);
    const bin = join(patient.folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'anamnesis'), `#!/bin/sh\nexec ${process.execPath} ${built} "$@"\n`, { mode: 0o755 });
    chmodSync(join(bin, 'anamnesis'), 0o755);
    const environment = { ...patient.environment, PATH: `${bin}:${process.env['PATH']}` };
    expect(await patient.find(claudeSettingsCheck, { ...overrides, environment })).toMatchObject([
      { check: 'claude-code plugin', state: 'ok' },
    ]);
    writeFileSync(join(bin, 'anamnesis'), '#!/bin/sh\nexit 4\n');
    expect(await patient.find(claudeSettingsCheck, { ...overrides, environment })).toMatchObject([
      { check: 'claude-code plugin', state: 'problem', message: expect.stringContaining('ended with 4') },
    ]);
    expect(existsSync(patient.path('setup'))).toBe(false);
  });
});
