import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type CallToolResult, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serverArguments, temporaryHome, textOf } from './support/server.js';

const { home, remove } = temporaryHome();
const folderOf = (name: string): string => join(home, '..', name);

beforeAll(() => {
  for (const name of ['shop', 'bakery']) {
    mkdirSync(join(folderOf(name), '.git'), { recursive: true });
    writeFileSync(
      join(folderOf(name), '.git', 'config'),
      `[remote "origin"]\n\turl = git@github.com:acme/${name}.git\n`,
    );
  }
});
afterAll(remove);

/** Returns the project that a server in the folder of the shop gives to a note without one. */
const projectWritten = async (roots: readonly string[] | undefined): Promise<unknown> => {
  const capabilities = roots === undefined ? {} : { roots: {} };
  const client = new Client({ name: 'test-client', version: '1.0.0' }, { capabilities });
  if (roots !== undefined)
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots.map((uri) => ({ uri })) }));
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(home, '..'), ANAMNESIS_HOME: home };
  const [command, args] = [process.execPath, [...serverArguments()]];
  await client.connect(new StdioClientTransport({ command, args, cwd: folderOf('shop'), env, stderr: 'ignore' }));
  try {
    const given = { type: 'semantic', title: 'Here', body: 'Written without a project.' };
    const result = await client.callTool({ name: 'memory_write', arguments: given });
    return JSON.parse(textOf(result as CallToolResult)).project;
  } finally {
    await client.close();
  }
};

it.each([
  ["the first root's project", () => [pathToFileURL(folderOf('bakery')).href], 'github.com/acme/bakery'],
  ["the folder's project when the client lists no root", () => [], 'github.com/acme/shop'],
  ["the folder's project when the root is not a folder", () => ['https://example.com/'], 'github.com/acme/shop'],
  ["the folder's project when the client does not support roots", () => undefined, 'github.com/acme/shop'],
])('a note without a project goes to %s', async (_, roots, project) => {
  expect(await projectWritten(roots())).toBe(project);
});
