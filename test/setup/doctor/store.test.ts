import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configKeys } from '../../../src/config/config-keys.js';
import { schemaNumber } from '../../../src/projections/checkpoint.js';
import { folderCheck, modesCheck } from '../../../src/setup/doctor/folder.js';
import { journalsCheck, notesCheck, objectsCheck } from '../../../src/setup/doctor/journals.js';
import { configCheck } from '../../../src/setup/doctor/settings.js';
import { personsGit, writeNote } from '../../support/store.js';
import { aNote, openPatient, type Patient } from './support.js';

let patient: Patient;
beforeEach(async () => {
  patient = await openPatient({ notes: 2 });
});
afterEach(() => patient.remove());

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('the folder of the store', () => {
  it('is reported when a file is in its place', async () => {
    rmSync(patient.store, { recursive: true });
    writeFileSync(patient.store, '');
    expect(await patient.find(folderCheck)).toMatchObject([
      { state: 'problem', message: expect.stringMatching(/is not a folder/) },
    ]);
  });
});

describe('modes', () => {
  it('are ok in a new store', async () => {
    expect(await patient.find(modesCheck)).toMatchObject([{ state: 'ok' }]);
  });
  it('that let others in are reported and removed', async () => {
    const open = [
      patient.store,
      patient.path('state.db'),
      patient.path('index', `current-v${schemaNumber}`),
      patient.path('memory'),
    ];
    const others = [0o040, 0o004, 0o066, 0o010];
    for (const [at, path] of open.entries()) chmodSync(path, modeOf(path) | others[at]!);
    symlinkSync('/etc/hostname', patient.path('link'));
    const [found] = await patient.find(modesCheck);
    expect(found).toMatchObject({ state: 'problem', message: expect.stringContaining(patient.store) });
    expect(found!.fix?.plan).toMatch(/^make 4 files and folders of the store private/);
    expect(await patient.mend(modesCheck)).toMatchObject([{ done: true }]);
    expect(open.map(modeOf)).toEqual([0o700, 0o600, 0o600, 0o700]);
    expect(modeOf('/etc/hostname')).not.toBe(0o600);
    expect(await patient.find(modesCheck)).toMatchObject([{ state: 'ok' }]);
  });
});

describe('the owner', () => {
  it('of a file in the store is reported when it is another user, as after sudo', async () => {
    const [found] = await patient.find(modesCheck, { uid: (process.getuid?.() ?? 0) + 12_345 });
    expect(found).toMatchObject({ state: 'problem', next: expect.stringContaining('chown') });
    expect(found!.message).toContain(patient.store);
    expect(found!.fix).toBeUndefined();
    expect(await patient.find(modesCheck, { uid: undefined })).toMatchObject([{ state: 'ok' }]);
  });
});

describe('config.json', () => {
  const write = (text: string): void => writeFileSync(patient.path('config.json'), text);
  it.each(['{"capture": fal', '[1]', 'null', '\u0000'])(
    'that reads %j is reported without its secrets',
    async (text) => {
      write(text);
      expect(await patient.find(configCheck)).toMatchObject([{ state: 'problem', damage: true }]);
      write('{"provider_key": "sk-verysecret", oops');
      expect(JSON.stringify(await patient.find(configCheck))).not.toContain('verysecret');
    },
  );
  it('that is broken stops no other check, but keeps fixes from writing', async () => {
    write('{');
    writeFileSync(aNote(patient), 'changed by hand', { flag: 'a' });
    const { findings, damaged } = await patient.diagnose();
    expect(damaged).toBe(true);
    expect(findings.filter(({ message }) => message.startsWith('could not be checked'))).toEqual([]);
    expect(findings.filter(({ message }) => message.includes('config.json'))).toHaveLength(1);
    const { handEditsCheck } = await import('../../../src/setup/doctor/hand-edits.js');
    expect(await patient.mend(handEditsCheck)).toMatchObject([
      { done: false, message: expect.stringMatching(/not valid JSON/) },
    ]);
  });
  it('with unknown keys causes a warning, also for keys of a prototype', async () => {
    write('{"captrue": true, "__proto__": 1, "toString": 2}');
    const [found] = await patient.find(configCheck);
    expect(found).toMatchObject({ state: 'warning' });
    expect(found!.message).toMatch(/captrue, __proto__, toString/);
  });
  it('with wrong values is reported with the keys and what is expected', async () => {
    write(
      JSON.stringify({
        capture: 'perhaps',
        inject_notes: 0,
        recall_notes: 2.5,
        provider_url: 'ftp://x',
        learn_judges: ['endpoint', 'gpt'],
        provider_model: '',
        remote: null,
        machine_id: 'my machine',
        user_id: 7,
      }),
    );
    const found = await patient.find(configCheck);
    expect(found).toMatchObject([{ state: 'problem' }]);
    expect(found[0]!.message).toContain('capture must be true or false; given: "perhaps"');
    expect(found[0]!.message).toContain('likewise inject_notes, recall_notes, provider_url and 3 more');
    expect(found[0]!.next).toContain('anamnesis config set capture');
    write('{"inject_notes": "8", "capture": "off", "learn_judges": "claude, ollama", "provider_url": "https://x/v1"}');
    expect(await patient.find(configCheck)).toMatchObject([{ state: 'ok' }]);
  });
});

describe('the environment', () => {
  it('is reported when a variable has a value that counts as not set', async () => {
    const environment = { ...patient.environment, ANAMNESIS_IMPORT_NATIVE: 'perhaps' };
    expect(await patient.find(configCheck, { environment })).toMatchObject([
      { state: 'problem', message: expect.stringMatching(/ANAMNESIS_IMPORT_NATIVE$/) },
    ]);
  });
});

describe('any JSON in config.json', () => {
  it('is checked without an error, and its secrets are not shown', async () => {
    const names = fc.constantFrom(...Object.keys(configKeys), 'other', 'constructor', '__proto__');
    const anyConfig = fc.dictionary(names, fc.oneof(fc.jsonValue(), fc.constant('on'), fc.constant(3)), { maxKeys: 6 });
    await fc.assert(
      fc.asyncProperty(anyConfig, fc.boolean(), async (config, withSecret) => {
        const secret = 'hunter2-\u0007-hunter2';
        const text = JSON.stringify(withSecret ? { ...config, provider_key: secret } : config);
        writeFileSync(patient.path('config.json'), text, { mode: 0o600 });
        const found = await patient.find(configCheck);
        const shown = JSON.stringify(found);
        expect(shown).not.toContain('hunter2');
        expect(shown).not.toContain('could not be checked');
        expect(found.length).toBeGreaterThan(0);
      }),
      { numRuns: 60, examples: [[{ machine_id: { toString: null }, learn_judges: [{ toString: null }] }, false]] },
    );
  });
});

describe('the journals', () => {
  it('are reported when HEAD is on another branch', async () => {
    personsGit(patient.path('memory'), 'switch', '-c', 'try');
    expect(await patient.find(journalsCheck)).toMatchObject([
      {
        state: 'problem',
        message: expect.stringContaining('refs/heads/try'),
        next: expect.stringContaining('switch main'),
      },
    ]);
    personsGit(patient.path('memory'), 'switch', 'main');
    expect(await patient.find(journalsCheck)).toMatchObject([{ state: 'ok' }]);
  });
  it('are reported when the local one has a remote', async () => {
    personsGit(patient.path('local'), 'remote', 'add', 'origin', 'https://example.com/x.git');
    expect(await patient.find(journalsCheck)).toMatchObject([
      { state: 'problem', message: expect.stringMatching(/has a remote/) },
    ]);
  });
  it('are reported when one is missing, and not made', async () => {
    rmSync(patient.path('local'), { recursive: true });
    expect(await patient.find(journalsCheck)).toMatchObject([
      { state: 'warning', message: expect.stringMatching(/there is no journal at/) },
    ]);
    expect(existsSync(patient.path('local'))).toBe(false);
  });
  it('are a problem when the machine-local notes are gone, before and after a new folder replaces them', async () => {
    await patient.with(async (memory) => writeNote(memory, { scope: 'machine-local' }));
    rmSync(patient.path('local'), { recursive: true });
    expect(await patient.find(journalsCheck)).toMatchObject([
      {
        state: 'problem',
        message: expect.stringMatching(/machine-local notes, is gone/),
        next: expect.stringMatching(/restore it/),
      },
    ]);
    await patient.with(async (memory) => writeNote(memory));
    expect(await patient.find(journalsCheck)).toMatchObject([
      { state: 'problem', message: expect.stringMatching(/a new one took its place/) },
    ]);
  });
  it('are reported when they have notes but no repository, without a fix that would lose history', async () => {
    rmSync(patient.path('memory', '.git'), { recursive: true });
    const [found] = await patient.find(journalsCheck);
    expect(found).toMatchObject({
      state: 'problem',
      message: expect.stringMatching(/holds notes but is not a git repository/),
    });
    expect(found!.fix).toBeUndefined();
  });
});

describe('the objects of git', () => {
  it('are reported when one is missing', async () => {
    expect(await patient.find(objectsCheck)).toMatchObject([{ state: 'ok' }]);
    const pack = patient.path('memory', '.git', 'objects', 'pack');
    renameSync(pack, `${pack}-lost`);
    mkdirSync(pack);
    expect(await patient.find(objectsCheck)).toMatchObject([
      { state: 'problem', damage: true, next: expect.stringContaining('anamnesis restore-backup') },
    ]);
    expect(await patient.diagnose()).toMatchObject({ ok: false, damaged: true });
  });
  it('are reported when the branch file contains garbage', async () => {
    writeFileSync(patient.path('memory', '.git', 'refs', 'heads', 'main'), 'garbage\n');
    expect(await patient.find(objectsCheck)).toMatchObject([{ state: 'problem', damage: true }]);
  });
});

describe('the notes', () => {
  it('are reported when one of them cannot be read', async () => {
    const file = aNote(patient);
    writeFileSync(file, '---\nid: x\n---\nno note\n');
    personsGit(patient.path('memory'), 'commit', '-qam', 'by hand');
    const [found] = await patient.find(notesCheck);
    expect(found).toMatchObject({ state: 'problem', damage: true, next: expect.stringContaining('anamnesis adopt') });
    expect(found!.message).toContain(file.slice(-29));
  });
  it('are reported when two files have the same id', async () => {
    const file = aNote(patient);
    const copy = join(patient.path('memory'), 'semantic', file.slice(-29));
    copyFileSync(file, copy);
    personsGit(patient.path('memory'), 'add', '-A');
    personsGit(patient.path('memory'), 'commit', '-qm', 'twice');
    const found = await patient.find(notesCheck);
    expect(found).toMatchObject([
      {
        state: 'warning',
        message: expect.stringMatching(
          new RegExp(`^1 id is in several files: \\S+${file.slice(-29)} and \\S+${file.slice(-29)}$`),
        ),
        next: expect.stringContaining(`anamnesis edit ${file.slice(-29, -3)}`),
      },
    ]);
    expect(await patient.diagnose(notesCheck)).toMatchObject({ ok: true });
  });
  it('are reported in one line when many files have the same id', async () => {
    const file = aNote(patient);
    for (let at = 0; at < 50; at += 1) {
      mkdirSync(join(patient.path('memory'), 'semantic', `d${at}`));
      copyFileSync(file, join(patient.path('memory'), 'semantic', `d${at}`, file.slice(-29)));
    }
    personsGit(patient.path('memory'), 'add', '-A');
    personsGit(patient.path('memory'), 'commit', '-qm', 'often');
    const [found] = await patient.find(notesCheck);
    expect(found!.message).toMatch(/^1 id is in several files: (?:\S+\.md,? ){3}and 48 more$/);
  });
  it('are not reported for a journal without any', async () => {
    const empty = await openPatient();
    await empty.with((memory) => memory.initialise());
    expect(await empty.find(notesCheck)).toEqual([]);
    empty.remove();
  });
});
