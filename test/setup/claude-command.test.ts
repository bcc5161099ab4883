import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callsOfClaude, type Home, installFakeClaude, openHome } from './support.js';

let home: Home;
beforeEach(() => {
  home = openHome();
});
afterEach(() => home.remove());

const servers = (): unknown => JSON.parse(home.get('.claude.json')).mcpServers;
const wanted = { type: 'stdio', command: '/opt/node/bin/node', args: ['/opt/anamnesis/dist/cli.js', 'serve'] };
const add = ['mcp', 'add-json', 'anamnesis', JSON.stringify(wanted), '--scope', 'user'];
const onlyServer = { parts: ['server'] } as const;

describe('setup with the claude command on PATH', () => {
  it('lets claude add the server, once', async () => {
    installFakeClaude(home);
    const [registered] = await home.register(onlyServer);
    expect(registered?.commands).toEqual([[home.path('bin', 'claude'), ...add]]);
    expect(callsOfClaude(home)).toEqual([add]);
    expect(servers()).toEqual({ anamnesis: wanted });
    const once = home.snapshot();
    await home.register(onlyServer);
    expect(home.snapshot()).toEqual(once);
  });
  it('restores the file byte for byte, and does not call claude if no client is chosen', async () => {
    installFakeClaude(home);
    home.put('.claude.json', '{"numStartups":3, "projects":{}}');
    await home.register(onlyServer);
    await home.uninstall();
    expect(home.get('.claude.json')).toBe('{"numStartups":3, "projects":{}}');
    home.put('.claude.json', '');
    await home.register({ ...onlyServer, clients: [] });
    expect(callsOfClaude(home)).toEqual([add]);
  });
  it('lets claude remove the server if a session has written to the file since', async () => {
    installFakeClaude(home);
    await home.register(onlyServer);
    home.put('.claude.json', JSON.stringify({ ...JSON.parse(home.get('.claude.json')), numStartups: 4 }));
    const removals = await home.uninstall();
    expect(removals.map(({ change }) => change)).toEqual(['edit']);
    expect(callsOfClaude(home)[1]).toEqual(['mcp', 'remove', 'anamnesis', '--scope', 'user']);
    expect(JSON.parse(home.get('.claude.json'))).toEqual({ firstStartTime: 'now', numStartups: 4, mcpServers: {} });
  });
  it('replaces our entry if it starts an older program', async () => {
    installFakeClaude(home);
    const old = { type: 'stdio', command: '/old/node', args: ['/opt/anamnesis/dist/cli.js', 'serve'] };
    home.put('.claude.json', JSON.stringify({ mcpServers: { anamnesis: old } }));
    await home.register(onlyServer);
    expect(callsOfClaude(home).map(([, verb]) => verb)).toEqual(['remove', 'add-json']);
    expect(servers()).toEqual({ anamnesis: wanted });
  });
  it('moves the server to another name', async () => {
    installFakeClaude(home);
    await home.register(onlyServer);
    await home.register({ ...onlyServer, name: 'mem' });
    expect(servers()).toEqual({ mem: wanted });
    expect(callsOfClaude(home).map(([, verb, name]) => [verb, name])).toEqual([
      ['add-json', 'anamnesis'],
      ['remove', 'anamnesis'],
      ['add-json', 'mem'],
    ]);
  });
  it.each(['lies', 'fails'] as const)('edits the file itself when claude %s', async (behaviour) => {
    installFakeClaude(home, behaviour);
    home.put('.claude.json', '{\n  "numStartups": 3\n}');
    const [registered] = await home.register(onlyServer);
    expect(registered).toMatchObject({ change: 'change', commands: [] });
    expect(servers()).toEqual({ anamnesis: wanted });
    await home.uninstall();
    expect(home.get('.claude.json')).toBe('{\n  "numStartups": 3\n}');
  });
  it('passes claude the folder that CLAUDE_CONFIG_DIR names', async () => {
    const other = openHome();
    const moved = openHome({ environment: { CLAUDE_CONFIG_DIR: other.path('claude') } });
    try {
      installFakeClaude(moved);
      other.put('claude/settings.json', '{}');
      await moved.register();
      expect(moved.has('.claude')).toBe(false);
      expect(JSON.parse(other.get('claude/.claude.json')).mcpServers).toEqual({ anamnesis: wanted });
      expect(JSON.parse(other.get('claude/settings.json')).hooks.Stop).toHaveLength(1);
      await moved.uninstall();
      // Claude Code made the file, so its own keys stay there.
      expect(JSON.parse(other.get('claude/.claude.json'))).toEqual({ firstStartTime: 'now', mcpServers: {} });
      expect(Object.keys(other.snapshot())).toEqual(['claude', 'claude/.claude.json', 'claude/settings.json']);
    } finally {
      moved.remove();
      other.remove();
    }
  });
  it('ignores a claude in a relative folder of PATH, and one that is not executable', async () => {
    const careless = openHome({ environment: { PATH: '.:bin' } });
    try {
      installFakeClaude(careless);
      const [registered] = await careless.register(onlyServer);
      expect(registered?.commands).toEqual([]);
    } finally {
      careless.remove();
    }
    home.put('bin/claude', 'not executable');
    expect((await home.register(onlyServer))[0]?.commands).toEqual([]);
  });
});
