/** Where each client keeps its MCP servers and hooks, and how ours are written there. Pure. */
import { posix, win32 } from 'node:path';
import { type EditResult, editTwice, isObject, readKey } from '../files/edited.js';
import type { JsonDialect } from '../files/json-text.js';
import { claudeHooks, codexHooks } from './hook-entries.js';
import { addHooks, removeHooks } from './hooks-edit.js';
import type { Part } from './record.js';
import { addServer, commandLineOf, removeServers, type Server } from './server-edit.js';
import type { ClientName, Surroundings } from './surroundings.js';
import { addTomlServer, removeTomlServers } from './toml-edit.js';

/** One file of a client and our part in it. */
export type Target = {
  readonly client: ClientName;
  readonly part: Part;
  /** In order of preference: the first that exists is used, or the first of all if none does. */
  readonly files: readonly string[];
  readonly add: (text: string | undefined) => EditResult;
  /** `original` is the file's text before our first entry, if known. */
  readonly remove: (text: string, original: string | undefined) => EditResult;
};

export type TargetOptions = {
  /** Name of the MCP server. */
  readonly name: string;
  readonly homeArgs: readonly string[];
  /** Scripts that our entries may start: this one and the one that an earlier init ran from. */
  readonly scripts: readonly string[];
};

export const targetsOf = (
  client: ClientName,
  surroundings: Surroundings,
  options: TargetOptions,
): readonly Target[] => {
  const server = serverTarget(client, surroundings, options);
  const hooks = hooksTarget(client, surroundings, options);
  return hooks === undefined ? [server] : [server, hooks];
};

/** Program and arguments with which clients start the MCP server. */
const serveCommand = ({ execPath, scriptPath }: Surroundings, homeArgs: readonly string[]) =>
  ({ command: execPath, args: [scriptPath, 'serve', ...homeArgs] }) as const;

export const claudeServer = (surroundings: Surroundings, { name, homeArgs }: TargetOptions): Server => ({
  name,
  entry: { type: 'stdio', ...serveCommand(surroundings, homeArgs) },
});

/** Folder of Claude Code's settings. */
export const claudeFolder = ({ home, platform, environment }: Surroundings): string => {
  const { join, resolve } = pathsOf(platform);
  return environment['CLAUDE_CONFIG_DIR'] ? resolve(environment['CLAUDE_CONFIG_DIR']) : join(home, '.claude');
};

const pathsOf = (platform: NodeJS.Platform) => (platform === 'win32' ? win32 : posix);

const serverTarget = (client: ClientName, surroundings: Surroundings, options: TargetOptions): Target => {
  const files = serverFiles(client, surroundings);
  const isOurs = startsOurs(options);
  // Another store may be registered under another name.
  const isOfThisStore = (entry: unknown): boolean =>
    isOurs(entry) && endsWith(commandLineOf(entry), ['serve', ...options.homeArgs]);
  const isRemovable = (name: string, entry: unknown): boolean =>
    isOfThisStore(entry) || (isOurs(entry) && name === options.name);
  const isStale = (name: string, entry: unknown): boolean => name !== options.name && isOfThisStore(entry);
  if (client === 'codex') {
    const server = { name: options.name, ...serveCommand(surroundings, options.homeArgs) };
    return {
      client,
      part: 'server',
      files,
      add: (text) =>
        editTwice(
          text,
          (given) => removeTomlServers(given, isStale),
          (given) => addTomlServer(given, server, isOurs),
        ),
      remove: (text) => removeTomlServers(text, isRemovable),
    };
  }
  const place = { dialect: dialectOf(client), containerOf: containersOf[client] };
  const server = { name: options.name, entry: serverEntry(client, surroundings, options) };
  return {
    client,
    part: 'server',
    files,
    add: (text) =>
      editTwice(
        text,
        (given) => removeServers(given, place, isStale, given),
        (given) => addServer(given, place, server, isOurs),
      ),
    remove: (text, original) => removeServers(text, place, isRemovable, original),
  };
};

const hooksTarget = (client: ClientName, surroundings: Surroundings, options: TargetOptions): Target | undefined => {
  const { join } = pathsOf(surroundings.platform);
  const targetFor = (file: string, wanted: ReturnType<typeof claudeHooks>): Target => ({
    client,
    part: 'hooks',
    files: [file],
    add: (text) => addHooks(text, wanted, options.scripts),
    remove: (text, original) => removeHooks(text, original, options.scripts),
  });
  if (client === 'claude-code') {
    return targetFor(join(claudeFolder(surroundings), 'settings.json'), claudeHooks(surroundings, options));
  }
  if (client !== 'codex') return undefined;
  return targetFor(join(codexFolder(surroundings), 'hooks.json'), codexHooks(surroundings, options));
};

const serverFiles = (client: ClientName, surroundings: Surroundings): readonly string[] => {
  const { home, platform, environment } = surroundings;
  const { join } = pathsOf(platform);
  switch (client) {
    case 'claude-code':
      return [join(environment['CLAUDE_CONFIG_DIR'] ? claudeFolder(surroundings) : home, '.claude.json')];
    case 'codex':
      return [join(codexFolder(surroundings), 'config.toml')];
    case 'cursor':
      return [join(home, '.cursor', 'mcp.json')];
    case 'gemini':
      return [join(home, '.gemini', 'settings.json')];
    case 'opencode':
      return ['opencode.json', 'opencode.jsonc'].map((file) =>
        join(environment['XDG_CONFIG_HOME'] || join(home, '.config'), 'opencode', file),
      );
    case 'vscode':
      return [join(editorFolder(surroundings), 'Code', 'User', 'mcp.json')];
  }
};

const codexFolder = ({ home, platform, environment }: Surroundings): string => {
  const { join, resolve } = pathsOf(platform);
  return environment['CODEX_HOME'] ? resolve(environment['CODEX_HOME']) : join(home, '.codex');
};

const editorFolder = ({ home, platform, environment }: Surroundings): string => {
  const { join } = pathsOf(platform);
  if (platform === 'win32') return environment['APPDATA'] || join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return environment['XDG_CONFIG_HOME'] || join(home, '.config');
};

/** Claude Code ignores a settings file that contains a comment; the other clients accept comments. */
const dialectOf = (client: ClientName): JsonDialect => (client === 'claude-code' ? 'json' : 'jsonc');

type JsonClient = Exclude<ClientName, 'codex'>;

const containersOf: Readonly<Record<JsonClient, (value: unknown) => readonly string[]>> = {
  'claude-code': () => ['mcpServers'],
  cursor: () => ['mcpServers'],
  gemini: () => ['mcpServers'],
  // Since version 2, servers are under `mcp.servers`, beside settings for all of them.
  opencode: (value) => {
    const servers = readKey(readKey(value, 'mcp'), 'servers');
    return isObject(servers) && readKey(servers, 'type') === undefined ? ['mcp', 'servers'] : ['mcp'];
  },
  vscode: () => ['servers'],
};

const serverEntry = (client: JsonClient, surroundings: Surroundings, options: TargetOptions): Server['entry'] => {
  const { command, args } = serveCommand(surroundings, options.homeArgs);
  switch (client) {
    case 'claude-code':
    case 'vscode':
      return claudeServer(surroundings, options).entry;
    case 'cursor':
    case 'gemini':
      return { command, args };
    case 'opencode':
      return { type: 'local', command: [command, ...args], enabled: true };
  }
};

const startsOurs =
  ({ scripts }: TargetOptions) =>
  (entry: unknown): boolean => {
    const [, script, verb] = commandLineOf(entry);
    return verb === 'serve' && scripts.some((one) => one !== '' && one === script);
  };

const endsWith = (line: readonly unknown[], end: readonly string[]): boolean =>
  line.length === end.length + 2 && end.every((word, at) => line[at + 2] === word);
