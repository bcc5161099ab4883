/** Our MCP server in a client's JSON: `{"<container>": {"<name>": entry}}`. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { type EditProblem, type EditResult, isObject, openObject, readKey, readPath } from '../files/edited.js';
import { removeValue, setValue } from '../files/json-edit.js';
import type { JsonDialect } from '../files/json-text.js';

/** A program and its arguments, or a shell command line. */
export type CommandLine = readonly string[] | string;

export type Entry = {
  /** The event of a hook; '' for a server. */
  readonly event: string;
  readonly line: CommandLine;
};

/** Our entries in a file, or why it can't be read. */
export type Listing =
  | { readonly ok: true; readonly entries: readonly Entry[] }
  | { readonly ok: false; readonly problem: EditProblem };

export type ServerPlace = {
  readonly dialect: JsonDialect;
  /** Path of the object that holds servers by name; it may depend on the file's existing form. */
  readonly containerOf: (value: unknown) => readonly string[];
};

export type Server = {
  readonly name: string;
  readonly entry: Readonly<Record<string, unknown>>;
};

/** Whether an entry starts our server, from this installation or the one that an earlier init ran from. */
export type IsOurs = (entry: unknown) => boolean;

/** Updates an entry of ours that has another command line, and keeps keys that a person added to it. */
export const addServer = (
  text: string | undefined,
  { dialect, containerOf }: ServerPlace,
  { name, entry }: Server,
  isOurs: IsOurs,
): EditResult => {
  const opened = openObject(text, dialect);
  if (!opened.ok) return opened;
  const { value } = opened.document;
  const container = containerOf(value);
  const shape = problemOf(value, container);
  if (shape !== undefined) return { ok: false, problem: { kind: 'shape', what: shape } };
  const path = [...container, name];
  const existing = readPath(value, path);
  if (startsSame(existing, entry)) {
    return { ok: true, edit: { text: opened.close(opened.document), added: [], removed: [], hadOurs: true } };
  }
  if (existing !== undefined && !isOurs(existing)) return { ok: false, problem: { kind: 'name-taken', name } };
  const edited =
    existing === undefined
      ? setValue(opened.document, path, entry)
      : startKeys.reduce(
          (document, key) => (Object.hasOwn(entry, key) ? setValue(document, [...path, key], entry[key]) : document),
          opened.document,
        );
  const edit = {
    text: opened.close(edited),
    added: [describeServer(path, readPath(edited.value, path))],
    removed: existing === undefined ? [] : [describeServer(path, existing)],
    hadOurs: existing !== undefined,
  };
  return { ok: true, edit };
};

/** Also removes the container if that empties it. */
export const removeServers = (
  text: string,
  { dialect, containerOf }: ServerPlace,
  isOurs: (name: string, entry: unknown) => boolean,
): EditResult => {
  const opened = openObject(text, dialect);
  if (!opened.ok) return opened;
  const { value } = opened.document;
  const container = containerOf(value);
  const servers = readPath(value, container);
  const ours = isObject(servers) ? Object.entries(servers).filter(([name, entry]) => isOurs(name, entry)) : [];
  let edited = ours.reduce((document, [name]) => removeValue(document, [...container, name]), opened.document);
  for (let depth = container.length; ours.length > 0 && depth > 0; depth -= 1) {
    const outer = container.slice(0, depth);
    const left = readPath(edited.value, outer);
    if (!isObject(left) || Object.keys(left).length > 0) break;
    edited = removeValue(edited, outer);
  }
  const removed = ours.map(([name, entry]) => describeServer([...container, name], entry));
  return { ok: true, edit: { text: opened.close(edited), added: [], removed, hadOurs: ours.length > 0 } };
};

export const listServer = (text: string | undefined, { dialect, containerOf }: ServerPlace, name: string): Listing => {
  const opened = openObject(text, dialect);
  if (!opened.ok) return opened;
  const { value } = opened.document;
  return { ok: true, entries: entriesOf(readPath(value, [...containerOf(value), name])) };
};

export const entriesOf = (entry: unknown): readonly Entry[] => {
  const line = commandLineOf(entry).map(String);
  return isObject(entry) && line[2] === 'serve' ? [{ event: '', line }] : [];
};

/** Program and arguments of an entry, in any client's form. */
export const commandLineOf = (entry: unknown): readonly unknown[] => {
  const [command, args] = [readKey(entry, 'command'), readKey(entry, 'args')];
  if (Array.isArray(command)) return command;
  return [command, ...(Array.isArray(args) ? args : [])];
};

const startKeys = ['command', 'args'] as const;

const startsSame = (existing: unknown, entry: unknown): boolean =>
  isObject(existing) && isDeepStrictEqual(commandLineOf(existing), commandLineOf(entry));

const problemOf = (value: unknown, container: readonly string[]): string | undefined => {
  for (let depth = 1; depth <= container.length; depth += 1) {
    const path = container.slice(0, depth);
    const existing = readPath(value, path);
    if (existing !== undefined && !isObject(existing)) return `"${path.join('.')}" is not an object`;
  }
  return undefined;
};

/** Leaves out whatever else a person may have added, such as an environment with keys in it. */
export const describeServer = (path: readonly string[], entry: unknown): string =>
  `${path.join('.')}: ${commandLineOf(entry).map(String).join(' ')}`;
