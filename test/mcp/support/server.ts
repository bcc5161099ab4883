/** Runs the server as a process, with the SDK's client on the other end of its pipes or with raw lines. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { keptProgram } from '../../support/built-program.js';

/** Returns the arguments for node that start a server with the built program. */
export const serverArguments = (): readonly string[] => [keptProgram, 'serve'];

export const temporaryHome = (): { readonly home: string; remove(): void } => {
  const folder = mkdtempSync(join(tmpdir(), 'anamnesis-mcp-'));
  // The folder does not exist yet, so that a test sees whether the server creates it.
  return { home: join(folder, 'store'), remove: () => rmSync(folder, { recursive: true, force: true }) };
};

const environmentOf = (home: string, more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: join(home, '..'),
  ANAMNESIS_HOME: home,
  ANAMNESIS_MACHINE_ID: 'testbox',
  ...more,
});

/** An answer of a server, of any shape. */
export type Json = ReturnType<typeof JSON.parse>;

export type Connected = {
  readonly client: Client;
  readonly pid: number;
  /** Returns the parsed answer of a call; throws when the call failed. */
  ask(name: string, given?: Record<string, unknown>): Promise<Json>;
  /** Returns the text of a call that must fail; throws when it did not. */
  fail(name: string, given?: Record<string, unknown>): Promise<string>;
  call(name: string, given?: Record<string, unknown>): Promise<CallToolResult>;
  stderr(): string;
  close(): Promise<void>;
};

export const connect = async (
  args: readonly string[],
  home: string,
  options: { readonly name?: string; readonly environment?: Readonly<Record<string, string>> } = {},
): Promise<Connected> => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args],
    env: environmentOf(home, options.environment),
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const client = new Client({ name: options.name ?? 'test-client', version: '1.0.0' });
  await client.connect(transport);
  await client.listTools();
  const call = async (name: string, given: Record<string, unknown> = {}): Promise<CallToolResult> =>
    (await client.callTool({ name, arguments: given })) as CallToolResult;
  return {
    client,
    pid: transport.pid ?? 0,
    call,
    async ask(name, given) {
      const result = await call(name, given);
      if (result.isError === true) throw new Error(textOf(result));
      return JSON.parse(textOf(result));
    },
    async fail(name, given) {
      const result = await call(name, given);
      if (result.isError !== true) throw new Error(`${name} did not fail: ${textOf(result)}`);
      return textOf(result);
    },
    stderr: () => stderr,
    close: () => client.close(),
  };
};

export const textOf = (result: CallToolResult): string =>
  result.content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join('');

export type RawServer = {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly lines: string[];
  send(message: object): void;
  /** Waits for the message with this id. */
  answer(id: number): Promise<Json>;
  stderr(): string;
  /** Waits for the process to end: milliseconds from this call, and how it ended. */
  ended(): Promise<{ readonly ms: number; readonly code: number | null; readonly signal: string | null }>;
};

export const spawnServer = (
  args: readonly string[],
  home: string,
  environment?: Readonly<Record<string, string>>,
): RawServer => {
  const child = spawn(process.execPath, [...args], {
    env: environmentOf(home, environment),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdin.on('error', () => undefined);
  const reader = createInterface({ input: child.stdout, crlfDelay: 0 });
  reader.on('line', (line) => lines.push(line));
  const closed = once(child, 'close');
  return {
    child,
    lines,
    send: (message) => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    },
    async answer(id) {
      for (;;) {
        const found = lines.map((line) => JSON.parse(line)).find((message) => message.id === id);
        if (found !== undefined) return found;
        await Promise.race([
          once(reader, 'line'),
          closed.then(() => Promise.reject(new Error(`ended before answering ${id}: ${stderr}`))),
        ]);
      }
    },
    stderr: () => stderr,
    async ended() {
      const started = performance.now();
      const [code, signal] = await closed;
      return { ms: performance.now() - started, code, signal };
    },
  };
};

export const initialize = (name = 'raw-client'): object => ({
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name, version: '1' } },
});
export const initialized = { method: 'notifications/initialized' };
export const toolCall = (id: number, name: string, given: object): object => ({
  id,
  method: 'tools/call',
  params: { name, arguments: given },
});
