/**
 * An agent that looks like Claude Code from outside: it writes the same transcripts and runs the hooks of the real
 * program with the payloads that were recorded from version 2.1.330. It returns what its hooks print.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../../support/store.js';

const cli = join(process.cwd(), 'dist', 'cli.js');

export type Machine = {
  readonly home: string;
  readonly store: string;
  readonly claude: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Makes a folder that is a git repository with this remote. */
  project(name: string, remote?: string): string;
  /** Runs the program and returns its output; throws unless it exits with 0. */
  anamnesis(args: readonly string[], input?: string): string;
  json<Answer>(...args: readonly string[]): Answer;
  /** Waits until the spool is empty and the worker is done. */
  settled(): Promise<void>;
};

export const makeMachine = (): Machine => {
  const home = temporaryFolder();
  const store = join(home, '.anamnesis');
  const claude = join(home, '.claude');
  const environment = {
    PATH: process.env['PATH'],
    HOME: home,
    ANAMNESIS_MACHINE_ID: 'laptop',
    // Nothing listens at this address: no model is asked in these tests.
    OLLAMA_HOST: 'http://127.0.0.1:9',
    NO_COLOR: '1',
  };
  const anamnesis = (args: readonly string[], input = ''): string => {
    const done = spawnSync(process.execPath, [cli, ...args], { env: environment, cwd: home, input, encoding: 'utf8' });
    if (done.status !== 0) throw new Error(`anamnesis ${args.join(' ')} ended with ${done.status}: ${done.stderr}`);
    return done.stdout;
  };
  return {
    home,
    store,
    claude,
    environment,
    anamnesis,
    project(name, remote) {
      const folder = join(home, 'work', name);
      mkdirSync(folder, { recursive: true });
      execFileSync('git', ['init', '-q', folder]);
      if (remote !== undefined) execFileSync('git', ['-C', folder, 'remote', 'add', 'origin', remote]);
      return folder;
    },
    json: (...args) => JSON.parse(anamnesis([...args, '--json'])),
    async settled() {
      for (let round = 0; round < 100; round += 1) {
        const report: { busy: boolean } = JSON.parse(anamnesis(['work', '--json']));
        if (!report.busy) return;
        await sleep(100);
      }
      throw new Error('the worker was busy for ten seconds');
    },
  };
};

export type Session = {
  readonly id: string;
  readonly transcript: string;
  /** Runs a hook and returns the context that it prints, '' if none. */
  hook(event: string, fields?: Readonly<Record<string, unknown>>): Promise<string>;
  start(source?: string): Promise<string>;
  /** Adds a prompt and its reply, which writes the files `edits`. Returns the context that the prompt got. */
  turn(prompt: string, reply: string, edits?: readonly string[]): Promise<string>;
  /** Adds a command that the agent ran and that failed. */
  fails(command: string, error: string): void;
  subagent(task: string, reply: string, edits?: readonly string[]): Promise<string>;
  compact(summary: string): Promise<string>;
  end(): Promise<void>;
};

let sessions = 0;
let lines = 0;
const startedMs = Date.parse('2026-11-20T08:00:00Z');

export const openSession = (machine: Machine, cwd: string): Session => {
  sessions += 1;
  const id = `0b7c3f1e-0000-4000-8000-${String(sessions).padStart(12, '0')}`;
  const folder = join(machine.claude, 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  const transcript = join(folder, `${id}.jsonl`);

  const uuid = (): string => {
    lines += 1;
    return `a0000000-0000-4000-8000-${String(lines).padStart(12, '0')}`;
  };
  const append = (file: string, entry: Readonly<Record<string, unknown>>): void => {
    const time = new Date(startedMs + lines * 1000).toISOString();
    const base = { uuid: uuid(), timestamp: time, sessionId: id, cwd, version: '2.1.330', gitBranch: 'main' };
    appendFileSync(file, `${JSON.stringify({ isSidechain: false, ...base, ...entry })}\n`);
  };
  const user = (content: unknown, more = {}): Readonly<Record<string, unknown>> => ({
    type: 'user',
    message: { role: 'user', content },
    ...more,
  });
  const assistant = (block: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
    type: 'assistant',
    message: { role: 'assistant', id: `msg_${lines}`, model: 'claude-opus-5-5', content: [block] },
  });
  const write = (file: string, path: string, more = {}): void => {
    const name = `toolu_${lines}`;
    append(file, { ...assistant({ type: 'tool_use', id: name, name: 'Write', input: { file_path: path } }), ...more });
    append(file, user([{ type: 'tool_result', tool_use_id: name, content: 'written' }], more));
  };

  const hook = (event: string, fields: Readonly<Record<string, unknown>> = {}): Promise<string> =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [cli, 'hook', event], {
        env: { ...machine.environment, CLAUDECODE: '1', CLAUDE_CODE_CHILD_SESSION: '1' },
        cwd,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      let output = '';
      let errors = '';
      child.stdout.on('data', (chunk) => {
        output += chunk;
      });
      child.stderr.on('data', (chunk) => {
        errors += chunk;
      });
      child.on('close', (code) => {
        if (code !== 0 || errors !== '') return reject(new Error(`hook ${event} ended with ${code}: ${errors}`));
        if (output === '') return resolve('');
        if (output.length > 9_500) return reject(new Error(`hook ${event} printed ${output.length} units`));
        const { hookEventName, additionalContext } = JSON.parse(output).hookSpecificOutput;
        if (hookEventName !== event) return reject(new Error(`hook ${event} answered as ${hookEventName}`));
        resolve(additionalContext);
      });
      child.stdin.end(
        `${JSON.stringify({ session_id: id, transcript_path: transcript, cwd, hook_event_name: event, ...fields })}\n`,
      );
    });

  return {
    id,
    transcript,
    hook,
    start: (source = 'startup') => hook('SessionStart', { source }),
    async turn(prompt, reply, edits = []) {
      const context = await hook('UserPromptSubmit', { prompt });
      append(transcript, user(prompt));
      for (const path of edits) write(transcript, join(cwd, path));
      // The hook runs before the client has written the reply.
      const stopped = hook('Stop', { stop_hook_active: false, last_assistant_message: reply });
      append(transcript, assistant({ type: 'text', text: reply }));
      expectNothing('Stop', await stopped);
      return context;
    },
    fails(command, error) {
      const name = `toolu_${lines}`;
      append(transcript, assistant({ type: 'tool_use', id: name, name: 'Bash', input: { command } }));
      append(transcript, user([{ type: 'tool_result', tool_use_id: name, content: error, is_error: true }]));
    },
    async subagent(task, reply, edits = []) {
      const agent = `a${String(lines).padStart(16, '0')}`;
      const given = await hook('SubagentStart', { agent_id: agent, agent_type: 'Explore' });
      const file = join(folder, id, 'subagents', `agent-${agent}.jsonl`);
      mkdirSync(join(file, '..'), { recursive: true });
      const more = { isSidechain: true, agentId: agent };
      append(file, user(task, more));
      for (const path of edits) write(file, join(cwd, path), more);
      append(file, { ...assistant({ type: 'text', text: reply }), ...more });
      const stop = { agent_id: agent, agent_type: 'Explore', agent_transcript_path: file, stop_hook_active: false };
      expectNothing('SubagentStop', await hook('SubagentStop', { ...stop, last_assistant_message: reply }));
      return given;
    },
    async compact(summary) {
      expectNothing('PreCompact', await hook('PreCompact', { trigger: 'auto', custom_instructions: null }));
      const helper = { agent_id: 'acompact', agent_type: '', agent_transcript_path: '/nowhere' };
      expectNothing('SubagentStop', await hook('SubagentStop', helper));
      const context = await hook('SessionStart', { source: 'compact' });
      append(transcript, { type: 'system', subtype: 'compact_boundary', parentUuid: null });
      append(transcript, user(`This session is being continued.\nSummary:\n${summary}`, { isCompactSummary: true }));
      const answer = `<analysis>thinking aloud</analysis>\n<summary>\n${summary}\n</summary>`;
      expectNothing('PostCompact', await hook('PostCompact', { trigger: 'auto', compact_summary: answer }));
      return context;
    },
    async end() {
      expectNothing('SessionEnd', await hook('SessionEnd', { reason: 'other' }));
    },
  };
};

const expectNothing = (event: string, printed: string): void => {
  if (printed !== '') throw new Error(`${event} printed ${printed}`);
};
