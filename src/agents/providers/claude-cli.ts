/** Claude Code as a model: `claude -p` without tools, hooks, MCP servers or a saved session. */
import { mkdirSync } from 'node:fs';
import { redact } from '../../events/note/redact.js';
import { failRequest, maxAnswerBytes } from '../../http/request-json.js';
import { findProgram } from './find-program.js';
import { guardVariable } from './guard.js';
import type { Completion, Provider } from './provider.js';
import { type ProgramEnd, runProgram } from './run-program.js';

export type ClaudeOptions = {
  /** A name or alias that `claude --model` knows. */
  readonly model: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Empty, outside of any project, made when missing: Claude Code reads the instructions of the folder it runs in. */
  readonly folder: string;
};

export const openClaudeProvider = ({ model, environment, folder }: ClaudeOptions): Provider => ({
  name: 'claude',
  model,
  async complete({ system, prompt, maxTokens, timeoutMs }) {
    const file = findProgram('claude', { platform: process.platform, environment });
    if (file === undefined) return failRequest('unavailable', 'claude is not on PATH');
    if (!makeFolder(folder)) return failRequest('unavailable', "the folder to run claude in can't be created");
    const end = await runProgram({
      file,
      args: claudeArguments(model, system),
      folder,
      environment: claudeEnvironment(environment, maxTokens),
      input: prompt,
      timeoutMs,
      maxBytes: maxAnswerBytes,
    });
    return explainEnd(end, { timeoutMs, environment });
  },
});

/** All are documented; a version too old to know one of them says so and exits without spending anything. */
const claudeArguments = (model: string, system: string): readonly string[] => [
  '-p',
  '--model',
  model,
  '--output-format',
  'text',
  '--system-prompt',
  system,
  // The judged text may contain foreign instructions: without tools they can do nothing.
  '--tools',
  '',
  '--strict-mcp-config',
  '--settings',
  '{"disableAllHooks":true}',
  // Otherwise every judgement would be saved as a session, which capture and the native memory would find.
  '--no-session-persistence',
];

/** Keeps of Claude Code's variables only how to reach and pay for the model: with a session's, it refuses to start. */
export const claudeEnvironment = (environment: NodeJS.ProcessEnv, maxTokens: number): NodeJS.ProcessEnv => {
  const kept = Object.entries(environment).filter(
    ([name]) => !/^CLAUDE/i.test(name) || name === 'CLAUDE_CONFIG_DIR' || modelAccess.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    [guardVariable]: '1',
    ...bareCall,
    // Stops a runaway model. An answer that is just too long must not reach it: Claude Code would ask three times more.
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(maxTokens * 4),
  };
};

/** No instructions or memory of the person, no thinking; and a refusal (no credit) at once, not after retries. */
const bareCall = {
  CLAUDE_CODE_DISABLE_CLAUDE_MDS: '1',
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
  CLAUDE_CODE_MAX_RETRIES: '1',
  CLAUDE_CODE_DISABLE_THINKING: '1',
  MAX_THINKING_TOKENS: '0',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
} as const;

const modelAccess =
  /^CLAUDE_CODE_(?:USE_|SKIP_\w+_AUTH$|OAUTH_|API_|CLIENT_|EXTRA_BODY$|CERT_|PROXY_|DISABLE_EXPERIMENTAL_BETAS$|GIT_BASH_PATH$)/;

const makeFolder = (folder: string): boolean => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return true;
  } catch {
    return false;
  }
};

const explainEnd = (
  end: ProgramEnd,
  { timeoutMs, environment }: { readonly timeoutMs: number; readonly environment: NodeJS.ProcessEnv },
): Completion => {
  switch (end.kind) {
    case 'not-started':
      return failRequest('unavailable', `claude could not be started (${end.code})`);
    case 'timed-out':
      return failRequest('timed-out', `no answer within ${timeoutMs} ms`);
    case 'too-long':
      return failRequest('unusable', `the answer exceeds ${maxAnswerBytes} bytes`);
    case 'ended': {
      if (end.exitCode === 0) {
        const text = end.stdout.trim();
        return text === '' ? failRequest('unusable', 'the answer is empty') : { ok: true, text };
      }
      const said = firstLine(`${end.stderr}\n${end.stdout}`, environment);
      const isOld = /unknown option/i.test(end.stderr);
      return failRequest(
        isOld ? 'unavailable' : 'refused',
        `claude ended with ${end.exitCode ?? 'a signal'}${said === '' ? '' : `: ${said}`}`,
      );
    }
  }
};

/** Returns the first line of its output, safe to log: no terminal codes and no secrets from the environment. */
const firstLine = (text: string, environment: NodeJS.ProcessEnv): string => {
  const line = text.split(/[\r\n]+/).find((one) => one.trim() !== '') ?? '';
  const secrets = Object.entries(environment)
    .filter(([name, value]) => /key|token|secret|passw/i.test(name) && (value ?? '').length >= 6)
    .map(([, value]) => value ?? '');
  const hidden = secrets.reduce((rest, secret) => rest.replaceAll(secret, '[hidden]'), line);
  return redact(hidden.replace(/\u001b\[[0-9;]*[A-Za-z]/g, '').replace(/\p{Cc}+/gu, ' '))
    .text.trim()
    .slice(0, 160);
};
