/** Record of init's edits to other programs' files, in `<store>/setup/`, so that uninstall can undo exactly those. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isObject, readKey } from '../files/edited.js';
import { isRefusal, readFileState, replaceFile, sha256 } from '../files/settings-file.js';

export type Part = 'hooks' | 'server';

export type FileRecord = {
  readonly part: Part;
  readonly file: string;
  /** Name of the MCP server, and the script that clients start. */
  readonly name: string;
  readonly script: string;
  /** True if init created the file; `before` and `backup` are null then. */
  readonly created: boolean;
  /** SHA-256 of the original; also null if the file was edited by hand between the original and init's last write. */
  readonly before: string | null;
  /** SHA-256 of what init wrote; null until that is known. */
  readonly after: string | null;
  /** Copy of the original, relative to the store. */
  readonly backup: string | null;
};

export type ClientRecord = { readonly files: readonly FileRecord[] };

export type SetupRecord = { readonly clients: Readonly<Record<string, ClientRecord>> };

export const setupFolder = (storeHome: string): string => join(storeHome, 'setup');
const recordFile = (storeHome: string): string => join(setupFolder(storeHome), 'record.json');

/** Returns an empty record if there is none or it can't be read: uninstall then finds our entries by their marks. */
export const readRecord = (storeHome: string): SetupRecord => {
  try {
    const clients = readKey(JSON.parse(readFileSync(recordFile(storeHome), 'utf8')), 'clients');
    const entries = isObject(clients) ? Object.entries(clients) : [];
    return { clients: Object.fromEntries(entries.map(([client, its]) => [client, parseClient(its)])) };
  } catch {
    return { clients: {} };
  }
};

/** Deletes the file if the record has no clients. */
export const writeRecord = (storeHome: string, record: SetupRecord): void => {
  const path = recordFile(storeHome);
  if (Object.keys(record.clients).length === 0) {
    rmSync(path, { force: true });
    return;
  }
  const state = readFileState(path);
  const bytes = Buffer.from(`${JSON.stringify({ version: 1, ...record }, null, 2)}\n`);
  if (isRefusal(state) || state.bytes?.equals(bytes) === true) return;
  replaceFile(state, bytes);
};

export const recordOf = (record: SetupRecord, client: string, part: Part): FileRecord | undefined =>
  clientOf(record, client)?.files.find((file) => file.part === part);

/** Scripts that init has registered with a client. */
export const scriptsOf = (record: SetupRecord, client: string): readonly string[] =>
  (clientOf(record, client)?.files ?? []).map(({ script }) => script);

const clientOf = (record: SetupRecord, client: string): ClientRecord | undefined =>
  Object.hasOwn(record.clients, client) ? record.clients[client] : undefined;

/** Returns the record with `file` in place of the one for the same part. */
export const withFile = (record: SetupRecord, client: string, file: FileRecord): SetupRecord => {
  const others = (clientOf(record, client)?.files ?? []).filter(({ part }) => part !== file.part);
  const files = [...others, file].toSorted((a, b) => (a.part < b.part ? -1 : 1));
  return { clients: { ...record.clients, [client]: { files } } };
};

export const withoutFile = (record: SetupRecord, client: string, part: Part): SetupRecord => {
  const { [client]: its, ...others } = record.clients;
  const files = (its?.files ?? []).filter((file) => file.part !== part);
  return { clients: files.length === 0 ? others : { ...record.clients, [client]: { files } } };
};

/** Returns the copy's path relative to the store. The same content is copied at most once per second. */
export const makeBackup = (storeHome: string, file: string, bytes: Buffer, nowMs: number): string => {
  const stamp = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
  const name = `${stamp}-${sha256(bytes).slice(0, 8)}-${basename(file).replace(/^\./, '')}`;
  const relative = `setup/backups/${name}`;
  mkdirSync(join(storeHome, 'setup', 'backups'), { recursive: true, mode: 0o700 });
  // Private, because settings may contain API keys.
  writeFileSync(join(storeHome, relative), bytes, { mode: 0o600, flush: true });
  return relative;
};

/** The original's bytes; undefined if the copy is missing or was altered. */
export const readBackup = (storeHome: string, { backup, before }: FileRecord): Buffer | undefined => {
  if (backup === null || before === null) return undefined;
  try {
    const bytes = readFileSync(join(storeHome, backup));
    return sha256(bytes) === before ? bytes : undefined;
  } catch {
    return undefined;
  }
};

const parseClient = (value: unknown): ClientRecord => {
  const files = readKey(value, 'files');
  return {
    files: Array.isArray(files) ? files.flatMap(parseFile) : [],
  };
};

const parseFile = (value: unknown): readonly FileRecord[] => {
  const [part, file] = [readKey(value, 'part'), readKey(value, 'file')];
  if ((part !== 'hooks' && part !== 'server') || typeof file !== 'string') return [];
  return [
    {
      part,
      file,
      name: textOr(readKey(value, 'name'), ''),
      script: textOr(readKey(value, 'script'), ''),
      created: readKey(value, 'created') === true,
      before: textOr(readKey(value, 'before'), null),
      after: textOr(readKey(value, 'after'), null),
      backup: textOr(readKey(value, 'backup'), null),
    },
  ];
};

const textOr = <Otherwise extends string | null>(value: unknown, otherwise: Otherwise): string | Otherwise =>
  typeof value === 'string' ? value : otherwise;
