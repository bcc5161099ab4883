import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Connected, connect, serverArguments, temporaryHome } from './support/server.js';

const { home, remove } = temporaryHome();
let server: Connected;
beforeAll(async () => {
  server = await connect(serverArguments(), home, { environment: { TZ: 'Europe/Berlin' } });
});
afterAll(async () => {
  await server.close();
  remove();
});

const expiryOf = async (id: string): Promise<unknown> => (await server.ask('memory_get', { id }))['note'].expires_at;

describe('expires_at', () => {
  it.each([
    ['2036-12-31', '2036-12-31T22:59:59+00:00'],
    ['2036-12-31 12:00', '2036-12-31T11:00:00+00:00'],
    ['2036-12-31T12:00:00Z', '2036-12-31T12:00:00+00:00'],
  ])('means the same as --expires: %s', async (given, time) => {
    const written = { type: 'semantic', title: `Until ${given}`, body: `x ${given}\n` };
    const { id } = await server.ask('memory_write', { ...written, expires_at: given });
    expect(await expiryOf(id)).toBe(time);
    const { id: other } = await server.ask('memory_write', { ...written, title: `By ${given}`, body: `y ${given}\n` });
    await server.ask('memory_edit', { id: other, expires_at: given });
    expect(await expiryOf(other)).toBe(time);
  });

  it('is explained in the schema that a client reads', async () => {
    const { tools } = await server.client.listTools();
    for (const name of ['memory_write', 'memory_edit']) {
      const schema = JSON.stringify(tools.find((tool) => tool.name === name)?.inputSchema);
      expect(schema).toContain('last day it holds, such as 2027-01-31, or a time; local without a zone');
    }
  });

  it('is refused when it is not a time that a note can have', async () => {
    for (const given of ['soon', '9999-12-31T23:59:59-14:00'])
      expect(
        await server.fail('memory_write', { type: 'semantic', title: 'No', body: 'x', expires_at: given }),
      ).toMatch(/^expires_at must be a date or time/);
  });
});
