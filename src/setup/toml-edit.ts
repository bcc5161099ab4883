/** Our MCP server in Codex's config.toml, edited as text so that comments and order stay. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { parse, TomlError } from 'smol-toml';
import { type Edit, type EditResult, isObject, readKey, readPath } from '../files/edited.js';
import { commandLineOf, describeServer, entriesOf, type IsOurs, type Listing } from './server-edit.js';

export type TomlServer = { readonly name: string; readonly command: string; readonly args: readonly string[] };

const note = '# Added by `anamnesis init`; `anamnesis uninstall` takes it away.';

/** A server's name has only letters, digits, `_` and `-`, so it is a valid bare key. */
export const addTomlServer = (text: string | undefined, server: TomlServer, isOurs: IsOurs): EditResult => {
  const given = text ?? '';
  const parsed = parseToml(given);
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  const { name, command, args } = server;
  const servers = readKey(value, 'mcp_servers');
  if (servers !== undefined && !isObject(servers)) return shape('"mcp_servers" is not a table');
  const existing = readKey(servers, name);
  const unchanged: Edit = { text: given, added: [], removed: [], hadOurs: true };
  if (existing !== undefined) {
    if (isDeepStrictEqual(commandLineOf(existing), [command, ...args])) return { ok: true, edit: unchanged };
    if (!isOurs(existing)) return { ok: false, problem: { kind: 'name-taken', name } };
  }
  const edited = existing === undefined ? appendSection(given, server) : replaceStart(given, server);
  const entry = { ...(isObject(existing) ? existing : {}), command, args };
  const wanted = { ...value, mcp_servers: { ...(isObject(servers) ? servers : {}), [name]: entry } };
  const edit = {
    text: edited,
    added: [describe(name, entry)],
    removed: existing === undefined ? [] : [describe(name, existing)],
    hadOurs: existing !== undefined,
  };
  return verified(edit, wanted, name);
};

/** Also removes the tables below each server, such as the approvals that Codex writes there. */
export const removeTomlServers = (text: string, isOurs: (name: string, entry: unknown) => boolean): EditResult => {
  const parsed = parseToml(text);
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  const servers = readKey(value, 'mcp_servers');
  const ours = isObject(servers) ? Object.entries(servers).filter(([name, entry]) => isOurs(name, entry)) : [];
  const edited = ours.reduce((rest, [name]) => removeSections(rest, name), text);
  const wanted = ours.reduce<unknown>((rest, [name]) => withoutServer(rest, name), value);
  const removed = ours.map(([name, entry]) => describe(name, entry));
  const edit = { text: edited, added: [], removed, hadOurs: ours.length > 0 };
  return verified(edit, wanted, ours[0]?.[0] ?? '');
};

export const listTomlServer = (text: string | undefined, name: string): Listing => {
  const parsed = parseToml(text ?? '');
  return parsed.ok ? { ok: true, entries: entriesOf(readPath(parsed.value, ['mcp_servers', name])) } : parsed;
};

const appendSection = (text: string, { name, command, args }: TomlServer): string => {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
  return text + gap + [note, `[mcp_servers.${name}]`, ...startLines({ command, args }), ''].join(eol);
};

/** A JSON string is a valid basic string in TOML, and a list of them a valid array. */
const startLines = ({ command, args }: Pick<TomlServer, 'command' | 'args'>): readonly string[] => [
  `command = ${JSON.stringify(command)}`,
  `args = [${args.map((arg) => JSON.stringify(arg)).join(', ')}]`,
];

const replaceStart = (text: string, server: TomlServer): string => {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => isHeaderOf(server.name, line, 'itself'));
  if (start === -1) return text;
  const next = lines.findIndex((line, at) => at > start && isHeader(line));
  const [command = '', args = ''] = startLines(server);
  return lines
    .map((line, at) => {
      if (at <= start || (next !== -1 && at >= next)) return line;
      const end = line.endsWith('\r') ? '\r' : '';
      if (/^\s*command\s*=/.test(line)) return command + end;
      return /^\s*args\s*=/.test(line) ? args + end : line;
    })
    .join('\n');
};

const removeSections = (text: string, name: string): string => {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => isHeaderOf(name, line, 'or below'));
  if (start === -1) return text;
  const next = lines.findIndex((line, at) => at > start && isHeader(line));
  let end = next === -1 ? lines.length : next;
  // Comments right before the next table belong to that table.
  while (end > start + 1 && /^\s*(?:#.*)?$/.test(lines[end - 1] ?? '')) end -= 1;
  const top = lines[start - 1]?.trim() === note ? start - 1 : start;
  const first = lines[top - 1]?.trim() === '' ? top - 1 : top;
  return removeSections([...lines.slice(0, first), ...lines.slice(end)].join('\n'), name);
};

const isHeader = (line: string): boolean => /^\s*\[/.test(line);

const isHeaderOf = (name: string, line: string, which: 'itself' | 'or below'): boolean => {
  const key = (text: string): string => `(?:${text}|"${text}"|'${text}')`;
  const below = which === 'itself' ? '' : String.raw`(?:\s*\.[^\]]*)?`;
  const pattern = String.raw`^\s*\[\s*${key('mcp_servers')}\s*\.\s*${key(name)}${below}\s*\]\s*(?:#.*)?$`;
  return new RegExp(pattern).test(line);
};

const parseToml = (
  text: string,
):
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | Extract<EditResult, { readonly ok: false }> => {
  try {
    return { ok: true, value: parse(text, { integersAsBigInt: 'asNeeded' }) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const { line, column } = error;
    const what = (error.message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '');
    return { ok: false, problem: { kind: 'unparsable', problem: { line, column, what } } };
  }
};

/** Refuses the edit unless the text parses to exactly the wanted value. */
const verified = (edit: Edit, wanted: unknown, name: string): EditResult => {
  const parsed = parseToml(edit.text);
  // An empty table of servers means the same as no table.
  const normalise = (value: unknown): unknown => plain(withoutServer(value, ''));
  if (parsed.ok && isDeepStrictEqual(normalise(parsed.value), normalise(wanted))) return { ok: true, edit };
  return shape(`"mcp_servers.${name}" is in a form that can only be edited by hand`);
};

/** Also without the table of servers if that is empty then. */
const withoutServer = (value: unknown, name: string): unknown => {
  const { mcp_servers: servers, ...rest } = isObject(value) ? value : {};
  if (!isObject(servers)) return value;
  const { [name]: _, ...others } = servers;
  return Object.keys(others).length === 0 ? rest : { ...rest, mcp_servers: others };
};

/** Copies into plain objects: some of the parser's tables have a prototype and some have none. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value) || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, its]) => [key, plain(its)]));
};

const shape = (what: string): Extract<EditResult, { readonly ok: false }> => ({
  ok: false,
  problem: { kind: 'shape', what },
});

const describe = (name: string, entry: unknown): string => describeServer(['mcp_servers', name], entry);
