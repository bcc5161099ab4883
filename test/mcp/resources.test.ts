import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Connected, connect, serverArguments, temporaryHome } from './support/server.js';

const { home, remove } = temporaryHome();
let server: Connected;
let noteId = '';

const textAt = async (uri: string): Promise<string> => {
  const { contents } = await server.client.readResource({ uri });
  const [content] = contents;
  return content !== undefined && 'text' in content ? content.text : '';
};

beforeAll(async () => {
  server = await connect(serverArguments(), home);
  const note = {
    type: 'procedural',
    title: 'Release the shop',
    body: 'Tag, then push.\n',
    project: 'github.com/acme/shop',
  };
  noteId = (await server.ask('memory_write', note))['id'];
  await server.ask('memory_write', {
    type: 'semantic',
    title: 'Prefers tabs',
    body: 'Everywhere.\n',
    project: 'global',
  });
  await server.ask('memory_write', {
    type: 'semantic',
    title: 'Other',
    body: 'x\n',
    project: 'github.com/acme/Other tool',
  });
});
afterAll(async () => {
  await server.close();
  remove();
});

describe('resources', () => {
  it('list the projects, with their keys encoded', async () => {
    const { resources } = await server.client.listResources();
    expect(resources).toEqual([
      {
        uri: 'anamnesis://project/github.com%2Facme%2FOther%20tool',
        name: 'github.com/acme/Other tool',
        description: '1 note',
        mimeType: 'text/markdown',
      },
      {
        uri: 'anamnesis://project/github.com%2Facme%2Fshop',
        name: 'github.com/acme/shop',
        description: '1 note',
        mimeType: 'text/markdown',
      },
      { uri: 'anamnesis://project/global', name: 'global', description: '1 note', mimeType: 'text/markdown' },
    ]);
  });
  it('have a template for notes and one for projects', async () => {
    const { resourceTemplates } = await server.client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'anamnesis://note/{id}',
      'anamnesis://project/{key}',
    ]);
  });
  it('read a note as markdown, by its id or the beginning of it', async () => {
    const expected =
      /^# Release the shop\n_type: procedural \| project: github\.com\/acme\/shop \| date: \d{4}-\d\d-\d\d \| origin: \S+ \| source: agent [^|]+_\n\n> Tag, then push\.\n$/;
    expect(await textAt(`anamnesis://note/${noteId}`)).toMatch(expected);
    expect(await textAt(`anamnesis://note/${noteId.slice(0, 24)}`)).toMatch(expected);
  });
  it('read a project as the block that its sessions start with', async () => {
    const block = await textAt('anamnesis://project/github.com%2Facme%2Fshop');
    expect(block).toContain('# Anamnesis memory (auto-injected)');
    expect(block).toContain('Release the shop');
    expect(block).toContain('Prefers tabs');
    expect(block).not.toContain('Other');
    expect(await textAt('anamnesis://project/github.com/acme/shop')).toBe(block);
    expect(await textAt('anamnesis://project/shop')).toBe(block);
  });
  it.each([
    ['anamnesis://note/7ZZZZZZZZZZZZZZZZZZZZZZZZZ', /-32002.*there is no note 7Z+; search or list/],
    ['anamnesis://note/..%2F..%2Fetc%2Fpasswd', /-32002.*is not a note id/],
    ['anamnesis://thing/1', /-32002.*the forms are anamnesis:\/\/note\/\{id\}/],
    ['anamnesis://project/%E0%A4%A', /-32002/],
    ['anamnesis://project/acme', /-32002.*"acme" fits 2 projects: .*; the list of resources has all projects/],
    ['anamnesis://project/shpo', /-32002.*there is no project "shpo"/],
    ['file:///etc/passwd', /-32002/],
  ])('say what is wrong with %s', async (uri, message) => {
    await expect(server.client.readResource({ uri })).rejects.toThrow(message);
  });
});

describe('completion', () => {
  const complete = async (uri: string, name: string, value: string): Promise<readonly string[]> =>
    (await server.client.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value } })).completion.values;

  it('completes ids by their beginning, and offers all when there is none', async () => {
    expect(await complete('anamnesis://note/{id}', 'id', noteId.slice(0, 20).toLowerCase())).toContain(noteId);
    expect(await complete('anamnesis://note/{id}', 'id', '')).toHaveLength(3);
    expect(await complete('anamnesis://note/{id}', 'id', '9')).toEqual([]);
    expect(await complete('anamnesis://note/{id}', 'id', "'; --")).toEqual([]);
  });
  it('completes projects by any part of their key', async () => {
    const keys = (value: string): Promise<readonly string[]> => complete('anamnesis://project/{key}', 'key', value);
    expect(await keys('g')).toEqual(['github.com/acme/Other tool', 'github.com/acme/shop', 'global']);
    expect(await keys('SHOP')).toEqual(['github.com/acme/shop']);
    expect(await keys('nothing')).toEqual([]);
  });
  it('is refused for an unknown argument, with the one that can be completed', async () => {
    await expect(complete('anamnesis://note/{id}', 'key', '')).rejects.toThrow(/-32602.*completions for id/);
  });
});

describe('resources without a store', () => {
  it('are none, and reading them creates no store', async () => {
    const empty = temporaryHome();
    const lone = await connect(serverArguments(), empty.home);
    expect((await lone.client.listResources()).resources).toEqual([]);
    const ref = { type: 'ref/resource', uri: 'anamnesis://note/{id}' } as const;
    expect((await lone.client.complete({ ref, argument: { name: 'id', value: '01' } })).completion.values).toEqual([]);
    await expect(lone.client.readResource({ uri: 'anamnesis://project/global' })).rejects.toThrow(
      /nothing is known about the project global yet/,
    );
    await lone.close();
    const { existsSync } = await import('node:fs');
    expect(existsSync(empty.home)).toBe(false);
    empty.remove();
  });
});
