import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readIncoming } from '../../src/mcp/incoming.js';
import {
  initialize,
  initialized,
  type RawServer,
  serverArguments,
  spawnServer,
  temporaryHome,
} from './support/server.js';

const args = serverArguments();

/** A small seeded generator, so that a failure can be reproduced. */
const randomFrom = (seed: number): ((below: number) => number) => {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
const values = [
  'null',
  'true',
  '0',
  '-1',
  '1.5',
  '1e999',
  '""',
  '"marmot"',
  '"\\ud800"',
  '"\\u0000"',
  '[]',
  '[null]',
  '{}',
  '{"toString":null}',
  '{"__proto__":{"a":1}}',
  '{"_meta":null}',
  '{"_meta":7}',
  '{"_meta":{"progressToken":null}}',
  '{"_meta":{"progressToken":{}}}',
  '{"name":null}',
  '{"name":"memory_search"}',
  '{"name":"memory_search","arguments":null}',
  '{"name":"memory_search","arguments":[]}',
  '{"name":"memory_get","arguments":{"id":{"toString":null}}}',
  '{"name":"memory_list","arguments":{"limit":1e400,"project":[[]]}}',
  '{"name":"__proto__","arguments":{}}',
  '{"uri":null}',
  '{"uri":"anamnesis://note/%ff"}',
  '{"cursor":{}}',
  '{"ref":null,"argument":null}',
  `{"name":"memory_search","arguments":{"query":${deep}}}`,
  `{"name":"memory_search","arguments":{"query":"${'q'.repeat(200_000)}"}}`,
  deep,
] as const;
const methods = [
  '"tools/call"',
  '"tools/list"',
  '"resources/list"',
  '"resources/read"',
  '"resources/templates/list"',
  '"prompts/list"',
  '"prompts/get"',
  '"completion/complete"',
  '"initialize"',
  '"ping"',
  '"logging/setLevel"',
  '"tasks/get"',
  '"constructor"',
  '"__proto__"',
  '""',
  'null',
  '7',
  '{}',
  `"${'m'.repeat(100_000)}"`,
] as const;
const versions = ['"2.0"', '"2.0"', '"2.0"', '"2.0"', '"1.0"', 'null', '2'] as const;
const extras = ['', '', '', ',"trace":1', ',"result":{}', ',"error":null', ',"__proto__":{}'] as const;

describe('a server that is sent malformed requests', () => {
  let home = '';
  let remove: () => void;
  let server: RawServer;
  beforeEach(() => {
    ({ home, remove } = temporaryHome());
    server = spawnServer(args, home);
    server.send(initialize());
    server.send(initialized);
  });
  afterEach(() => {
    server.child.kill('SIGKILL');
    remove();
  });
  const idsAnswered = (): ReadonlySet<unknown> => new Set(server.lines.map((line) => JSON.parse(line).id));

  it('treats null params as absent and refuses params that are not an object', async () => {
    const send = (line: string): void => void server.child.stdin.write(`${line}\n`);
    send('{"jsonrpc":"2.0","id":2,"method":"tools/list","params":null}');
    send('{"jsonrpc":"2.0","id":3,"method":"ping","params":{"_meta":null}}');
    send('{"jsonrpc":"2.0","id":4,"method":"tools/call","params":null}');
    send('{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"memory_list","arguments":null}}');
    send('{"jsonrpc":"2.0","id":6,"method":"tools/call","params":["memory_list"]}');
    expect((await server.answer(2))['result'].tools).not.toHaveLength(0);
    expect((await server.answer(3))['result']).toEqual({});
    expect((await server.answer(4))['error']).toMatchObject({ code: -32602 });
    expect(JSON.parse((await server.answer(5))['result'].content[0].text)).toEqual({ notes: [], total: 0 });
    expect((await server.answer(6))['error']).toMatchObject({ code: -32602 });
  });

  it('answers each of 500 that have an id, stays alive and writes only protocol lines', async () => {
    const random = randomFrom(1014);
    const pick = <One>(list: readonly One[]): One => list[random(list.length)] as One;
    const expected: number[] = [];
    for (let id = 1000; id < 1500; id += 1) {
      const params = random(8) === 0 ? '' : `,"params":${pick(values)}`;
      const request = `{"jsonrpc":${pick(versions)},"id":${id},"method":${pick(methods)}${params}${pick(extras)}}`;
      server.child.stdin.write(`${request}\n`);
      if (random(10) === 0)
        server.child.stdin.write(`${request.slice(0, random(request.length)).replaceAll('\n', '')}\n`);
      expected.push(id);
    }
    const deadline = performance.now() + 40_000;
    let missing = expected;
    while (missing.length > 0 && performance.now() < deadline) {
      await sleep(50);
      const answered = idsAnswered();
      missing = expected.filter((id) => !answered.has(id));
    }
    expect(missing).toEqual([]);
    server.send({ id: 2, method: 'ping' });
    expect((await server.answer(2))['result']).toEqual({});
    for (const line of server.lines) {
      expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
      expect(line.length).toBeLessThan(100_000);
    }
    expect(server.stderr()).toBe('');
  });

  it('refuses one that is nested too deep and stays alive', async () => {
    const nested = (levels: number, open: string, close: string): string =>
      `${open.repeat(levels)}1${close.repeat(levels)}`;
    const call = (id: number, value: string): string =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"memory_search","arguments":{"query":${value}}}}\n`;
    server.child.stdin.write(call(2, nested(100_000, '[', ']')));
    server.child.stdin.write(call(3, nested(100_000, '{"a":', '}')));
    server.child.stdin.write(call(4, `"${'['.repeat(1000)}"`));
    for (const id of [2, 3]) expect((await server.answer(id))['result']).toMatchObject({ isError: true });
    expect(JSON.parse((await server.answer(4))['result'].content[0].text)).toMatchObject({ hits: [] });
    expect(server.child.exitCode).toBeNull();
  });

  it('refuses a message of 11 MB and stays alive', async () => {
    const query = 'q'.repeat(11 * 1024 * 1024);
    server.send({ id: 7, method: 'tools/call', params: { name: 'memory_search', arguments: { query } } });
    server.send({ id: 9, method: 'ping' });
    expect((await server.answer(9))['result']).toEqual({});
    expect(server.lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32600 }) }),
    );
  });
});

describe('a line from the client', () => {
  const answerTo = (line: string) => {
    const incoming = readIncoming(line);
    return incoming.kind === 'refused' ? incoming.answer : incoming.kind;
  };
  it('is answered with the id null when it has no valid id', () => {
    for (const line of ['{', '7', 'null', '{"jsonrpc":"2.0","id":{},"method":"ping"}', '[]']) {
      expect(answerTo(line), line).toMatchObject({ jsonrpc: '2.0', id: null });
    }
  });
  it('may begin with a byte order mark', () => {
    expect(answerTo('\uFEFF{"jsonrpc":"2.0","id":1,"method":"ping"}')).toBe('message');
  });
  it('is not answered when the client expects no answer', () => {
    expect(answerTo('{"jsonrpc":"2.0","method":"notifications/progress","params":[]}')).toBe('dropped');
    expect(answerTo('{"jsonrpc":"2.0","id":1,"result":7}')).toBe('dropped');
  });
});
