import { execFileSync } from 'node:child_process';
import { parse } from 'smol-toml';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { targetsOf } from '../../src/setup/clients.js';
import { codexHooks } from '../../src/setup/hooks-edit.js';
import type { ClientName } from '../../src/setup/surroundings.js';
import { type Home, openHome } from './support.js';

let home: Home;
let umask: number;
beforeEach(() => {
  umask = process.umask(0o022);
  home = openHome();
});
afterEach(() => {
  home.remove();
  process.umask(umask);
});

const command = '/opt/node/bin/node';
const args = ['/opt/anamnesis/dist/cli.js', 'serve'];

const jsonClients = [
  ['cursor', '.cursor/mcp.json', ['mcpServers'], { command, args }],
  ['gemini', '.gemini/settings.json', ['mcpServers'], { command, args }],
  [
    'opencode',
    '.config/opencode/opencode.json',
    ['mcp'],
    { type: 'local', command: [command, ...args], enabled: true },
  ],
  ['vscode', '.config/Code/User/mcp.json', ['servers'], { type: 'stdio', command, args }],
] as const;

describe.each(jsonClients)('%s', (client, file, [container], entry) => {
  const commented = `{\n  // servers of mine\n  "${container}": {\n    "other": { "command": "x" }, // keep\n  },\n  "theme": "dark"\n}\n`;

  it('gets the server, and no file remains after uninstall', async () => {
    await home.register({ clients: [client] });
    expect(JSON.parse(home.get(file))).toEqual({ [container]: { anamnesis: entry } });
    await home.uninstall();
    expect(Object.values(home.snapshot()).filter((content) => !content.startsWith('folder '))).toEqual([]);
  });
  it('keeps comments, and is restored byte for byte', async () => {
    home.put(file, commented);
    await home.register({ clients: [client] });
    const once = home.snapshot();
    expect(home.get(file)).toContain('"other": { "command": "x" }, // keep');
    await home.register({ clients: [client] });
    expect(home.snapshot()).toEqual(once);
    await home.uninstall([client]);
    expect(home.get(file)).toBe(commented);
  });
  it('keeps later edits, including comments', async () => {
    home.put(file, commented);
    await home.register({ clients: [client] });
    home.put(file, home.get(file).replace('"dark"', '"light" // better'));
    await home.uninstall();
    expect(home.get(file)).toBe(commented.replace('"dark"', '"light" // better'));
  });
  it('refuses a malformed file', async () => {
    home.put(file, '{ "a": }');
    await expect(home.register({ clients: [client] })).rejects.toThrow(/line 1, column 8: value expected/);
    home.put(file, `{ "${container}": 3 }`);
    await expect(home.register({ clients: [client] })).rejects.toThrow(/is not an object/);
    expect(home.get(file)).toBe(`{ "${container}": 3 }`);
  });
  it('keeps what a person added to our entry', async () => {
    home.put(file, JSON.stringify({ [container]: { anamnesis: { ...entry, timeout: 9 } } }));
    const once = home.get(file);
    await home.register({ clients: [client] });
    expect(home.get(file)).toBe(once);
    const older = { ...entry, ...('args' in entry ? { command: '/old' } : { command: ['/old', ...args] }), timeout: 9 };
    home.put(file, JSON.stringify({ [container]: { anamnesis: older } }));
    await home.register({ clients: [client] });
    expect(JSON.parse(home.get(file))).toEqual({ [container]: { anamnesis: { ...entry, timeout: 9 } } });
  });
});

describe('the settings of a client', () => {
  const filesOf = (client: ClientName, platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): readonly string[] =>
    targetsOf(
      client,
      { ...home.surroundings, home: platform === 'win32' ? 'C:\\Users\\Pat' : '/home/pat', platform, environment },
      { name: 'anamnesis', homeArgs: [], scripts: [] },
    ).flatMap(({ files }) => files);

  it.each<[ClientName, NodeJS.Platform, NodeJS.ProcessEnv, readonly string[]]>([
    ['claude-code', 'linux', {}, ['/home/pat/.claude.json', '/home/pat/.claude/settings.json']],
    ['claude-code', 'linux', { CLAUDE_CONFIG_DIR: '/c' }, ['/c/.claude.json', '/c/settings.json']],
    ['claude-code', 'win32', {}, ['C:\\Users\\Pat\\.claude.json', 'C:\\Users\\Pat\\.claude\\settings.json']],
    ['codex', 'linux', {}, ['/home/pat/.codex/config.toml', '/home/pat/.codex/hooks.json']],
    ['codex', 'linux', { CODEX_HOME: '/x' }, ['/x/config.toml', '/x/hooks.json']],
    ['vscode', 'linux', { XDG_CONFIG_HOME: '/xdg' }, ['/xdg/Code/User/mcp.json']],
    ['vscode', 'darwin', {}, ['/home/pat/Library/Application Support/Code/User/mcp.json']],
    ['vscode', 'win32', { APPDATA: 'D:\\Roaming' }, ['D:\\Roaming\\Code\\User\\mcp.json']],
    ['vscode', 'win32', {}, ['C:\\Users\\Pat\\AppData\\Roaming\\Code\\User\\mcp.json']],
    ['gemini', 'win32', {}, ['C:\\Users\\Pat\\.gemini\\settings.json']],
  ])('are found for %s on %s with %j', (client, platform, environment, expected) => {
    expect(filesOf(client, platform, environment)).toEqual(expected);
  });
  it('are in opencode.jsonc if that file exists', async () => {
    home.put('.config/opencode/opencode.jsonc', '{}');
    await home.register({ clients: ['opencode'] });
    expect(home.has('.config/opencode/opencode.json')).toBe(false);
    expect(home.get('.config/opencode/opencode.jsonc')).toContain('anamnesis');
  });
  it('are under mcp.servers if opencode keeps its servers there', async () => {
    home.put('.config/opencode/opencode.json', '{"mcp":{"timeout":9,"servers":{}}}');
    await home.register({ clients: ['opencode'] });
    expect(JSON.parse(home.get('.config/opencode/opencode.json')).mcp).toEqual({
      timeout: 9,
      servers: { anamnesis: { type: 'local', command: [command, ...args], enabled: true } },
    });
  });
});

describe('codex', () => {
  const config = '.codex/config.toml';
  const grown = `# mine
model = "gpt-5" # the big one
notify = [
  ["a"]
]

[mcp_servers.other]
command = "x"

# approvals
[projects."/srv/shop"]
trust_level = "trusted"
since = 2026-01-02T03:04:05Z
huge = 9223372036854775807
`;

  it.each([
    ['a grown file', grown],
    ['no final newline', 'model = "gpt-5"'],
    ['Windows line endings', 'model = "gpt-5"\r\n\r\n[tui]\r\ntheme = "dark"\r\n'],
    ['an empty file', ''],
    ['a text that looks like our table', "note = '''\n[mcp_servers.anamnesis]\n'''\n"],
  ])('gets server and hooks, and is restored byte for byte: %s', async (_, text) => {
    home.put(config, text);
    await home.register({ clients: ['codex'] });
    expect(parse(home.get(config), { integersAsBigInt: 'asNeeded' })).toEqual({
      ...parse(text, { integersAsBigInt: 'asNeeded' }),
      mcp_servers: {
        ...Object(parse(text, { integersAsBigInt: 'asNeeded' }).mcp_servers),
        anamnesis: { command, args },
      },
    });
    expect(home.get(config).startsWith(text)).toBe(true);
    const once = home.snapshot();
    await home.register({ clients: ['codex'] });
    expect(home.snapshot()).toEqual(once);
    await home.uninstall();
    expect(home.get(config)).toBe(text);
    expect(home.has('.codex/hooks.json')).toBe(false);
  });
  it('loses our table from a file edited since, including what Codex wrote below it', async () => {
    home.put(config, grown);
    await home.register({ clients: ['codex'] });
    const approval = '\n[mcp_servers.anamnesis.tools.memory_search]\napproval_mode = "approve"\n';
    home.put(config, `${home.get(config).replace('gpt-5', 'gpt-6')}${approval}\n# after\n[tui]\ntheme = "dark"\n`);
    await home.uninstall();
    expect(home.get(config)).toBe(`${grown.replace('gpt-5', 'gpt-6')}\n# after\n[tui]\ntheme = "dark"\n`);
  });
  it('gets an older entry updated and keeps the rest of its table', async () => {
    const older = `[mcp_servers.anamnesis]\ncommand = "/old"\nargs = ["/opt/anamnesis/dist/cli.js", "serve"]\nenabled_tools = ["memory_search"]\n`;
    home.put(config, older);
    await home.register({ clients: ['codex'] });
    expect(home.get(config)).toBe(older.replace('"/old"', `"${command}"`));
  });
  it.each([
    ['invalid TOML', 'model = \n', /config\.toml can't be read: line 1, column \d+/],
    ['a table given twice', '[a]\n[a]\n', /line 2/],
    ['another server of that name', '[mcp_servers.anamnesis]\ncommand = "python"\n', /names another MCP server/],
    ['servers that are not a table', 'mcp_servers = 3\n', /"mcp_servers" is not a table/],
    ['servers in one line', 'mcp_servers = { other = { command = "x" } }\n', /edited by hand/],
    [
      'an older entry in one line',
      `mcp_servers.anamnesis = { command = "/old", args = ["${args[0]}", "serve"] }\n`,
      /by hand/,
    ],
  ])('refuses %s', async (_, text, message) => {
    home.put(config, text);
    await expect(home.register({ clients: ['codex'] })).rejects.toThrow(message);
    expect(home.get(config)).toBe(text);
    expect(home.has('.codex/hooks.json')).toBe(false);
  });
  it('gets hooks for its own events, each a shell command line', async () => {
    await home.register({ clients: ['codex'], storeHome: home.path("it's here") });
    const { hooks } = JSON.parse(home.get('.codex/hooks.json'));
    expect(Object.keys(hooks)).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'Stop',
      'PreCompact',
      'PostCompact',
      'PermissionRequest',
    ]);
    const line = hooks.Stop[0].hooks[0].command.replace('/opt/node/bin/node', 'printf "%s\\n"');
    expect(execFileSync('sh', ['-c', line], { encoding: 'utf8' }).trimEnd().split('\n')).toEqual([
      '/opt/anamnesis/dist/cli.js',
      'hook',
      'Stop',
      '--home',
      home.path("it's here"),
      '--client',
      'codex',
    ]);
  });
  it('gets paths with spaces quoted for Windows', () => {
    const [hook] = codexHooks(
      {
        ...home.surroundings,
        platform: 'win32',
        execPath: 'C:\\Program Files\\nodejs\\node.exe',
        scriptPath: 'C:\\npm\\anamnesis\\dist\\cli.js',
      },
      { name: 'anamnesis', homeArgs: [] },
    );
    expect(Object(hook?.group['hooks'])[0].command).toBe(
      'cmd /c call "C:\\Program Files\\nodejs\\node.exe" C:\\npm\\anamnesis\\dist\\cli.js hook SessionStart --client codex',
    );
  });
});
