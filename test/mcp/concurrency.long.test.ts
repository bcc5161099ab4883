import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect, serverArguments, temporaryHome } from './support/server.js';

const args = serverArguments();
let home = '';
let remove: () => void;

beforeEach(() => {
  ({ home, remove } = temporaryHome());
});
afterEach(() => remove());

const note = (title: string): Record<string, unknown> => ({
  type: 'semantic',
  title,
  body: `${title}\n`,
  project: 'crowd',
});

describe('many calls at once', () => {
  it('let pings be answered while 200 writes are under way', async () => {
    const server = await connect(args, home);
    await server.ask('memory_write', note('first'));
    let done = 0;
    const begun = performance.now();
    const writes = Array.from({ length: 200 }, async (_, at) => {
      const answer = await server.ask('memory_write', note(`note ${at}`));
      done += 1;
      return answer['id'];
    });
    let pingsBefore = 0;
    let slowest = 0;
    while (done < writes.length) {
      const started = performance.now();
      await server.client.ping();
      slowest = Math.max(slowest, performance.now() - started);
      if (done < writes.length) pingsBefore += 1;
    }
    const ids = await Promise.all(writes);
    const wholeMs = performance.now() - begun;
    expect(new Set(ids).size).toBe(200);
    expect(pingsBefore).toBeGreaterThan(0);
    // A share of the whole, not milliseconds, which say more about the machine: a ping that waits for all writes has 1.
    expect(slowest / wholeMs).toBeLessThan(0.75);
    expect((await server.ask('memory_list', { limit: 1 }))['total']).toBe(201);
    await server.close();
  });
  it('are written to one store by two clients without loss', async () => {
    const [one, two] = await Promise.all([connect(args, home, { name: 'one' }), connect(args, home, { name: 'two' })]);
    const writeAll = (server: typeof one, name: string): Promise<unknown> =>
      Promise.all(Array.from({ length: 25 }, (_, at) => server.ask('memory_write', note(`${name} ${at}`))));
    await Promise.all([writeAll(one, 'one'), writeAll(two, 'two')]);
    for (const server of [one, two]) {
      const { notes, total } = await server.ask('memory_list', { limit: 100 });
      expect(total).toBe(50);
      const agents = notes.map(({ agent }: { agent: string }) => agent);
      expect(agents.filter((agent: string) => agent === 'one')).toHaveLength(25);
    }
    expect(one.stderr() + two.stderr()).toBe('');
    await Promise.all([one.close(), two.close()]);
  });
  it('are all answered while another process replays again and again', async () => {
    const [reader, writer] = await Promise.all([connect(args, home), connect(args, home)]);
    await writer.ask('memory_write', note('first'));
    let replays = 0;
    let over = false;
    const replaying = (async () => {
      while (!over) {
        const child = spawn(process.execPath, [args[0] ?? '', 'replay', '--json'], {
          env: { PATH: process.env['PATH'] ?? '', HOME: home, ANAMNESIS_HOME: home },
          stdio: 'ignore',
        });
        const [code] = await once(child, 'close');
        expect(code).toBe(0);
        replays += 1;
      }
    })();
    const writing = (async () => {
      for (let at = 0; !over; at += 1) {
        await writer.ask('memory_write', note(`written ${at}`));
        await sleep(50);
      }
    })();
    const calls: readonly (() => Promise<unknown>)[] = [
      () => reader.ask('memory_search', { query: 'written' }),
      () => reader.ask('memory_list', { limit: 5 }),
      () => reader.ask('memory_status'),
      () => reader.ask('memory_write', note('of the reader')),
    ];
    const failures: string[] = [];
    for (let round = 0; round < 25 || replays < 3; round += 1) {
      const answers = await Promise.allSettled([...calls, ...calls].map((call) => call()));
      for (const answer of answers) if (answer.status === 'rejected') failures.push(String(answer.reason));
    }
    over = true;
    await Promise.all([replaying, writing]);
    expect(failures).toEqual([]);
    await Promise.all([reader.close(), writer.close()]);
  });
  it('see what another client has just written', async () => {
    const [one, two] = await Promise.all([connect(args, home), connect(args, home)]);
    const written = await one.ask('memory_write', note('quokka'));
    expect((await two.ask('memory_search', { query: 'quokka' }))['hits'][0].id).toBe(written.short_id);
    await two.ask('memory_edit', { id: written.id, title: 'numbat' });
    expect((await one.ask('memory_get', { id: written.id }))['note'].title).toBe('numbat');
    await Promise.all([one.close(), two.close()]);
  });
});
