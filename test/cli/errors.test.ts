import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { failureOf } from '../../src/cli/errors.js';
import { Fault } from '../../src/events/faults.js';
import { program } from '../support/built-program.js';
import { openHome, type TestHome } from './support.js';

let home: TestHome;
beforeAll(() => {
  home = openHome();
});
afterAll(() => home.remove());

describe('wrong usage', () => {
  it.each([
    [['write', 'T', '--type', 'fact'], /argument 'fact' is invalid.*procedural, semantic, episodic/],
    [['list', '--scope', 'here'], /portable, machine-local/],
    [['list', '-n', 'many'], /whole number from 1/],
    [['replay', '--workers', '65'], /from 1 to 64/],
    [['search', 'x', '-k', '0'], /whole number from 1/],
    [['write', 'T', '--importance', '2'], /number from 0 to 1/],
    [['list', '--after', 'yesterdays'], /--after is not a time: yesterdays; give it as /],
    [['write', 'T', '--body', 'x', '--body-file', 'y'], /cannot be used with/],
    [['shwo', '01J9'], /unknown command 'shwo' \(Did you mean show\?\); see: anamnesis --help/],
    [['show'], /missing required argument 'note'; see: anamnesis show --help/],
    [['show', 'a', '--josn'], /unknown option '--josn'/],
    [['inject', 'here'], /too many arguments/],
    [['eval'], /there is no eval set/],
    [['eval', 'rum'], /too many arguments.*anamnesis eval/],
    [['history'], /missing required argument 'id'/],
    [['completion', 'tcsh'], /bash, zsh, fish/],
    [['eval', 'run'], /there is no eval set/],
    [['eval', 'bench', 'nowhere'], /has no cases\.jsonl/],
    [['diff', 'zz', 'HEAD'], /names no point in this store's history/],
  ])('%j ends with 2 and says why in one line', async (args, message) => {
    const { code, stdout, stderr } = await home.run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^anamnesis: [^\n]+; [^\n]+\n$/);
    expect(stderr).toMatch(message);
  });
  it('is reported as JSON too when that is asked for', async () => {
    const { code, stdout, stderr } = await home.run(['list', '--type', 'fact', '--json']);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toEqual({
      error: { code: 'usage', message: expect.any(String), next: 'see: anamnesis list --help' },
    });
    expect(stderr).toMatch(/^anamnesis: /);
  });
});

describe('failures', () => {
  it.each([
    ['eval-set-missing', 2],
    ['unknown-revision', 2],
    ['store-damaged', 3],
    ['journal-damaged', 3],
    ['journal-missing', 3],
    ['git-missing', 70],
    ['lock-timeout', 70],
  ] as const)('a fault %s ends with %i', (code, exitCode) => {
    expect(failureOf(new Fault(code, 'it broke', 'mend it'), '')).toEqual({
      code,
      message: 'it broke',
      next: 'mend it',
      exitCode,
    });
  });
  it('anything else thrown is an internal fault', () => {
    expect(failureOf(new TypeError('x is not a function'), '')).toMatchObject({ code: 'fault', exitCode: 70 });
  });
  it('a config that is not JSON ends with 3, and a refusal with 1', async () => {
    const other = openHome();
    try {
      expect(await other.json(['forget', '01ARZ3NDEKTSV4RRFFQ69G5FAV'], { code: 1 })).toMatchObject({
        error: { code: 'note-unknown' },
      });
      writeFileSync(join(other.store, 'config.json'), '{');
      expect(await other.run(['search', 'x'])).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/^anamnesis: .*config\.json is not valid JSON; .*\n$/),
      });
      expect((await other.run(['list'])).code).toBe(3);
    } finally {
      other.remove();
    }
  });
});

describe('config.json', () => {
  let other: TestHome;
  const config = (): string => join(other.store, 'config.json');
  beforeAll(async () => {
    other = openHome();
    await other.json(['write', 'First', '--body', 'x']);
  });
  afterEach(() => rmSync(config(), { recursive: true, force: true }));
  afterAll(() => other.remove());

  it('may be a link to one', async () => {
    writeFileSync(join(other.work, 'settings.json'), '{"user_id": "linked"}');
    symlinkSync(join(other.work, 'settings.json'), config());
    expect((await other.json(['write', 'Second', '--body', 'y'])).user_id).toBe('linked');
  });
});

describe('streams', () => {
  it('a closed pipe ends quietly with 0', async () => {
    await home.json(['write', 'Long', '--body', 'x']);
    for (const args of ['list', 'log --json', 'search Long']) {
      const line = `"${process.execPath}" "${program}" ${args} | true; echo \${PIPESTATUS[0]}`;
      const ran = spawnSync('bash', ['-c', line], { env: home.env, cwd: home.work, encoding: 'utf8' });
      expect([args, ran.stdout, ran.stderr]).toEqual([args, '0\n', '']);
    }
  });
  it.skipIf(!existsSync('/dev/full')).each([[[]], [['--json']]])(
    'a full disk under the output is not taken for that of the store (%j)',
    (options) => {
      const command = `"${process.execPath}" "${program}" list ${options.join(' ')} > /dev/full`;
      const { status, stderr } = spawnSync('sh', ['-c', command], { env: home.env, encoding: 'utf8' });
      expect(status).toBe(70);
      expect(stderr).toMatch(/^anamnesis: standard output can't be written \(ENOSPC\); .*\n$/);
    },
  );
  it('without a subcommand or a terminal, the program serves MCP until its input ends', async () => {
    const child = spawn(process.execPath, [program], {
      env: home.env,
      cwd: home.work,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    const answer = await new Promise<string>((done) =>
      child.stdout.once('data', (data: Buffer) => done(data.toString())),
    );
    expect(JSON.parse(answer)).toMatchObject({ id: 1, result: { serverInfo: { name: expect.any(String) } } });
    child.stdin.end();
    expect(await new Promise((done) => child.on('exit', done))).toBe(0);
  });
});

it('the project of a folder is named by its marker once that is trusted, and by its name before', async () => {
  const marked = join(home.folder, 'marked');
  mkdirSync(join(marked, '.anamnesis'), { recursive: true });
  writeFileSync(join(marked, '.anamnesis', 'project'), 'github.com/acme/shop\n');
  expect((await home.json(['inject'], { cwd: marked })).project).toBe('marked');
  await home.json(['project', 'trust', marked]);
  expect((await home.json(['inject'], { cwd: marked })).project).toBe('github.com/acme/shop');
  expect((await home.json(['inject'], { cwd: home.folder })).project).toBe('global');
});
