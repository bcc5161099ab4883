/** Runs the real Claude Code, headless, in its own home and without this machine's environment. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { removeFolder } from '../../support/remove-folder.js';
import { fieldsOf } from './model-request.js';

/** Where scripts/test-client.mjs has put the client; if undefined, these tests do not run. */
export const clientBinary: string | undefined = process.env['ANAMNESIS_CLIENT_BINARY'];

export type ClientHome = {
  readonly folder: string;
  /** HOME of the client and of everything that it starts. */
  readonly home: string;
  /** CLAUDE_CONFIG_DIR: settings.json, .claude.json and the transcripts. */
  readonly config: string;
  /** A project's folder, where sessions run. */
  readonly project: string;
  readonly environment: NodeJS.ProcessEnv;
  remove(): void;
};

export const makeClientHome = (binary: string, apiUrl: string): ClientHome => {
  // Without our name, because a test looks for it in what the model is told.
  const folder = mkdtempSync(join(tmpdir(), 'claude-code-test-'));
  const home = join(folder, 'home');
  const config = join(home, '.claude');
  const project = join(folder, 'hangar');
  for (const one of [home, config, project, join(folder, 'tmp')]) mkdirSync(one, { recursive: true });
  const systemPath = (process.env['PATH'] ?? '').split(delimiter).filter((one) => !one.includes('node_modules'));
  return {
    folder,
    home,
    config,
    project,
    environment: {
      PATH: [dirname(binary), dirname(process.execPath), ...systemPath].join(delimiter),
      HOME: home,
      TMPDIR: join(folder, 'tmp'),
      CLAUDE_CONFIG_DIR: config,
      ANTHROPIC_API_KEY: 'sk-ant-made-up-for-a-test',
      ANTHROPIC_BASE_URL: apiUrl,
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_ERROR_REPORTING: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
    remove: () => removeFolder(folder),
  };
};

export type Asked = {
  /** A UUID, by which the mock finds its steps. */
  readonly session: string;
  /** Several are sent to one process, each after the one before is answered. */
  readonly prompt: string | readonly string[];
  /** Resumes the session instead of starting it. */
  readonly resume?: boolean;
  readonly args?: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  readonly cwd?: string;
};

export type Ended = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
  /** Lines of `--output-format stream-json`. */
  readonly events: readonly Readonly<Record<string, unknown>>[];
  /** The client's debug file. */
  readonly debug: string;
};

export type Running = { readonly child: ChildProcess; readonly ended: Promise<Ended> };

export const startClient = (binary: string, home: ClientHome, asked: Asked): Running => {
  const prompts = typeof asked.prompt === 'string' ? undefined : [...asked.prompt];
  const debugFile = join(home.folder, `debug-${asked.session}-${Date.now()}.txt`);
  const child = spawn(
    binary,
    [
      ...(typeof asked.prompt === 'string' ? ['-p', asked.prompt] : ['-p', '--input-format', 'stream-json']),
      ...(asked.resume === true ? ['--resume', asked.session] : ['--session-id', asked.session]),
      ...['--output-format', 'stream-json', '--verbose', '--include-hook-events'],
      ...['--debug-file', debugFile],
      ...(asked.args ?? []),
    ],
    {
      cwd: asked.cwd ?? home.project,
      env: { ...home.environment, ...asked.environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  const sayNext = (): void => {
    const content = prompts?.shift();
    if (content === undefined) child.stdin.end();
    else child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`);
  };
  // A killed client no longer reads.
  child.stdin.on('error', () => undefined);
  sayNext();
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const before = countResults(stdout);
    stdout += chunk;
    if (countResults(stdout) > before) sayNext();
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) =>
      resolve({
        code,
        signal,
        stderr,
        events: stdout.split('\n').flatMap(parseLine),
        debug: existsSync(debugFile) ? readFileSync(debugFile, 'utf8') : '',
      }),
    );
  });
  return { child, ended };
};

const countResults = (stdout: string): number => stdout.match(/"type":"result"/g)?.length ?? 0;

/** A killed client leaves half a line. */
const parseLine = (line: string): readonly Readonly<Record<string, unknown>>[] => {
  if (line === '') return [];
  try {
    return [fieldsOf(JSON.parse(line))];
  } catch {
    return [];
  }
};
