import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundlePrograms, grownSettings, type Home, openHome } from './support.js';

const hasScript = spawnSync('script', ['--version']).status === 0;

let folder: string;
beforeAll(async () => {
  folder = await bundlePrograms('program');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let home: Home;
beforeEach(() => {
  home = openHome();
});
afterEach(() => home.remove());

/** Types each answer when its question has appeared. */
const converse = (args: readonly string[], answers: readonly (readonly [string, string])[]) =>
  new Promise<{ readonly code: number | null; readonly screen: string }>((resolve) => {
    const line = ['stty cols 120 rows 50;', process.execPath, join(folder, 'program.mjs'), ...args].join(' ');
    const child = spawn('script', ['-qec', line, '/dev/null'], {
      env: { HOME: home.folder, PATH: `${home.folder}/bin:/usr/bin:/bin`, TERM: 'xterm' },
    });
    const open = [...answers];
    let screen = '';
    let read = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      screen += chunk.toString('utf8');
      const [question, keys] = open[0] ?? [];
      const at = question === undefined ? -1 : screen.indexOf(question, read);
      if (keys === undefined || question === undefined || at === -1) return;
      read = at + question.length;
      open.shift();
      // The prompt starts to listen just after it is drawn.
      setTimeout(() => child.stdin.write(keys), 100);
    });
    child.on('close', (code) => resolve({ code, screen }));
  });

const enter = '\r';
const questions = [
  ['Which agents', enter],
  ['Name of this machine', `-box${enter}`],
  ['Git remote', `/srv/m.git${enter}`],
  ['without asking you', enter],
] as const;

describe.skipIf(!hasScript)('on a terminal (skipped where `script` is missing)', () => {
  it('init asks, shows its plan, and carries it out', async () => {
    home.put('.claude/settings.json', grownSettings);
    const { code, screen } = await converse(['init'], [...questions, ['Do this?', enter]]);
    expect(screen).toMatch(/would change.*\.claude\/settings\.json/);
    expect(screen).toContain('synced');
    expect(code).toBe(0);
    const config = JSON.parse(home.get('.anamnesis/config.json'));
    expect(config).toEqual({ machine_id: expect.stringMatching(/-box$/), remote: '/srv/m.git' });
    expect(JSON.parse(home.get('.claude/settings.json')).hooks.Stop).toHaveLength(2);
    const left = await converse(['uninstall'], [['Remove this?', enter]]);
    expect(left.code).toBe(0);
    expect(left.screen).toMatch(/would restore.*\.claude\/settings\.json/);
    expect(home.get('.claude/settings.json')).toBe(grownSettings);
  });
  it('init refuses a name and a remote at their questions, and keeps earlier answers', async () => {
    const { code, screen } = await converse(
      ['init', '--no-mcp', '--no-hooks', '--no-sync'],
      [
        ['Which agents', enter],
        ['Name of this machine', ` my box${enter}`],
        ['machine_id must be 1 to 64 letters', `${'\x7f'.repeat(7)}${enter}`],
        ['Git remote', `-x${enter}`],
        ['remote must be', `${'\x7f'.repeat(2)}${enter}`],
        ['without asking you', enter],
        ['Do this?', enter],
      ],
    );
    expect(screen).toContain('does not begin with a hyphen');
    expect(code).toBe(0);
  });
  it.each([
    ['y', ['claude']],
    [enter, []],
  ])('init asks once whether claude may read sessions: %j', async (keys, judges) => {
    home.put('bin/claude', '#!/bin/sh\n');
    chmodSync(join(home.folder, 'bin/claude'), 0o755);
    const args = ['init', '--no-mcp', '--no-hooks', '--local-only', '--machine-id', 'box', '--client', 'codex'];
    const first = await converse(args, [
      ['without asking you', enter],
      ['May claude read your sessions', keys],
      ['Do this?', enter],
    ]);
    expect(first.screen).toContain('with secrets masked, at most 50');
    expect(JSON.parse(home.get('.anamnesis/config.json')).learn_judges).toEqual(judges);
    const again = await converse(args, [
      ['without asking you', enter],
      ['Do this?', enter],
    ]);
    expect([again.code, again.screen.includes('May claude')]).toEqual([0, false]);
  });
  it('init keeps a remote without showing its secrets', async () => {
    const remote = 'https://me:s3cr3t-Passw0rd@127.0.0.1:9/m.git';
    home.put('.anamnesis/config.json', JSON.stringify({ machine_id: 'box', remote }));
    const { code, screen } = await converse(
      ['init', '--no-mcp', '--no-hooks', '--no-sync'],
      [
        ['Which agents', enter],
        ['Name of this machine', enter],
        ['Git remote', enter],
        ['without asking you', enter],
        ['Do this?', enter],
      ],
    );
    expect(screen).not.toContain('Passw0rd');
    expect(code).toBe(0);
    expect(JSON.parse(home.get('.anamnesis/config.json'))).toEqual({ machine_id: 'box', remote });
  });
  it('init changes nothing after Ctrl+C or a No', async () => {
    home.put('.claude/settings.json', grownSettings);
    const before = home.snapshot();
    const cut = await converse(
      ['init'],
      [
        ['Which agents', enter],
        ['Name of this machine', '\x03'],
      ],
    );
    expect(cut).toMatchObject({ code: 1, screen: expect.stringContaining('nothing was changed') });
    const refused = await converse(
      ['init', '--local-only', '--machine-id', 'box', '--client', 'codex'],
      [
        ['without asking you', enter],
        ['Do this?', 'n'],
      ],
    );
    expect(refused).toMatchObject({ code: 1, screen: expect.stringContaining('nothing was changed') });
    expect(home.snapshot()).toEqual(before);
    expect(readdirSync(home.folder)).toEqual(['.claude']);
  });
});
