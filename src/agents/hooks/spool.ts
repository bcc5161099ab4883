/** The spool: work that hooks leave for the worker, one file per subject, so that a hook fired twice leaves one. */
import { readdirSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../files/folders.js';

export type SpoolItem = {
  readonly kind: 'capture' | 'exchange';
  readonly session: string;
  readonly transcript: string;
  readonly cwd: string;
  readonly event: SpoolEvent;
  /** Masked text that the transcript may not contain yet: the last reply, the compact summary. */
  readonly text: string;
  /** Size of the transcript at that time; -1 when there was none. */
  readonly size: number;
  readonly client: string;
};

const spoolEvents = ['Stop', 'PreCompact', 'PostCompact', 'SessionEnd', 'SubagentStop'] as const;
export type SpoolEvent = (typeof spoolEvents)[number];

export type SpooledItem = { readonly file: string; readonly item: SpoolItem };

/** Writes the item atomically; returns its file name. */
export const putItem = (folder: string, item: SpoolItem): string => {
  makeFolder(folder);
  const name = `${item.kind}.${plain(item.session)}.${item.kind === 'exchange' ? `${item.size}` : item.event}.json`;
  const temporary = join(folder, `.${name}.${process.pid}`);
  try {
    writeFileSync(temporary, JSON.stringify({ v: 1, ...item }), { mode: 0o600 });
    renameSync(temporary, join(folder, name));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  return name;
};

/** Returns the items by name, so that a session's are together. Reports a file that isn't an item, and leaves it. */
export const readItems = (folder: string, problem: (file: string, message: string) => void): readonly SpooledItem[] =>
  listItems(folder).flatMap((file) => {
    try {
      const item = parseItem(readFileSync(join(folder, file), 'utf8'));
      if (item !== undefined) return [{ file, item }];
      problem(file, 'not a spool item');
    } catch (error) {
      problem(file, error instanceof Error ? error.message : String(error));
    }
    return [];
  });

export const listItems = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
      .sort();
  } catch {
    return [];
  }
};

export const countExchanges = (folder: string, session: string): number =>
  listItems(folder).filter((name) => name.startsWith(`exchange.${plain(session)}.`)).length;

/** Removes an item, unless it was written again since it was read. */
export const removeItem = (folder: string, { file, item }: SpooledItem): void => {
  const path = join(folder, file);
  try {
    const now = parseItem(readFileSync(path, 'utf8'));
    if (JSON.stringify(now) === JSON.stringify(item)) unlinkSync(path);
  } catch {
    // Another process removed it.
  }
};

/** Makes a session's id safe for a file name, whatever a client sends. */
const plain = (session: string): string => session.replace(/[^A-Za-z0-9-]/g, '_').slice(0, 80);

const parseItem = (text: string): SpoolItem | undefined => {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  const read = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');
  const kind = fields['kind'];
  const event = spoolEvents.find((one) => one === fields['event']);
  if ((kind !== 'capture' && kind !== 'exchange') || event === undefined) return undefined;
  return {
    kind,
    session: read('session'),
    transcript: read('transcript'),
    cwd: read('cwd'),
    event,
    text: read('text'),
    size: typeof fields['size'] === 'number' ? fields['size'] : -1,
    client: read('client'),
  };
};
