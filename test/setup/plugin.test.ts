import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hookEvents } from '../../src/agents/hooks/payload.js';
import { tools } from '../../src/mcp/tools/tools.js';
import { claudeHooks } from '../../src/setup/hooks-edit.js';

const read = (path: string): string => readFileSync(path, 'utf8');
const readJson = (path: string) => JSON.parse(read(path));
const files = readdirSync('plugin', { recursive: true, withFileTypes: true, encoding: 'utf8' })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));
const texts = files.filter((file) => file.endsWith('.md'));

/** Reads the `key: value` lines between the first two `---`. */
const frontMatterOf = (file: string): Readonly<Record<string, string>> => {
  const [, head = ''] = /^---\n([\s\S]*?)\n---\n/.exec(read(file)) ?? [];
  return Object.fromEntries(
    head.split('\n').map((line) => [line.split(': ')[0] ?? '', line.slice(line.indexOf(': ') + 2)]),
  );
};

describe('the plugin', () => {
  it('is listed in a marketplace at the top of the repository', () => {
    const { name, owner, plugins } = readJson('.claude-plugin/marketplace.json');
    expect({ name, owner }).toEqual({ name: expect.stringMatching(/^[a-z-]+$/), owner: { name: expect.any(String) } });
    expect(plugins).toHaveLength(1);
    const { name: pluginName } = readJson(join(plugins[0].source, '.claude-plugin', 'plugin.json'));
    expect(plugins[0]).toMatchObject({ name: pluginName, source: './plugin', description: expect.any(String) });
  });
  it('has the version of the package, and no file that an install would run or leave out', () => {
    const { name, version } = readJson('plugin/.claude-plugin/plugin.json');
    expect({ name, version }).toEqual({ name: 'anamnesis', version: readJson('package.json').version });
    expect(readdirSync('plugin/.claude-plugin')).toEqual(['plugin.json']);
    expect(files.filter((file) => /package(?:-lock)?\.json$|CLAUDE\.md$/.test(file))).toEqual([]);
    expect(files.filter((file) => /\.\.\/|\/home\/|\/Users\//.test(read(file)))).toEqual([]);
  });
  it('registers the events that init registers, with the same timeouts', () => {
    const { hooks } = readJson('plugin/hooks/hooks.json');
    const surroundings = { home: '', platform: 'linux', environment: {}, execPath: '', scriptPath: '' } as const;
    const ours = claudeHooks(surroundings, { name: 'anamnesis', homeArgs: [] });
    expect(Object.keys(hooks)).toEqual(ours.map(({ event }) => event));
    for (const { event, group } of ours) {
      expect(hookEvents).toContain(event);
      const handler = { type: 'command', command: 'anamnesis', args: ['hook', event, '--plugin'] };
      const { timeout } = Object(group['hooks'])[0];
      expect(hooks[event]).toEqual([
        {
          ...(event === 'PermissionRequest' ? { matcher: 'mcp__plugin_anamnesis_anamnesis__.*' } : {}),
          hooks: [{ ...handler, timeout }],
        },
      ]);
    }
  });
  it('starts the server of the installed program', () => {
    expect(readJson('plugin/.mcp.json')).toEqual({
      mcpServers: { anamnesis: { command: 'anamnesis', args: ['serve'] } },
    });
  });
  it.each(texts)('%s says what it is for, and names only tools that exist', (file) => {
    const { description = '', name } = frontMatterOf(file);
    expect(description.length).toBeGreaterThan(20);
    expect(description.length).toBeLessThan(1024);
    if (file.endsWith('SKILL.md')) expect(name).toBe(dirname(file).split(/[\\/]/).at(-1));
    const named = new Set(read(file).match(/memory_[a-z]+/g) ?? []);
    expect(named.size).toBeGreaterThan(2);
    expect([...named].filter((tool) => !tools.some(({ name }) => name === tool))).toEqual([]);
    expect(
      read(file)
        .split('\n')
        .filter((line) => line.length > 120 && !/^(?:description|allowed-tools):/.test(line)),
    ).toEqual([]);
  });
  it('has its two commands and its skill', () => {
    expect(texts.map((file) => file.replaceAll('\\', '/')).toSorted()).toEqual([
      'plugin/commands/recall.md',
      'plugin/commands/remember.md',
      'plugin/skills/memory/SKILL.md',
    ]);
    for (const command of ['recall', 'remember']) expect(read(`plugin/commands/${command}.md`)).toContain('$ARGUMENTS');
    expect(existsSync('plugin/CLAUDE.md')).toBe(false);
  });
});
