/** Finds our entries in the clients' own settings files. */
import { existsSync } from 'node:fs';
import { type EditResult, isObject, openObject, readKey, readPath, refuseEdit } from '../files/edited.js';
import { isRefusal, readFileState, textOf } from '../files/settings-file.js';
import { targetsOf } from './clients.js';
import { claudeHooks, codexHooks } from './hook-entries.js';
import { isOurHook } from './hooks-edit.js';
import { homeArgsOf } from './read-surroundings.js';
import { type Part, readRecord, recordOf, scriptsOf } from './record.js';
import { commandLineOf } from './server-edit.js';
import { type ClientName, clientNames, defaultServerName, type Surroundings } from './surroundings.js';
import { removeTomlServers } from './toml-edit.js';

/** A program and its arguments, or a shell command line. */
export type CommandLine = readonly string[] | string;

export type Entry = {
  /** The event of a hook; '' for a server. */
  readonly event: string;
  readonly line: CommandLine;
};

export type RegisteredPart = {
  readonly client: ClientName;
  readonly part: Part;
  readonly file: string;
  /** Name of the MCP server. */
  readonly name: string;
  /** Why the file can't be read; there are no entries then. */
  readonly unreadable: string | undefined;
  readonly entries: readonly Entry[];
  /** Events that init would register. */
  readonly wanted: readonly string[];
};

/** Returns the parts in init's record, and parts found in the files even though the record was lost. */
export const findRegistered = (storeHome: string, surroundings: Surroundings): readonly RegisteredPart[] => {
  const record = readRecord(storeHome);
  const homeArgs = homeArgsOf(storeHome, surroundings);
  return clientNames.flatMap((client) => {
    const scripts = [surroundings.scriptPath, ...scriptsOf(record, client)];
    return (['server', 'hooks'] as const).flatMap((part) => {
      const known = recordOf(record, client, part);
      const name = (known ?? recordOf(record, client, 'server'))?.name ?? defaultServerName;
      const target = targetsOf(client, surroundings, { name, homeArgs, scripts }).find((one) => one.part === part);
      if (target === undefined) return [];
      const file = known?.file ?? target.files.find((one) => existsSync(one)) ?? target.files[0] ?? '';
      const read = readEntries(file, client, part, name, scripts);
      const isThere = typeof read !== 'string' && read.length > 0;
      if (known === undefined && !isThere) return [];
      return [
        {
          client,
          part,
          file,
          name,
          unreadable: typeof read === 'string' ? read.replace(/; nothing was changed$/, '') : undefined,
          entries: typeof read === 'string' ? [] : read,
          wanted: part === 'hooks' ? wantedEvents(client, surroundings, name, homeArgs) : [],
        },
      ];
    });
  });
};

const wantedEvents = (
  client: ClientName,
  surroundings: Surroundings,
  name: string,
  homeArgs: readonly string[],
): readonly string[] => {
  const hooksOf = client === 'codex' ? codexHooks : claudeHooks;
  return hooksOf(surroundings, { name, homeArgs }).map(({ event }) => event);
};

/** Returns a string that says why if the file can't be read. */
const readEntries = (
  file: string,
  client: ClientName,
  part: Part,
  name: string,
  scripts: readonly string[],
): readonly Entry[] | string => {
  const state = readFileState(file);
  const read = isRefusal(state) ? state : textOf(state);
  if (isRefusal(read)) return read.message;
  if (client === 'codex' && part === 'server') {
    const servers = new Map<string, unknown>();
    const visited = removeTomlServers(read.text ?? '', (one, entry) => {
      servers.set(one, entry);
      return false;
    });
    return visited.ok ? serverEntries(servers.get(name)) : explain(file, visited);
  }
  const opened = openObject(read.text, client === 'claude-code' || part === 'hooks' ? 'json' : 'jsonc');
  if (!opened.ok) return explain(file, opened);
  const { value } = opened.document;
  return part === 'hooks'
    ? hookEntries(value, scripts)
    : containers.flatMap((path) => serverEntries(readPath(value, [...path, name])));
};

const explain = (file: string, { problem }: Extract<EditResult, { readonly ok: false }>): string =>
  refuseEdit(file, problem).message;

/** Paths under which the clients keep servers by name. */
const containers = [['mcpServers'], ['servers'], ['mcp'], ['mcp', 'servers']] as const;

const serverEntries = (entry: unknown): readonly Entry[] => {
  const line = commandLineOf(entry).map(String);
  return isObject(entry) && line[2] === 'serve' ? [{ event: '', line }] : [];
};

const hookEntries = (value: unknown, scripts: readonly string[]): readonly Entry[] => {
  const hooks = readKey(value, 'hooks');
  return Object.entries(isObject(hooks) ? hooks : {}).flatMap(([event, groups]) =>
    listOf(groups)
      .flatMap((group) => listOf(readKey(group, 'hooks')))
      .filter((handler) => isOurHook(handler, scripts))
      .map((handler) => ({ event, line: lineOf(handler) })),
  );
};

/** A handler without `args` is a shell command line. */
export const lineOf = (handler: unknown): CommandLine =>
  Array.isArray(readKey(handler, 'args'))
    ? commandLineOf(handler).map(String)
    : String(readKey(handler, 'command') ?? '');

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The store that an entry names; undefined if it uses the default store. */
export const namedStoreOf = (line: CommandLine): string | undefined => {
  const words = wordsOf(line);
  const at = words.indexOf('--home');
  return at === -1 ? undefined : words[at + 1];
};

/** Splits a shell command line into words; understands only the quoting that init writes. */
export const wordsOf = (line: CommandLine): readonly string[] =>
  typeof line !== 'string'
    ? line
    : [...line.matchAll(/'((?:[^']|'\\'')*)'|(\S+)/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll(`'\\''`, `'`) ?? plain ?? '',
      );
