/** Starts what clients start, as they do, and checks whether it answers. */
import { guardVariable } from '../../agents/providers/guard.js';
import { type ProgramEnd, runProgram } from '../../agents/providers/run-program.js';
import { isObject, readPath } from '../../files/edited.js';
import { startFolder } from '../machine.js';
import type { CommandLine } from '../server-edit.js';
import type { CheckInput } from './check.js';

export type ProbeAnswer =
  | { readonly ok: true; readonly ms: number; readonly said: string }
  | { readonly ok: false; readonly why: string };

const serverTimeoutMs = 10_000;
const hookTimeoutMs = 5_000;

/** Does only the handshake, in which the server does not touch the disk yet. `said` is the server's version. */
export const probeServer = async (
  line: CommandLine,
  examined: CheckInput,
  timeoutMs = serverTimeoutMs,
): Promise<ProbeAnswer> => {
  const request = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'anamnesis doctor', version: '1' } },
  };
  const { end, ms } = await run(line, `${JSON.stringify(request)}\n`, timeoutMs, examined);
  if (end.kind !== 'ended') return { ok: false, why: explainEnd(end, timeoutMs) };
  const server = findAnswer(end.stdout);
  if (readPath(server, ['name']) === 'anamnesis') return { ok: true, ms, said: String(readPath(server, ['version'])) };
  if (server !== undefined) return { ok: false, why: 'another server answers' };
  return { ok: false, why: `no answer to initialize; ${explainEnd(end, timeoutMs)}` };
};

/** Asks permission for a tool that is not ours, to which a hook must print nothing. */
export const probeHook = async (
  line: CommandLine,
  examined: CheckInput,
  timeoutMs = hookTimeoutMs,
): Promise<ProbeAnswer> => {
  const payload = {
    session_id: '',
    transcript_path: '',
    cwd: examined.userHome,
    hook_event_name: 'PermissionRequest',
    tool_name: 'AnamnesisDoctor',
    tool_input: {},
  };
  const { end, ms } = await run(line, `${JSON.stringify(payload)}\n`, timeoutMs, examined);
  if (end.kind !== 'ended' || end.exitCode !== 0) return { ok: false, why: explainEnd(end, timeoutMs) };
  if (end.stdout !== '') return { ok: false, why: `unexpected output: ${firstLine(end.stdout)}` };
  return { ok: true, ms, said: '' };
};

/** Returns the program's output, or undefined if it fails. */
export const probeProgram = async (line: CommandLine, examined: CheckInput): Promise<string | undefined> => {
  const { end } = await run(line, '', hookTimeoutMs, examined);
  return end.kind === 'ended' && end.exitCode === 0 ? end.stdout.trim() : undefined;
};

const maxBytes = 256 * 1024;

const run = async (
  line: CommandLine,
  input: string,
  timeoutMs: number,
  { environment, userHome, home, platform }: CheckInput,
): Promise<{ readonly end: ProgramEnd; readonly ms: number }> => {
  const [file = '', ...args] = typeof line === 'string' ? shellOf(platform, environment, line) : line;
  // An entry without `--home` must use the store being checked, and no other.
  const { [guardVariable]: _, ...inherited } = environment;
  const started = performance.now();
  const end = await runProgram({
    file,
    args,
    folder: startFolder(userHome),
    environment: { ...inherited, ANAMNESIS_HOME: home },
    input,
    timeoutMs,
    maxBytes: maxBytes,
  });
  return { end, ms: Math.round(performance.now() - started) };
};

const shellOf = (platform: NodeJS.Platform, environment: NodeJS.ProcessEnv, line: string): readonly string[] =>
  platform === 'win32' ? [environment['ComSpec'] ?? 'cmd.exe', '/d', '/s', '/c', line] : ['/bin/sh', '-c', line];

const explainEnd = (end: ProgramEnd, timeoutMs: number): string => {
  switch (end.kind) {
    case 'not-started':
      return `it could not be started (${end.code})`;
    case 'timed-out':
      return `no answer within ${timeoutMs / 1000} seconds`;
    case 'too-long':
      return 'it prints too much';
    case 'ended': {
      const said = lastWords(end.stderr);
      return `it ended with ${end.exitCode ?? 'a signal'}${said === '' ? '' : `: ${said}`}`;
    }
  }
};

/** Picks the line of a stack trace that says what went wrong. */
const lastWords = (stderr: string): string =>
  firstLine(/^(?:\w*Error\b.*|anamnesis: .*)$/m.exec(stderr)?.[0] ?? stderr).slice(0, 200);

const firstLine = (text: string): string => (text.trim().split('\n')[0] ?? '').slice(0, 200);

/** `serverInfo` of the first answer; undefined if there is none. */
const findAnswer = (stdout: string): unknown => {
  for (const line of stdout.split('\n')) {
    try {
      const info = readPath(JSON.parse(line), ['result', 'serverInfo']);
      if (isObject(info)) return info;
    } catch {
      // Skips output that is not a protocol message.
    }
  }
  return undefined;
};
