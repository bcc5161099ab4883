import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/run.js';
import { readRecord } from '../../src/setup/record.js';
import { hooksAreRegistered } from '../../src/setup/registered.js';
import { keptProgram } from '../support/built-program.js';
import { type Ran, runHere } from '../support/command-line.js';
import { setupProgram } from './setup-program.js';
import { bundlePrograms, grownSettings, type Home, openHome } from './support.js';

let folder: string;
beforeAll(async () => {
  folder = await bundlePrograms('program', 'killed-init');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const programOf = (name: 'program' | 'killed-init'): string => join(folder, `${name}.mjs`);

let home: Home;
beforeEach(() => {
  home = openHome();
});
afterEach(() => home.remove());

const settings = '.claude/settings.json';
const environment = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  HOME: home.folder,
  // git is there, but claude is not.
  PATH: '/usr/bin:/bin',
  NO_COLOR: '1',
  ...more,
});

const run = (
  args: readonly string[],
  more: { readonly env?: NodeJS.ProcessEnv; readonly input?: string } = {},
): Promise<Ran> =>
  runHere(args, {
    cwd: home.folder,
    env: environment(more.env),
    input: more.input ?? '',
    command: (typed) => runProgram(setupProgram(), typed),
  });

const runJson = async (args: readonly string[]) => JSON.parse((await run([...args, '--json'])).stdout);

describe('init', () => {
  it('sets up everything, reports what it did, and does nothing a second time', async () => {
    home.put(settings, grownSettings);
    const first = await run(['init', '--yes', '--machine-id', 'laptop', '--approve-write']);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain(`created ${home.store} (store)`);
    expect(first.stdout).toContain(`changed ${home.path(settings)} (hooks of claude-code)`);
    expect(first.stdout).toContain('imported 3 notes of Claude Code, 1 updated, 2 unchanged');
    expect(first.stdout).toMatch(/Check it with: anamnesis doctor\nUndo it with: anamnesis uninstall\n$/);
    expect(JSON.parse(home.get('.anamnesis/config.json'))).toEqual({ machine_id: 'laptop', approve_write: true });
    expect(home.snapshot()['.anamnesis/config.json']).toMatch(/^600 /);
    const { hooks } = JSON.parse(home.get(settings));
    expect(hooks.Stop[1].hooks[0]).toMatchObject({
      command: process.execPath,
      args: [keptProgram, 'hook', 'Stop'],
    });
    const once = home.snapshot();
    const second = await run(['init', '--yes', '--machine-id', 'laptop', '--approve-write']);
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(home.snapshot()).toEqual(once);
    expect((await run(['uninstall', '--yes'])).stdout).toContain(`Your notes stay in ${home.store}`);
    expect(home.get(settings)).toBe(grownSettings);
    expect(home.has('.anamnesis/memory/.git')).toBe(true);
  });
  it('shows the whole plan with --print and writes nothing', async () => {
    home.put(settings, grownSettings);
    home.put('.codex/config.toml', 'model = "x"\n');
    const before = home.snapshot();
    const args = [
      'init',
      '--print',
      '--client',
      'claude-code',
      '--client',
      'codex',
      '--remote',
      'https://u:s3cret@host/m.git',
    ];
    const { code, stdout, stderr } = await run(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`would create the store ${home.store}`);
    expect(stdout).toContain(`would create ${home.store}/config.json`);
    expect(stdout).toContain(`would change ${home.path(settings)}`);
    expect(stdout.match(/ {2}\+ hooks\./g)).toHaveLength(9 + 6);
    expect(stdout).toContain(`+ mcp_servers.anamnesis: ${process.execPath} ${keptProgram} serve`);
    expect(stdout).not.toContain('s3cret');
    const json = await runJson(args);
    expect(json).toMatchObject({ printed: true, created: true, first_import: true, first_sync: true });
    expect(json.registrations).toHaveLength(4);
    expect(JSON.stringify(json)).not.toContain('s3cret');
    expect(home.snapshot()).toEqual(before);
    expect(readdirSync(home.folder).toSorted()).toEqual(['.claude', '.codex']);
  });
  it('requires a terminal or --yes', async () => {
    expect(await run(['init'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'anamnesis: init asks before it changes anything, and there is no terminal to ask on; give --yes for the defaults, or --print to see what it would do\n',
    });
    expect((await run(['uninstall', '--json'], {})).code).toBe(0);
    expect(readdirSync(home.folder)).toEqual([]);
  });
  it.each([
    [['init', '--yes', '--client', 'emacs'], 2, /claude-code, codex, cursor, gemini, opencode, vscode/],
    [['init', '--yes', '--name', 'a b'], 2, /letters, digits/],
    [['init', '--yes', '--remote', 'x', '--local-only'], 2, /cannot be used with/],
    [['init', '--yes', '--machine-id', 'my laptop'], 1, /machine_id must be 1 to 64 letters/],
    [['init', '--yes', '--remote', '-oProxyCommand=x'], 1, /does not begin with a hyphen/],
  ])('%j ends with %d and changes nothing', async (args, code, message) => {
    const ended = await run(args);
    expect(ended.code).toBe(code);
    expect(ended.stderr).toMatch(message);
    expect(readdirSync(home.folder)).toEqual([]);
  });
  it('refuses a settings file that it cannot parse before it writes anything', async () => {
    home.put(settings, '{\n  "a": 1,\n}');
    const { code, stderr } = await run(['init', '--yes']);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `anamnesis: ${home.path(settings)} can't be read: line 3, column 1: property name expected; nothing was changed; fix that file, then repeat the command\n`,
    );
    expect(readdirSync(home.folder)).toEqual(['.claude']);
  });
  it('sets up only what is asked for, also in another store', async () => {
    const json = await runJson([
      'init',
      '--yes',
      '--no-mcp',
      '--no-sync',
      '--home',
      home.path('here'),
      '--remote',
      '/srv/m.git',
    ]);
    expect(json.registrations.map(({ part }: { part: string }) => part)).toEqual(['hooks']);
    expect(json).toMatchObject({ store: home.path('here'), first_sync: null });
    expect(JSON.parse(home.get('here/config.json'))).toEqual({ remote: '/srv/m.git' });
    expect(home.has('.anamnesis')).toBe(false);
    expect(
      (await runJson(['init', '--yes', '--home', home.path('here'), '--local-only', '--no-hooks'])).config.changes,
    ).toEqual([{ key: 'remote', value: null }]);
    expect(home.get('here/config.json')).toBe('{}\n');
    expect((await run(['uninstall', '--yes', '--home', home.path('here')])).code).toBe(0);
    expect(readdirSync(home.folder)).toEqual(['.claude', 'here']);
  });
  it('keeps what was set up when a first step fails, and says so', async () => {
    const { code, stderr } = await run(['init', '--yes'], { env: { TEST_IMPORT_FAILS: '1' } });
    expect(code).toBe(1);
    expect(stderr).toContain('set up, but a first step failed: the import broke');
    expect(JSON.parse(home.get(settings)).hooks.Stop).toHaveLength(1);
  });
  it('leaves one registration when four run at once', async () => {
    home.put(settings, grownSettings);
    const children = Array.from({ length: 4 }, () =>
      spawn(process.execPath, [programOf('program'), 'init', '--yes'], { env: environment(), stdio: 'ignore' }),
    );
    const codes = await Promise.all(
      children.map((child: ChildProcess) => new Promise((resolve) => child.on('close', resolve))),
    );
    expect(codes).toEqual(Array(4).fill(0));
    const { hooks } = JSON.parse(home.get(settings));
    expect(hooks.SessionStart).toHaveLength(1);
    expect(hooks.Stop).toHaveLength(2);
    expect(Object.keys(JSON.parse(home.get('.claude.json')).mcpServers)).toEqual(['anamnesis']);
    expect((await run(['uninstall', '--yes'])).code).toBe(0);
    expect(home.get(settings)).toBe(grownSettings);
  });
});

describe('init, when killed', () => {
  it.each([1, 2, 3, 4])('at step %d, leaves a complete file, and uninstall restores the original', async (step) => {
    home.put(settings, grownSettings);
    const { signal } = spawnSync(process.execPath, [programOf('killed-init'), home.folder, String(step)], {
      env: process.env,
    });
    expect(signal).toBe('SIGKILL');
    const between = home.get(settings);
    expect(Object.keys(JSON.parse(between))).toEqual(Object.keys(JSON.parse(grownSettings)));
    expect(between === grownSettings).toBe(step < 4);
    await home.uninstall();
    expect(home.get(settings)).toBe(grownSettings);
    expect(readRecord(home.store)).toEqual([]);
    await home.register();
    expect(JSON.parse(home.get(settings)).hooks.SessionEnd).toHaveLength(1);
    await home.uninstall();
    expect(home.get(settings)).toBe(grownSettings);
  });
});

describe.skipIf(process.getuid?.() !== 0)('a file of another user (only where the tests run as root)', () => {
  it('in a read-only folder is reported and left unchanged', async () => {
    home.put(settings, grownSettings);
    const nobody = 65_534;
    for (const name of ['', '.claude', settings]) chownSync(home.path(name), nobody, nobody);
    chmodSync(home.path('.claude'), 0o555);
    mkdirSync(home.store);
    chownSync(home.store, nobody, nobody);
    process.seteuid?.(nobody);
    try {
      await expect(home.register({ parts: ['hooks'] })).rejects.toMatchObject({
        code: 'not-writable',
        message: expect.stringContaining(`${home.path(settings)} can't be written: EACCES`),
      });
    } finally {
      process.seteuid?.(0);
    }
    expect(home.get(settings)).toBe(grownSettings);
    expect(readdirSync(home.path('.claude'))).toEqual(['settings.json']);
    expect(hooksAreRegistered(home.store)).toBe(false);
  });
  it('keeps its owner when root runs init', async () => {
    home.put(settings, grownSettings);
    chownSync(home.path(settings), 1234, 1235);
    await home.register({ parts: ['hooks'] });
    expect(statSync(home.path(settings))).toMatchObject({ uid: 1234, gid: 1235 });
    await home.uninstall();
    expect(statSync(home.path(settings))).toMatchObject({ uid: 1234, gid: 1235 });
  });
  it('that is not readable is refused, and does not stop an uninstall from other files', async () => {
    await home.register({ clients: ['codex'] });
    home.put('.cursor/mcp.json', '{}');
    for (const name of Object.keys(home.snapshot())) chownSync(home.path(name), 65_534, 65_534);
    chownSync(home.folder, 65_534, 65_534);
    chmodSync(home.path('.cursor', 'mcp.json'), 0o000);
    process.seteuid?.(65_534);
    try {
      const refused = home.register({ clients: ['cursor'] });
      await expect(refused).rejects.toThrow(/mcp\.json can't be used: it can't be read: EACCES.*nothing was changed/);
      expect((await home.uninstall()).map(({ client, change }) => [client, change])).toEqual([
        ['codex', 'remove'],
        ['codex', 'remove'],
      ]);
    } finally {
      process.seteuid?.(0);
    }
  });
});

describe('config', () => {
  it('sets, lists, gets and unsets', async () => {
    expect((await run(['config', 'set', 'learn_judges', 'claude, ollama'])).stdout).toBe(
      'set learn_judges: claude,ollama (config.json)\n',
    );
    expect((await run(['config', 'get', 'learn_judges'])).stdout).toBe('claude,ollama\n');
    expect((await run(['config', 'list'])).stdout).toMatch(
      /^machine_id {2}\S+ {2}\(default\)\n {2}name of this machine/,
    );
    expect(await runJson(['config', 'unset', 'learn_judges'])).toMatchObject({ status: 'unset', source: 'default' });
  });
  it('never shows a secret, and warns when it was typed on the command line', async () => {
    const secret = 'sk-test-0123456789abcdefghij';
    const outputs = [
      await run(['config', 'set', 'provider_key', '-'], { input: `${secret}\n` }),
      await run(['config', 'set', 'provider_key', secret]),
      await run(['config', 'get', 'provider_key']),
      await run(['config', 'list', '--json']),
      await run(['config', 'set', 'provider_key', `${secret}\nmore`]),
    ];
    expect(outputs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 1]);
    expect(JSON.stringify(outputs)).not.toContain(secret);
    expect(JSON.parse(home.get('.anamnesis/config.json'))).toEqual({ provider_key: secret });
    expect(outputs[1]?.stderr).toContain("shell's history");
    expect(outputs[2]?.stdout).toBe('********\n');
  });
  it.each([
    [['get', 'recal'], /there is no setting "recal"; the settings are: machine_id, user_id/],
    [['unset', 'constructor'], /there is no setting "constructor"/],
    [['set', 'recall_notes', '6'], /recall_notes must be a whole number from 1 to 5; given: "6"/],
  ])('refuses %j', async (args, message) => {
    const { code, stdout, stderr } = await run(['config', ...args]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
    expect(home.has('.anamnesis/config.json')).toBe(false);
  });
  it('says when the environment overrides the value that was set', async () => {
    const env = { ANAMNESIS_PROVIDER_URL: 'https://env.example/v1' };
    const set = await run(['config', 'set', 'provider_url', 'https://file.example/v1'], { env });
    expect(set.stdout).toBe('set provider_url: https://env.example/v1 (environment)\n');
    expect(set.stderr).toContain('ANAMNESIS_PROVIDER_URL is set and overrides config.json');
  });
  it('loses nothing when several processes set keys at the same time', async () => {
    const pairs = [
      ['recall', 'no'],
      ['learn', 'no'],
      ['inject_notes', '9'],
    ] as const;
    await Promise.all(
      pairs.map(
        (pair) =>
          new Promise((resolve) =>
            spawn(process.execPath, [programOf('program'), 'config', 'set', ...pair], {
              env: environment(),
              stdio: 'ignore',
            }).on('close', resolve),
          ),
      ),
    );
    expect(JSON.parse(home.get('.anamnesis/config.json'))).toEqual({ recall: false, learn: false, inject_notes: 9 });
  });
});
