/** One description per client: where it keeps its MCP servers and hooks, and how ours are written there. Pure. */
import { posix, win32 } from 'node:path';
import { type EditResult, editAgain, isObject, readKey } from '../files/edited.js';
import { claudeHooks, codexHooks, editHooks, type HookEntry, listHooks } from './hooks-edit.js';
import type { Part } from './record.js';
import {
  addServer,
  commandLineOf,
  type Listing,
  listServer,
  removeServers,
  type Server,
  type ServerPlace,
} from './server-edit.js';
import type { ClientName, Surroundings } from './surroundings.js';
import { addTomlServer, listTomlServer, removeTomlServers } from './toml-edit.js';

/** One file of a client and our part in it. */
export type Target = {
  readonly client: ClientName;
  readonly part: Part;
  /** In order of preference: the first that exists is used, or the first of all if none does. */
  readonly files: readonly string[];
  /** Events for which hooks are registered. */
  readonly events: readonly string[];
  readonly list: (text: string | undefined) => Listing;
  readonly add: (text: string | undefined) => EditResult;
  readonly remove: (text: string) => EditResult;
};

export type TargetOptions = {
  readonly name: string;
  readonly homeArgs: readonly string[];
  /** Scripts that our entries may start: this one and the one that an earlier init ran from. */
  readonly scripts: readonly string[];
};

type Client = {
  readonly servers: (surroundings: Surroundings) => readonly string[];
  /** Codex keeps its servers in TOML. */
  readonly place:
    | (ServerPlace & { readonly entryOf: (command: string, args: readonly string[]) => Server['entry'] })
    | 'toml';
  readonly hooks?: {
    readonly file: (surroundings: Surroundings) => string;
    readonly wanted: (surroundings: Surroundings, options: TargetOptions) => readonly HookEntry[];
  };
};

const inMcpServers = (): readonly string[] => ['mcpServers'];
const started = (command: string, args: readonly string[]): Server['entry'] => ({ command, args });
const typed = (command: string, args: readonly string[]): Server['entry'] => ({ type: 'stdio', command, args });

/** Folder of Claude Code's settings. */
export const claudeFolder = ({ home, platform, environment }: Surroundings): string => {
  const { join, resolve } = pathsOf(platform);
  return environment['CLAUDE_CONFIG_DIR'] ? resolve(environment['CLAUDE_CONFIG_DIR']) : join(home, '.claude');
};

const pathsOf = (platform: NodeJS.Platform) => (platform === 'win32' ? win32 : posix);

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

const clients: Readonly<Record<ClientName, Client>> = {
  'claude-code': {
    servers: (its) => {
      const folder = its.environment['CLAUDE_CONFIG_DIR'] ? claudeFolder(its) : its.home;
      return [pathsOf(its.platform).join(folder, '.claude.json')];
    },
    // Claude Code ignores a settings file that contains a comment; the other clients accept comments.
    place: { dialect: 'json', containerOf: inMcpServers, entryOf: typed },
    hooks: {
      file: (its) => pathsOf(its.platform).join(claudeFolder(its), 'settings.json'),
      wanted: claudeHooks,
    },
  },
  codex: {
    servers: (its) => [pathsOf(its.platform).join(codexFolder(its), 'config.toml')],
    place: 'toml',
    hooks: { file: (its) => pathsOf(its.platform).join(codexFolder(its), 'hooks.json'), wanted: codexHooks },
  },
  cursor: {
    servers: ({ home, platform }) => [pathsOf(platform).join(home, '.cursor', 'mcp.json')],
    place: { dialect: 'jsonc', containerOf: inMcpServers, entryOf: started },
  },
  gemini: {
    servers: ({ home, platform }) => [pathsOf(platform).join(home, '.gemini', 'settings.json')],
    place: { dialect: 'jsonc', containerOf: inMcpServers, entryOf: started },
  },
  opencode: {
    servers: ({ home, platform, environment }) => {
      const { join } = pathsOf(platform);
      const folder = join(environment['XDG_CONFIG_HOME'] || join(home, '.config'), 'opencode');
      return [join(folder, 'opencode.json'), join(folder, 'opencode.jsonc')];
    },
    place: {
      dialect: 'jsonc',
      // Since version 2, servers are under `mcp.servers`, beside settings for all of them.
      containerOf: (value) => {
        const servers = readKey(readKey(value, 'mcp'), 'servers');
        return isObject(servers) && readKey(servers, 'type') === undefined ? ['mcp', 'servers'] : ['mcp'];
      },
      entryOf: (command, args) => ({ type: 'local', command: [command, ...args], enabled: true }),
    },
  },
  vscode: {
    servers: (its) => [pathsOf(its.platform).join(editorFolder(its), 'Code', 'User', 'mcp.json')],
    place: { dialect: 'jsonc', containerOf: () => ['servers'], entryOf: typed },
  },
};

export const targetsOf = (
  client: ClientName,
  surroundings: Surroundings,
  options: TargetOptions,
): readonly Target[] => {
  const { servers, place, hooks } = clients[client];
  const server = { client, part: 'server', files: servers(surroundings), events: [] } as const;
  const targets: Target[] = [{ ...server, ...serverEdits(place, surroundings, options) }];
  if (hooks === undefined) return targets;
  const wanted = hooks.wanted(surroundings, options);
  targets.push({
    client,
    part: 'hooks',
    files: [hooks.file(surroundings)],
    events: wanted.map(({ event }) => event),
    list: (text) => listHooks(text, options.scripts),
    add: (text) => editHooks(text, wanted, options.scripts),
    remove: (text) => editHooks(text, [], options.scripts),
  });
  return targets;
};

const serverEdits = (
  place: Client['place'],
  { execPath: command, scriptPath }: Surroundings,
  { name, homeArgs, scripts }: TargetOptions,
): Pick<Target, 'list' | 'add' | 'remove'> => {
  const args = [scriptPath, 'serve', ...homeArgs];
  const isOurs = (entry: unknown): boolean => {
    const [, script, verb] = commandLineOf(entry);
    return verb === 'serve' && scripts.some((one) => one !== '' && one === script);
  };
  // Another store may be registered under another name.
  const isOfThisStore = (entry: unknown): boolean =>
    isOurs(entry) && commandLineOf(entry).slice(2).join('\0') === args.slice(1).join('\0');
  const isRemovable = (its: string, entry: unknown): boolean => isOfThisStore(entry) || (isOurs(entry) && its === name);
  const isStale = (its: string, entry: unknown): boolean => its !== name && isOfThisStore(entry);
  if (place === 'toml') {
    return {
      list: (text) => listTomlServer(text, name),
      add: (text) =>
        editAgain(addTomlServer(text, { name, command, args }, isOurs), (added) => removeTomlServers(added, isStale)),
      remove: (text) => removeTomlServers(text, isRemovable),
    };
  }
  const server = { name, entry: place.entryOf(command, args) };
  return {
    list: (text) => listServer(text, place, name),
    add: (text) => editAgain(addServer(text, place, server, isOurs), (added) => removeServers(added, place, isStale)),
    remove: (text) => removeServers(text, place, isRemovable),
  };
};
