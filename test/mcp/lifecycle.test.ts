import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  connect,
  initialize,
  initialized,
  serverArguments,
  spawnServer,
  temporaryHome,
  textOf,
  toolCall,
} from './support/server.js';

const args = serverArguments();
let home = '';
let remove: () => void;

beforeEach(() => {
  ({ home, remove } = temporaryHome());
});
afterEach(() => remove());

const note = (title: string): object => ({ type: 'semantic', title, body: `${title}\n` });
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('a session', () => {
  it('starts, lists and reads without creating a store', async () => {
    const server = spawnServer(args, home);
    server.send(initialize());
    const { result } = await server.answer(1);
    expect(result).toMatchObject({
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'anamnesis' },
      capabilities: { tools: {}, resources: {}, completions: {} },
    });
    server.send(initialized);
    server.send({ id: 2, method: 'tools/list' });
    server.send({ id: 3, method: 'ping' });
    server.send(toolCall(4, 'memory_search', { query: 'anything' }));
    server.send(toolCall(5, 'memory_list', {}));
    server.send(toolCall(6, 'memory_get', { id: '01J0000000000000000000000A' }));
    expect((await server.answer(3))['result']).toEqual({});
    expect(JSON.parse((await server.answer(4))['result'].content[0].text)).toMatchObject({ hits: [], total: 0 });
    expect(JSON.parse((await server.answer(5))['result'].content[0].text)).toEqual({ notes: [], total: 0 });
    expect((await server.answer(6))['result'].isError).toBe(true);
    await sleep(300);
    expect(existsSync(home)).toBe(false);
    server.child.stdin.end();
    expect(await server.ended()).toMatchObject({ code: 0 });
    expect(server.stderr()).toBe('');
  });
  it('answers with the protocol version of the client, or with the newest one when it is unknown', async () => {
    for (const [asked, answered] of [
      ['2024-11-05', '2024-11-05'],
      ['2026-07-28', '2025-11-25'],
      ['nonsense', '2025-11-25'],
    ]) {
      const server = spawnServer(args, home);
      server.send({
        id: 1,
        method: 'initialize',
        params: { protocolVersion: asked, capabilities: {}, clientInfo: { name: 'x', version: '1' } },
      });
      expect((await server.answer(1))['result'].protocolVersion).toBe(answered);
      server.child.stdin.end();
      await server.ended();
    }
  });
  it("masks a secret in the client's name before the name is written anywhere", async () => {
    const token = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`;
    const server = spawnServer(args, home);
    server.send(initialize(`x ${'y'.repeat(80)} ${token}`));
    server.send(initialized);
    server.send(toolCall(2, 'memory_write', note('one')));
    server.send(toolCall(3, 'memory_search', { query: 'one' }));
    for (const id of [1, 2, 3]) await server.answer(id);
    server.child.stdin.end();
    await server.ended();
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'));
    const log = execFileSync('git', ['-C', join(home, 'memory'), 'log', '-p'], { encoding: 'utf8' });
    for (const text of [...texts, log]) expect(text).not.toContain(token.slice(0, 10));
    expect(log).toContain('[REDACTED:');
  });
  it('writes nothing but protocol lines to standard output and nothing to standard error', async () => {
    const server = spawnServer(args, home);
    server.send(initialize());
    server.send(initialized);
    for (let id = 10; id < 20; id += 1) server.send(toolCall(id, 'memory_write', note(`note ${id}\u2028 über`)));
    server.child.stdin.write('this is not JSON\n\n{"jsonrpc":"2.0","nonsense":true}\n');
    server.send({ id: 20, method: 'no/such/method' });
    server.send({ id: 21, method: 'tools/call' });
    server.send({ id: 22, method: 'tools/call', params: { name: 'memory_search', arguments: 'marmot' } });
    server.send({ id: 23, method: 'resources/read', params: {} });
    server.send(toolCall(24, 'memory_status', {}));
    for (let id = 10; id <= 24; id += 1) await server.answer(id);
    server.child.stdin.end();
    await server.ended();
    for (const line of server.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
    expect(server.stderr()).toBe('');
    expect((await server.answer(20))['error']).toMatchObject({ code: -32601 });
    expect((await server.answer(21))['error']).toMatchObject({ code: -32602 });
    expect((await server.answer(22))['result']).toMatchObject({ isError: true });
    expect((await server.answer(23))['error']).toMatchObject({ code: -32602 });
  });
  it('says nothing on standard error when many long answers are read slowly', async () => {
    const server = spawnServer(args, home);
    server.send(initialize());
    await server.answer(1);
    server.send(toolCall(2, 'memory_write', { type: 'semantic', title: 'long', body: 'y'.repeat(50_000) }));
    const { id } = JSON.parse(textOf((await server.answer(2))['result']));
    server.child.stdout.pause();
    for (let call = 10; call < 50; call += 1) server.send(toolCall(call, 'memory_get', { id }));
    await sleep(300);
    server.child.stdout.resume();
    for (let call = 10; call < 50; call += 1) expect((await server.answer(call))['result'].isError).toBeUndefined();
    server.child.stdin.end();
    expect(await server.ended()).toMatchObject({ code: 0 });
    expect(server.stderr()).toBe('');
  });
  it('adopts what was edited by hand while no server ran', async () => {
    const first = await connect(args, home);
    const { id } = await first.ask('memory_write', { type: 'semantic', title: 'Before', body: 'one\n' });
    const { note: written } = await first.ask('memory_get', { id });
    await first.close();
    const path: string = written.path;
    writeFileSync(path, readFileSync(path, 'utf8').replace('one\n', 'one by hand\n'));
    const second = await connect(args, home);
    let kinds: string[] = [];
    // However long a busy machine needs: the test's own time limit ends it.
    while (!kinds.includes('hand.adopted')) {
      await sleep(50);
      const { events } = await second.ask('memory_history', { id: written.id });
      kinds = events.map(({ kind }: { kind: string }) => kind);
    }
    expect(kinds).toEqual(['hand.adopted', 'note.written']);
    expect((await second.ask('memory_get', { id: written.id }))['note'].body).toBe('one by hand\n');
    await second.close();
  });
});

describe('the end of a session', () => {
  it('comes at the end of input, after every write is answered', async () => {
    const server = spawnServer(args, home);
    server.send(initialize());
    await server.answer(1);
    for (let id = 10; id < 30; id += 1) server.send(toolCall(id, 'memory_write', note(`note ${id}`)));
    server.child.stdin.end();
    const { code } = await server.ended();
    expect(code).toBe(0);
    expect(isAlive(server.child.pid!)).toBe(false);
    for (let id = 10; id < 30; id += 1)
      expect(JSON.parse(textOf((await server.answer(id))['result'])).status).toBe('recorded');
  });
  it('comes immediately when the client closes before it sends anything', async () => {
    const server = spawnServer(args, home);
    server.child.stdin.end();
    expect(await server.ended()).toMatchObject({ code: 0 });
    expect(server.lines).toEqual([]);
    expect(existsSync(home)).toBe(false);
  });
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'comes with %s while input stays open, and keeps every write that was answered',
    async (signal) => {
      const server = spawnServer(args, home);
      server.send(initialize());
      await server.answer(1);
      for (let id = 10; id < 20; id += 1) server.send(toolCall(id, 'memory_write', note(`note ${id}`)));
      await sleep(30);
      server.child.kill(signal);
      const { ms, code } = await server.ended();
      expect(code).toBe(0);
      expect(ms).toBeLessThan(2000);
      expect(server.stderr()).toBe('');
      const answered = server.lines.map((line) => JSON.parse(line)).filter(({ id }) => id >= 10);
      const again = await connect(args, home);
      expect((await again.ask('memory_list'))['total']).toBe(answered.length);
      await again.close();
    },
  );
  it('comes when the client stops reading', async () => {
    const server = spawnServer(args, home);
    server.send(initialize());
    await server.answer(1);
    server.child.stdout.destroy();
    server.send({ id: 2, method: 'ping' });
    const { code, ms } = await server.ended();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(2000);
    expect(server.stderr()).toBe('');
  });
  it('comes when the parent process dies and leaves the pipes open', async () => {
    // The grandchild inherits the pipes and keeps them open; only the process between is killed.
    const script = `const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ${JSON.stringify(args)}, { stdio: 'inherit' });
      process.stderr.write(String(child.pid));
      setInterval(() => {}, 1000);`;
    const env = { PATH: process.env['PATH'] ?? '', ANAMNESIS_HOME: home };
    const between = spawn(process.execPath, ['-e', script], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    const [pidText] = await once(between.stderr, 'data');
    const pid = Number(String(pidText));
    between.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...initialize() })}\n`);
    await once(between.stdout, 'data');
    expect(isAlive(pid)).toBe(true);
    between.kill('SIGKILL');
    for (let tries = 0; tries < 100 && isAlive(pid); tries += 1) await sleep(100);
    expect(isAlive(pid)).toBe(false);
  });
});
