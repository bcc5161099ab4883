import { chmodSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isRefusal } from '../../src/files/settings-file.js';
import { notesOf } from '../../src/setup/init.js';
import { findStartable } from '../../src/setup/machine.js';
import { planRegistrations } from '../../src/setup/register.js';
import { hooksAreRegistered } from '../../src/setup/registered.js';
import { grownSettings, type Home, openHome } from './support.js';

const settings = '.claude/settings.json';
const onlyHooks = { parts: ['hooks'] } as const;
let home: Home;
beforeEach(() => {
  home = openHome();
});
afterEach(() => home.remove());

describe('a file that changes between reading and writing', () => {
  it('is read again, once', async () => {
    home.put(settings, grownSettings);
    let edits = 0;
    await home.register(onlyHooks, (step) => {
      if (step === 'file-written' && edits++ === 0) home.put(settings, grownSettings.replace('"opus"', '"haiku"'));
    });
    expect(edits).toBe(2);
    expect(JSON.parse(home.get(settings))).toMatchObject({
      model: 'haiku',
      hooks: { SessionEnd: [expect.anything()] },
    });
    await home.uninstall();
    expect(home.get(settings)).toBe(grownSettings.replace('"opus"', '"haiku"'));
  });
  it('is left alone when it keeps changing, and nothing is recorded', async () => {
    home.put(settings, '{}');
    let edits = 0;
    const register = home.register(onlyHooks, (step) => {
      edits += 1;
      if (step === 'file-written') home.put(settings, `{ "edit": ${edits} }`);
    });
    await expect(register).rejects.toThrow(/kept changing while we tried to write it; it was left alone/);
    expect(home.get(settings)).toBe(`{ "edit": ${edits} }`);
    expect(hooksAreRegistered(home.store)).toBe(false);
    expect(Object.keys(home.snapshot()).filter((name) => name.includes('anamnesis-'))).toEqual([]);
  });
  it('is not overwritten when it was created meanwhile', async () => {
    let edits = 0;
    await home.register(onlyHooks, (step) => {
      if (step === 'file-written' && edits++ === 0) home.put(settings, '{"model":"opus"}');
    });
    expect(JSON.parse(home.get(settings)).model).toBe('opus');
    await home.uninstall();
    expect(home.get(settings)).toBe('{"model":"opus"}');
  });
  it('that has become unparsable is refused', async () => {
    home.put(settings, '{}');
    const register = home.register(onlyHooks, (step) => {
      if (step === 'file-written') home.put(settings, '{ "half": ');
    });
    await expect(register).rejects.toThrow(/can't be read: line 1/);
    expect(home.get(settings)).toBe('{ "half": ');
  });
  it('that was removed does not stop uninstall', async () => {
    await home.register();
    rmSync(home.path('.claude'), { recursive: true });
    rmSync(home.path('.claude.json'));
    expect(await home.uninstall()).toEqual([]);
    expect(home.has('.anamnesis/setup/record.json')).toBe(false);
  });
  it('whose backup is gone still gets our entries removed', async () => {
    home.put(settings, grownSettings);
    await home.register(onlyHooks);
    rmSync(home.path('.anamnesis', 'setup', 'backups'), { recursive: true });
    const [removal] = await home.uninstall();
    expect(removal?.change).toBe('edit');
    expect(home.get(settings)).toBe(grownSettings);
  });
});

describe('hooksAreRegistered', () => {
  it.each([
    '',
    '{',
    'null',
    '[]',
    '{"clients":{"claude-code":{"files":"x"}}}',
    '{"clients":{"codex":{"files":[{"part":"hooks"}]}}}',
  ])('is false for a record of %j', (text) => {
    home.put('.anamnesis/setup/record.json', text);
    expect(hooksAreRegistered(home.store)).toBe(false);
  });
  it('is false without a store, and while only the server is registered', async () => {
    expect(hooksAreRegistered(home.path('nowhere'))).toBe(false);
    await home.register({ parts: ['server'] });
    expect(hooksAreRegistered(home.store)).toBe(false);
    await home.register(onlyHooks);
    expect(hooksAreRegistered(home.store)).toBe(true);
  });
});

describe('the notes to the user', () => {
  const notes = (scriptPath = '/opt/cli.js'): readonly string[] => {
    const request = {
      storeHome: home.store,
      clients: ['claude-code', 'codex'],
      name: 'anamnesis',
      parts: ['hooks', 'server'],
    } as const;
    const planned = planRegistrations(request, home.surroundings);
    if (isRefusal(planned)) throw new Error(planned.message);
    return notesOf(planned, { scriptPath });
  };
  it('name everything that keeps the memory from working', async () => {
    expect(notes()).toEqual([expect.stringContaining('restart'), expect.stringContaining('type /hooks')]);
    home.put(settings, '{"disableAllHooks": true, "enabledPlugins": {"anamnesis@anamnesis": true}}');
    expect(notes('/root/.npm/_npx/1a2b/node_modules/anamnesis/dist/cli.js')).toEqual([
      expect.stringContaining('"disableAllHooks"'),
      expect.stringContaining('the plugin is on too'),
      expect.stringContaining('restart'),
      expect.stringContaining('type /hooks'),
      expect.stringContaining('npm install --global'),
    ]);
    await home.register({ clients: ['claude-code', 'codex'] });
    home.put(settings, home.get(settings).replace('"disableAllHooks": true,', ''));
    expect(notes()).toEqual([expect.stringContaining('the plugin is on too')]);
  });
});

describe('finding a program', () => {
  it('looks on PATH, in no relative folder, for what can be executed', () => {
    home.put('bin/claude', '#!/bin/sh\n');
    expect(findStartable('claude', home.surroundings)).toBeUndefined();
    chmodSync(home.path('bin', 'claude'), 0o755);
    expect(findStartable('claude', home.surroundings)).toBe(home.path('bin', 'claude'));
    const careless = { ...home.surroundings, environment: { PATH: '.:bin' } };
    expect(findStartable('claude', careless)).toBeUndefined();
    expect(findStartable('claude', { ...home.surroundings, environment: {} })).toBeUndefined();
  });
});
