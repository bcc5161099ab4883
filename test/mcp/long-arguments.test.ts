import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Connected, connect, serverArguments, temporaryHome } from './support/server.js';

const { home, remove } = temporaryHome();
let server: Connected;
beforeAll(async () => {
  server = await connect(serverArguments(), home);
  await server.ask('memory_write', { type: 'semantic', title: 'A note', body: 'B', project: 'p' });
});
afterAll(async () => {
  await server.close();
  remove();
});

const long = 'x'.repeat(100_000);
const note = { type: 'semantic', title: 'Another', body: 'B', project: 'p' };

it.each([
  ['memory_get', { id: long }],
  ['memory_history', { id: long }],
  ['memory_forget', { id: long }],
  ['memory_edit', { id: long, title: 'T' }],
  ['memory_write', { ...note, supersedes: long }],
  ['memory_write', { ...note, supersedes: [long] }],
  ['memory_write', { ...note, expires_at: long }],
  ['memory_write', { ...note, project: long }],
  ['memory_list', { project: long }],
  ['memory_search', { query: 'note', project: long }],
  ['memory_list', { [long]: 1 }],
  ['memory_list', Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`unknown${at}`, 1]))],
])('%s refuses a long value without repeating all of it', async (name, given) => {
  const { isError, content } = await server.client.callTool({ name, arguments: given });
  expect(isError).toBe(true);
  expect(JSON.stringify(content).length).toBeLessThan(1_500);
});

it.each([[`anamnesis://project/${long}`], [`anamnesis://note/${long}`], [`other://${long}`]])(
  'a resource with a long address is refused without repeating all of it',
  async (uri) => {
    const refused = await server.client.readResource({ uri }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Error);
    expect(JSON.stringify([String(refused), refused]).length).toBeLessThan(1_500);
  },
);
