/** Record of init's edits to other programs' files, in `<store>/setup/`, so that uninstall can undo exactly those. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isObject, readKey } from '../files/edited.js';
import { isRefusal, readFileState, replaceFile, sha256 } from '../files/settings-file.js';

export type Part = 'hooks' | 'server';

export type FileRecord = {
  readonly client: string;
  readonly part: Part;
  readonly file: string;
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

export type SetupRecord = readonly FileRecord[];

export const setupFolder = (storeHome: string): string => join(storeHome, 'setup');
const recordFile = (storeHome: string): string => join(setupFolder(storeHome), 'record.json');

/** Returns an empty record if there is none or it can't be read: uninstall then finds our entries by their marks. */
export const readRecord = (storeHome: string): SetupRecord => {
  try {
    const clients = readKey(JSON.parse(readFileSync(recordFile(storeHome), 'utf8')), 'clients');
    return Object.entries(isObject(clients) ? clients : {}).flatMap(([client, its]) => {
      const files = readKey(its, 'files');
      return Array.isArray(files) ? files.flatMap((file: unknown) => parseFile(client, file)) : [];
    });
  } catch {
    return [];
  }
};

/** Deletes the file if the record is empty. */
export const writeRecord = (storeHome: string, record: SetupRecord): void => {
  const path = recordFile(storeHome);
  if (record.length === 0) {
    rmSync(path, { force: true });
    return;
  }
  const clients: Record<string, { readonly files: Omit<FileRecord, 'client'>[] }> = {};
  for (const { client, ...file } of record.toSorted((a, b) => (a.part < b.part ? -1 : 1))) {
    clients[client] ??= { files: [] };
    clients[client].files.push(file);
  }
  const state = readFileState(path);
  const bytes = Buffer.from(`${JSON.stringify({ version: 1, clients }, null, 2)}\n`);
  if (isRefusal(state) || state.bytes?.equals(bytes) === true) return;
  replaceFile(state, bytes);
};

export const recordOf = (record: SetupRecord, client: string, part: Part): FileRecord | undefined =>
  record.find((file) => file.client === client && file.part === part);

export const withoutFile = (record: SetupRecord, client: string, part: Part): SetupRecord =>
  record.filter((file) => file.client !== client || file.part !== part);

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

const parseFile = (client: string, value: unknown): readonly FileRecord[] => {
  const text = (key: string): string | null => {
    const its = readKey(value, key);
    return typeof its === 'string' ? its : null;
  };
  const [part, file] = [text('part'), text('file')];
  if ((part !== 'hooks' && part !== 'server') || file === null) return [];
  const [name, script] = [text('name') ?? '', text('script') ?? ''];
  const created = readKey(value, 'created') === true;
  return [
    { client, part, file, name, script, created, before: text('before'), after: text('after'), backup: text('backup') },
  ];
};
