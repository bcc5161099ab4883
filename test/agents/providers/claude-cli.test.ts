import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claudeEnvironment, openClaudeProvider } from '../../../src/agents/providers/claude-cli.js';
import { findProgram } from '../../../src/agents/providers/find-program.js';
import { guardVariable } from '../../../src/agents/providers/guard.js';
import { formatCommandLine } from '../../../src/agents/providers/run-program.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'anamnesis-claude-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Installs a `claude` that records how it was called and then runs the script. */
const installClaude = (script: string): { environment: NodeJS.ProcessEnv; folder: string } => {
  const bin = join(root, 'bin');
  mkdirSync(bin, { recursive: true });
  const record = JSON.stringify(join(root, 'called.json'));
  const text = `#!${process.execPath}
const fs = require('node:fs');
let input = '';
process.stdin.on('data', (chunk) => { input += chunk; });
process.stdin.on('end', () => {
  const called = { args: process.argv.slice(2), env: process.env, cwd: process.cwd(), input, pid: process.pid };
  fs.writeFileSync(${record}, JSON.stringify(called));
  ${script}
});
`;
  writeFileSync(join(bin, 'claude'), text);
  chmodSync(join(bin, 'claude'), 0o755);
  return { environment: { PATH: bin, HOME: root }, folder: join(root, 'empty', 'folder') };
};
const called = (): { args: string[]; env: NodeJS.ProcessEnv; cwd: string; input: string; pid: number } =>
  JSON.parse(readFileSync(join(root, 'called.json'), 'utf8'));

const request = { system: 'You judge.\nStrictly.', prompt: 'What was learned? "ü" \'$HOME\' `id`', maxTokens: 100 };
const askClaude = (script: string, timeoutMs = 20_000, more: NodeJS.ProcessEnv = {}) => {
  const { environment, folder } = installClaude(script);
  const provider = openClaudeProvider({ model: 'haiku', environment: { ...environment, ...more }, folder });
  return provider.complete({ ...request, timeoutMs });
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A killed child keeps its number until its parent waits for it.
    return !/^State:\s+Z/m.test(existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '');
  } catch {
    return false;
  }
};
const isGone = async (pid: number): Promise<boolean> => {
  for (let i = 0; i < 100 && isAlive(pid); i += 1) await sleep(20);
  return !isAlive(pid);
};

describe.skipIf(process.platform === 'win32')('claude -p', () => {
  it('gets the prompt on standard input, and no tools, hooks, servers or session', async () => {
    const completion = await askClaude(`process.stdout.write(' {"lessons":[]}\\n')`);
    expect(completion).toEqual({ ok: true, text: '{"lessons":[]}' });
    const { args, input, cwd } = called();
    expect(input).toBe(request.prompt);
    expect(args).toEqual([
      '-p',
      '--model',
      'haiku',
      '--output-format',
      'text',
      '--system-prompt',
      request.system,
      '--tools',
      '',
      '--strict-mcp-config',
      '--settings',
      '{"disableAllHooks":true}',
      '--no-session-persistence',
    ]);
    expect(args.join(' ')).not.toContain('learned');
    expect(cwd.endsWith(join('empty', 'folder'))).toBe(true);
    expect(readdirSync(join(root, 'empty', 'folder'))).toEqual([]);
  });

  it('runs with the guard set, outside the session that started it', async () => {
    await askClaude(`process.stdout.write('x')`, 20_000, {
      CLAUDECODE: '1',
      CLAUDE_CODE_CHILD_SESSION: '1',
      CLAUDE_CODE_ENTRYPOINT: 'cli',
      CLAUDE_CODE_SSE_PORT: '1234',
      CLAUDE_PROJECT_DIR: '/somewhere',
      CLAUDE_CONFIG_DIR: '/config',
      CLAUDE_CODE_USE_BEDROCK: '1',
      CLAUDE_CODE_OAUTH_TOKEN: 'token',
      ANTHROPIC_API_KEY: 'key',
    });
    const { env } = called();
    expect(env[guardVariable]).toBe('1');
    for (const gone of ['CLAUDECODE', 'CLAUDE_CODE_CHILD_SESSION', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_SSE_PORT']) {
      expect(env).not.toHaveProperty(gone);
    }
    expect(env).not.toHaveProperty('CLAUDE_PROJECT_DIR');
    expect(env).toMatchObject({
      CLAUDE_CONFIG_DIR: '/config',
      CLAUDE_CODE_USE_BEDROCK: '1',
      CLAUDE_CODE_OAUTH_TOKEN: 'token',
      ANTHROPIC_API_KEY: 'key',
      CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    });
  });

  it('may answer with invalid UTF-8, which is text too', async () => {
    expect(await askClaude(`process.stdout.write(Buffer.from([0x68, 0xff, 0xfe, 0x69]))`)).toEqual({
      ok: true,
      text: 'h\ufffd\ufffdi',
    });
  });

  it('that says nothing is unusable', async () => {
    expect(await askClaude(`process.stdout.write(' \\n ')`)).toMatchObject({ ok: false, problem: 'unusable' });
  });

  it('that fails is reported by its first line, without terminal codes and without secrets', async () => {
    const completion = await askClaude(
      `process.stderr.write('\\n\\u001b[31mInvalid API key ' + process.env.ANTHROPIC_API_KEY + '\\u001b[0m\\nmore');
       process.exitCode = 1;`,
      20_000,
      { ANTHROPIC_API_KEY: 'plain-words-as-key' },
    );
    expect(completion).toEqual({
      ok: false,
      problem: 'refused',
      message: 'claude ended with 1: Invalid API key [hidden]',
    });
  });

  it('that is too old for an option is unavailable', async () => {
    const completion = await askClaude(
      `process.stderr.write("error: unknown option '--tools'"); process.exitCode = 1;`,
    );
    expect(completion).toMatchObject({ ok: false, problem: 'unavailable' });
  });

  it('that ends without reading its input counts as a refusal', async () => {
    const { environment, folder } = installClaude('');
    writeFileSync(join(root, 'bin', 'claude'), `#!${process.execPath}\nprocess.exit(3);\n`);
    const provider = openClaudeProvider({ model: 'haiku', environment, folder });
    const completion = await provider.complete({ ...request, prompt: 'x'.repeat(4 * 1024 * 1024), timeoutMs: 20_000 });
    expect(completion).toMatchObject({ ok: false, problem: 'refused', message: 'claude ended with 3' });
  });

  it('that hangs is killed at the deadline with everything that it started', async () => {
    const started = join(root, 'grandchild');
    const startedMs = Date.now();
    const completion = await askClaude(
      `const { spawn } = require('node:child_process');
       const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
       fs.writeFileSync(${JSON.stringify(started)}, String(other.pid));
       process.on('SIGTERM', () => {});
       setInterval(() => {}, 1000);`,
      3000,
    );
    expect(completion).toEqual({ ok: false, problem: 'timed-out', message: 'no answer within 3000 ms' });
    expect(Date.now() - startedMs).toBeLessThan(20_000);
    expect(await isGone(called().pid)).toBe(true);
    expect(await isGone(Number(readFileSync(started, 'utf8')))).toBe(true);
  });

  it('that never stops writing is killed', async () => {
    const completion = await askClaude(
      `const more = () => { while (process.stdout.write('x'.repeat(65536))); process.stdout.once('drain', more); }; more();`,
    );
    expect(completion).toEqual({ ok: false, problem: 'unusable', message: 'the answer exceeds 1048576 bytes' });
    expect(await isGone(called().pid)).toBe(true);
  });

  it('that floods standard error is still read to its end', async () => {
    const completion = await askClaude(`process.stderr.write('e'.repeat(3000000), () => process.stdout.write('done'))`);
    expect(completion).toEqual({ ok: true, text: 'done' });
  });

  it('is unavailable when it is not installed, not executable or cannot be started', async () => {
    const { environment, folder } = installClaude('');
    const ask = (path: string, model = 'haiku') =>
      openClaudeProvider({ model, environment: { ...environment, PATH: path }, folder }).complete({
        ...request,
        timeoutMs: 5000,
      });
    const missing = { ok: false, problem: 'unavailable', message: 'claude is not on PATH' };
    expect(await ask('')).toEqual(missing);
    expect(await ask(root)).toEqual(missing);
    mkdirSync(join(root, 'other', 'claude'), { recursive: true });
    expect(await ask(join(root, 'other'))).toEqual(missing);
    chmodSync(join(root, 'bin', 'claude'), 0o644);
    expect(await ask(join(root, 'bin'))).toEqual(missing);
    writeFileSync(join(root, 'bin', 'claude'), '#!/no/such/interpreter\n');
    chmodSync(join(root, 'bin', 'claude'), 0o755);
    expect(await ask(join(root, 'bin'))).toMatchObject({
      problem: 'unavailable',
      message: expect.stringContaining('ENOENT'),
    });
    installClaude('');
    expect(await ask(join(root, 'bin'), 'a\0b')).toMatchObject({ ok: false, problem: 'unavailable' });
  });

  it('is unavailable when its folder cannot be created', async () => {
    const { environment } = installClaude('');
    writeFileSync(join(root, 'file'), '');
    const provider = openClaudeProvider({ model: 'haiku', environment, folder: join(root, 'file', 'folder') });
    expect(await provider.complete({ ...request, timeoutMs: 5000 })).toMatchObject({
      ok: false,
      problem: 'unavailable',
    });
  });
});

describe.skipIf(process.platform === 'win32')('finding a program', () => {
  it('takes the first folder of PATH that has it and skips relative ones', () => {
    for (const name of ['one', 'two']) {
      mkdirSync(join(root, name));
      writeFileSync(join(root, name, 'tool'), '', { mode: 0o755 });
    }
    const path = [
      '',
      '.',
      relative(process.cwd(), join(root, 'one')),
      join(root, 'none'),
      join(root, 'two'),
      join(root, 'one'),
    ].join(delimiter);
    expect(findProgram('tool', { platform: process.platform, environment: { PATH: path } })).toBe(
      join(root, 'two', 'tool'),
    );
    expect(findProgram('tool', { platform: process.platform, environment: {} })).toBeUndefined();
  });
});

it('removes Claude variables from the environment, and adds the guard and those that keep the call bare', () => {
  expect(claudeEnvironment({ PATH: '/bin', claude_x: '1', LANG: 'C' }, 100)).toEqual({
    PATH: '/bin',
    LANG: 'C',
    [guardVariable]: '1',
    CLAUDE_CODE_DISABLE_CLAUDE_MDS: '1',
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    CLAUDE_CODE_MAX_RETRIES: '1',
    CLAUDE_CODE_DISABLE_THINKING: '1',
    MAX_THINKING_TOKENS: '0',
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: '400',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  });
});

it('escapes each argument of a .cmd file twice, so that cmd.exe interprets none of its characters', () => {
  expect(formatCommandLine('C:\\Program Files\\claude.cmd', ['-p', 'a&b "c"', '', 'x\\', 'l1\nl2'])).toBe(
    String.raw`"C:\Program^ Files\claude.cmd ^^^"-p^^^" ^^^"a^^^&b^^^ \^^^"c\^^^"^^^" ^^^"^^^" ^^^"x\\^^^" ^^^"l1^^^ l2^^^""`,
  );
});
