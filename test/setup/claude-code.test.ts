import { chmodSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hooksAreRegistered } from '../../src/setup/registered.js';
import { grownSettings, type Home, openHome } from './support.js';

const settings = '.claude/settings.json';
let home: Home;
beforeEach(() => {
  home = openHome();
});
afterEach(() => home.remove());

const texts = [
  ['a settings file grown over months', grownSettings],
  ['Windows line endings', '{\r\n  "model": "opus",\r\n  "hooks": {}\r\n}\r\n'],
  ['an empty file', ''],
  ['a file of one newline', '\n'],
  ['an empty object', '{}'],
  ['an empty object over two lines', '{\n}\n'],
  ['one line', '{"model":"opus","hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}'],
  ['tabs', '{\n\t"model": "opus"\n}\n'],
  ['a byte order mark', '\ufeff{\n  "model": "opus"\n}\n'],
  [
    'keys that reach for the prototype',
    '{\n  "__proto__": { "a": 1 },\n  "constructor": 2,\n  "hooks": { "__proto__": [] }\n}\n',
  ],
  ['keys given twice', '{\n  "model": "a",\n  "model": "b",\n  "hooks": {},\n  "hooks": { "Stop": [] }\n}\n'],
] as const;

/** Formats settings as Claude Code saves them: in its own layout, without the keys that it does not know. */
const savedByTheClient = (text: string): string =>
  `${JSON.stringify(
    JSON.parse(text, (key: string, value: unknown) => (key === '_managed_by' ? undefined : value)),
    null,
    2,
  )}\n`;

describe('after the client saved its settings without our marks', () => {
  const handlersOf = (event: string): readonly unknown[] =>
    JSON.parse(home.get(settings)).hooks[event].flatMap(({ hooks }: { hooks: readonly unknown[] }) => hooks);
  beforeEach(async () => {
    home.put(settings, grownSettings);
    await home.register();
    home.put(settings, savedByTheClient(home.get(settings)));
  });
  it('init registers no hook a second time', async () => {
    const before = handlersOf('Stop').length;
    await home.register();
    expect(handlersOf('Stop')).toHaveLength(before);
    expect(JSON.stringify(handlersOf('Stop'))).toContain('_managed_by');
  });
  it('uninstall removes all our hooks and keeps the others', async () => {
    await home.uninstall();
    expect(home.get(settings)).not.toContain('/opt/anamnesis');
    expect(JSON.parse(home.get(settings))).toEqual(JSON.parse(grownSettings));
  });
});

describe('init and uninstall on settings.json', () => {
  it.each(texts)('restore the same bytes: %s', async (_, text) => {
    home.put(settings, text);
    await home.register();
    const written = home.get(settings);
    expect(JSON.parse(written.replace(/^\ufeff/, '')).hooks.SessionStart).toEqual([
      {
        hooks: [
          {
            type: 'command',
            command: '/opt/node/bin/node',
            args: ['/opt/anamnesis/dist/cli.js', 'hook', 'SessionStart'],
            timeout: 10,
            _managed_by: 'anamnesis',
          },
        ],
        _managed_by: 'anamnesis',
      },
    ]);
    await home.uninstall();
    expect(home.get(settings)).toBe(text);
  });
  it.each(texts)('write the same when init runs twice: %s', async (_, text) => {
    home.put(settings, text);
    await home.register();
    const once = home.snapshot();
    const registrations = await home.register();
    expect(home.snapshot()).toEqual(once);
    expect(registrations.map(({ change }) => change)).toEqual(['none', 'none']);
  });
  it('restore the same bytes for any object with any indentation', async () => {
    const indentation = fc.constantFrom('', ' ', '  ', '    ', '\t', '          ');
    const end = fc.constantFrom('', '\n', '\n\n', ' ');
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), indentation, end, async (value, unit, rest) => {
        const { hooks: _, ...others } = value;
        const text = JSON.stringify(others, null, unit) + rest;
        home.put(settings, text);
        await home.register({ parts: ['hooks'] });
        expect(home.get(settings)).not.toBe(text);
        await home.uninstall(['claude-code']);
        expect(home.get(settings)).toBe(text);
      }),
      { numRuns: 25 },
    );
  });
  it('keep order, indentation and foreign hooks of the file', async () => {
    home.put(settings, grownSettings);
    await home.register();
    const written = home.get(settings);
    const [head = '', tail = ''] = grownSettings.split('\n        "PreToolUse"');
    expect(written.startsWith(head.slice(0, head.lastIndexOf('\n        ]')))).toBe(true);
    expect(written.endsWith(tail.slice(tail.indexOf('"env"')))).toBe(true);
    const [was, is] = [JSON.parse(grownSettings), JSON.parse(written)];
    expect(is.hooks.Stop[0]).toEqual(was.hooks.Stop[0]);
    expect(is.hooks.PreToolUse).toEqual(was.hooks.PreToolUse);
    expect(Object.keys(is)).toEqual(Object.keys(was));
    expect(is.hooks.Stop).toHaveLength(2);
    expect(written).toContain(
      '\n            {\n                "hooks": [\n                    {\n                        "type"',
    );
  });
  it('register every event with its timeout, and permission only for our tools', async () => {
    await home.register({ name: 'mem' });
    const { hooks } = JSON.parse(home.get(settings));
    const seconds = Object.entries(hooks).map(([event, groups]) => [event, Object(groups)[0].hooks[0].timeout]);
    expect(Object.fromEntries(seconds)).toEqual({
      SessionStart: 10,
      UserPromptSubmit: 10,
      Stop: 10,
      PreCompact: 60,
      PostCompact: 60,
      SessionEnd: 10,
      SubagentStart: 10,
      SubagentStop: 10,
      PermissionRequest: 5,
    });
    expect(hooks.PermissionRequest[0].matcher).toBe('mcp__mem__.*');
    expect(hooks.PermissionRequest[0].hooks[0].args.slice(1)).toEqual(['hook', 'PermissionRequest', '--server', 'mem']);
    expect(Object.keys(hooks).filter((event) => hooks[event][0].matcher !== undefined)).toEqual(['PermissionRequest']);
  });
  it('pass the path of the store if it is not the default one', async () => {
    await home.register({ storeHome: home.path('elsewhere') });
    expect(JSON.parse(home.get(settings)).hooks.Stop[0].hooks[0].args).toEqual([
      '/opt/anamnesis/dist/cli.js',
      'hook',
      'Stop',
      '--home',
      home.path('elsewhere'),
    ]);
    expect(JSON.parse(home.get('.claude.json')).mcpServers.anamnesis.args.slice(1)).toEqual([
      'serve',
      '--home',
      home.path('elsewhere'),
    ]);
  });
  it('edit the file that a link points to, and keep the link', async () => {
    home.put('dotfiles/claude.json', grownSettings);
    mkdirSync(home.path('.claude'));
    symlinkSync('../dotfiles/claude.json', home.path('.claude', 'settings.json'));
    await home.register();
    expect(home.snapshot()[settings]).toBe('link ../dotfiles/claude.json');
    expect(JSON.parse(home.get('dotfiles/claude.json')).hooks.SessionEnd).toHaveLength(1);
    await home.uninstall();
    expect(home.get('dotfiles/claude.json')).toBe(grownSettings);
    expect(home.snapshot()[settings]).toBe('link ../dotfiles/claude.json');
  });
  it('create the file that a dangling link points to, and remove it again', async () => {
    mkdirSync(home.path('.claude'));
    symlinkSync('../dotfiles/claude.json', home.path('.claude', 'settings.json'));
    await home.register();
    expect(home.has('dotfiles/claude.json')).toBe(true);
    await home.uninstall();
    expect(home.has('dotfiles/claude.json')).toBe(false);
    expect(home.snapshot()[settings]).toBe('link ../dotfiles/claude.json');
  });
  it('keep the mode of the file', async () => {
    home.put(settings, '{}');
    chmodSync(home.path(settings), 0o640);
    await home.register();
    expect(statSync(home.path(settings)).mode & 0o777).toBe(0o640);
    await home.uninstall();
    expect(statSync(home.path(settings)).mode & 0o777).toBe(0o640);
  });
  it('remove the files that init made', async () => {
    await home.register();
    expect(home.has(settings)).toBe(true);
    expect(hooksAreRegistered(home.store)).toBe(true);
    await home.uninstall();
    expect(home.has(settings)).toBe(false);
    expect(home.has('.claude.json')).toBe(false);
    expect(hooksAreRegistered(home.store)).toBe(false);
  });
  it('keep a file that init made if the client has written to it since', async () => {
    await home.register();
    home.put(settings, `${JSON.stringify(JSON.parse(home.get(settings)))}\n`);
    const removals = await home.uninstall();
    expect(removals.find(({ file }) => file.endsWith('settings.json'))).toMatchObject({ change: 'edit' });
    expect(JSON.parse(home.get(settings))).toEqual({});
  });
  it('back up the original in the store, readable by its owner only', async () => {
    home.put(settings, grownSettings);
    await home.register();
    const backup = Object.entries(home.snapshot()).find(([name]) => /setup\/backups\/.*-settings\.json$/.test(name));
    expect(backup?.[1]).toBe(`600 ${Buffer.from(grownSettings).toString('latin1')}`);
  });
});

describe('uninstall after someone edited the file', () => {
  it('removes only our entries', async () => {
    home.put(settings, grownSettings);
    await home.register();
    const edited = home
      .get(settings)
      .replace('"model": "opus"', '"model": "haiku"')
      .replace('"ratio": 1.0\n', '"ratio": 1.0,\n    "theme": "dark"\n');
    home.put(settings, edited);
    const removals = await home.uninstall();
    expect(removals.find(({ part }) => part === 'hooks')?.change).toBe('edit');
    expect(home.get(settings)).toBe(
      grownSettings.replace('"opus"', '"haiku"').replace('"ratio": 1.0\n', '"ratio": 1.0,\n    "theme": "dark"\n'),
    );
  });
  it('keeps foreign handlers in our groups, and in groups that one of ours was moved to', async () => {
    await home.register();
    const value = JSON.parse(home.get(settings));
    const foreign = { type: 'command', command: 'chime' };
    value.hooks.Stop[0].hooks.push(foreign);
    value.hooks.PreToolUse = [{ matcher: 'Bash', hooks: [foreign, value.hooks.SessionStart[0].hooks[0]] }];
    home.put(settings, JSON.stringify(value));
    await home.uninstall();
    expect(JSON.parse(home.get(settings))).toEqual({
      hooks: { Stop: [{ hooks: [foreign] }], PreToolUse: [{ matcher: 'Bash', hooks: [foreign] }] },
    });
  });
  it('also keeps edits made between two inits', async () => {
    home.put(settings, grownSettings);
    await home.register();
    home.put(settings, home.get(settings).replace('"opus"', '"haiku"'));
    await home.register({ name: 'other' });
    await home.uninstall();
    expect(home.get(settings)).toBe(grownSettings.replace('"opus"', '"haiku"'));
  });
  it('restores the first original when init ran twice with different options', async () => {
    home.put(settings, grownSettings);
    home.put('.claude.json', '{"numStartups":3}');
    await home.register();
    await home.register({ name: 'other' });
    expect(JSON.parse(home.get('.claude.json')).mcpServers).toEqual({ other: expect.anything() });
    await home.uninstall();
    expect(home.get(settings)).toBe(grownSettings);
    expect(home.get('.claude.json')).toBe('{"numStartups":3}');
  });
  it('finds our entries by their marks when the record is lost', async () => {
    home.put(settings, grownSettings);
    await home.register();
    home.put('.anamnesis/setup/record.json', '{ broken');
    await home.uninstall();
    expect(home.get(settings)).toBe(grownSettings);
    expect(home.get('.claude.json')).toBe('{}\n');
  });
  it('does nothing a second time', async () => {
    home.put(settings, grownSettings);
    await home.register();
    await home.uninstall();
    const once = home.snapshot();
    expect(await home.uninstall()).toEqual([]);
    expect(home.snapshot()).toEqual(once);
  });
  it('reports nothing and makes no store if nothing was registered', async () => {
    home.put(settings, 'not json');
    expect(await home.uninstall()).toEqual([]);
    expect(home.has('.anamnesis')).toBe(false);
  });
  it('refuses a file that has become unparsable, and says where', async () => {
    home.put(settings, grownSettings);
    await home.register();
    home.put(settings, `${home.get(settings)},`);
    const before = home.snapshot();
    expect(await home.tryUninstall()).toMatchObject({
      code: 'file-unparsable',
      message: expect.stringMatching(/line \d+, column \d+/),
    });
    expect(home.snapshot()).toEqual(before);
  });
});

describe('init refuses, without changing anything,', () => {
  it.each([
    [
      'a trailing comma',
      '{\n  "model": "opus",\n}',
      'file-unparsable',
      /settings\.json can't be read: line 3, column 1: /,
    ],
    ['a comment', '{\n  // mine\n  "a": 1\n}', 'file-unparsable', /line 2, column 3/],
    ['a truncated file', '{\n  "model": "op', 'file-unparsable', /line 2/],
    ['garbage', '\u0000\u0001garbage', 'file-unparsable', /line 1/],
    ['a list', '[1, 2]', 'file-shape', /is not a JSON object/],
    ['hooks that are not an object', '{"hooks": []}', 'file-shape', /"hooks" is not an object/],
    ['an event that is not a list', '{"hooks": {"Stop": {}}}', 'file-shape', /"hooks.Stop" is not a list/],
    ['endless brackets', '['.repeat(100_000), 'file-unparsable', /nested more than/],
    ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 'file-unusable', /not valid UTF-8/],
  ])('%s', async (_, text, code, message) => {
    home.put(settings, text);
    const before = home.snapshot();
    expect(await home.tryInit()).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(await home.tryInit()).toMatchObject({ message: expect.stringMatching(/nothing was changed$/) });
    expect(home.snapshot()).toEqual(before);
    expect(home.has('.anamnesis')).toBe(false);
  });
  it.each([
    ['a folder in its place', () => mkdirSync(home.path(settings), { recursive: true })],
    ['circular links', () => [mkdirSync(home.path('.claude')), symlinkSync('settings.json', home.path(settings))]],
    ['a file where a folder should be', () => home.put('.claude', 'a file')],
  ])('%s', async (_, prepare) => {
    prepare();
    expect(await home.tryInit()).toMatchObject({ code: 'file-unusable' });
    expect(home.has('.anamnesis')).toBe(false);
  });
  it('another server of that name', async () => {
    home.put('.claude.json', '{"mcpServers":{"anamnesis":{"command":"python","args":["-m","anamnesis"]}}}');
    const before = home.snapshot();
    expect(await home.tryInit()).toMatchObject({ code: 'name-taken', next: expect.stringContaining('--name') });
    expect(home.snapshot()).toEqual(before);
    await home.register({ name: 'anamnesis2' });
    await home.uninstall();
    expect(home.get('.claude.json')).toBe(
      '{"mcpServers":{"anamnesis":{"command":"python","args":["-m","anamnesis"]}}}',
    );
  });
});

describe('a file as large as Claude Code lets it grow', () => {
  it('is edited in place', async () => {
    const history = Array.from({ length: 20_000 }, (_, at) => ({ at, display: 'x'.repeat(200) }));
    const text = JSON.stringify({ projects: { '/srv/shop': { history } }, numStartups: 7 }, null, 2);
    home.put('.claude.json', text);
    await home.register({ parts: ['server'] });
    expect(JSON.parse(home.get('.claude.json')).mcpServers.anamnesis.command).toBe('/opt/node/bin/node');
    await home.uninstall();
    expect(home.get('.claude.json')).toBe(text);
  });
});
