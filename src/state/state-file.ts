/** Reads state.db and agents.db without creating or changing anything in them. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../events/faults.js';
import { type AgentState, openAgentState } from './agent-state.js';
import { openState, type State } from './state.js';

/** Returns undefined if there is no state.db, or an empty one. Throws Fault 'store-damaged'. */
export const askState = async <Answer>(
  { home }: { readonly home: string },
  question: (state: State) => Promise<Answer> | Answer,
): Promise<Answer | undefined> => {
  const file = join(home, 'state.db');
  if (!isWorthOpening(file)) return undefined;
  const state = Object.assign(openState(file), { setSameTree: () => undefined, refreshStamps: () => undefined });
  try {
    return await question(state);
  } finally {
    state.close();
  }
};

/**
 * Asks a copy, because opening replaces a damaged file. Returns undefined if there is no agents.db, or an empty one.
 * Throws errors that `isDamage` recognises.
 */
export const askAgentState = async <Answer>(
  { home }: { readonly home: string },
  question: (state: AgentState) => Promise<Answer> | Answer,
): Promise<Answer | undefined> => {
  const file = join(home, 'agents.db');
  const head = readBytes(file).subarray(0, magic.length);
  if (head.length === 0) return undefined;
  if (!isSqlite(head)) throw new NoDatabase(`${file} is no database`);
  const folder = mkdtempSync(join(tmpdir(), 'anamnesis-doctor-'));
  try {
    const copy = join(folder, 'agents.db');
    await copyAtRest(file, copy);
    const state = openAgentState(copy);
    try {
      return await question(state);
    } finally {
      state.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** True if the file itself is damaged, rather than out of reach. */
export const isDamage = (error: unknown): boolean => {
  if (error instanceof Fault) return error.code === 'store-damaged';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB';
};

/** For `catch`: ignores only damage, which has a check of its own. */
export const passOverDamage = (error: unknown): undefined => {
  if (!isDamage(error)) throw error;
  return undefined;
};

class NoDatabase extends Error {
  readonly code = 'SQLITE_NOTADB';
}

const copyAttempts = 10;
const pauseMs = 20;

/** Copies again if a hook was writing meanwhile. */
const copyAtRest = async (file: string, copy: string): Promise<void> => {
  for (let attempt = 1; attempt <= copyAttempts; attempt += 1) {
    const before = changeOf(file);
    copyFileSync(file, copy);
    if (before === changeOf(file)) return;
    await sleep(pauseMs);
  }
};

/** A stamp that changes with every write, even one that has only begun. */
const changeOf = (file: string): string => {
  const [database, journal] = [file, `${file}-journal`].map((path) =>
    statSync(path, { bigint: true, throwIfNoEntry: false }),
  );
  return `${database?.mtimeNs} ${database?.size} ${journal?.size ?? 0n}`;
};

const magic = Buffer.from('SQLite format 3\0');
const isSqlite = (bytes: Buffer): boolean => bytes.subarray(0, magic.length).equals(magic);

/**
 * Opening creates missing tables, which reading must not do: SQLite stores the text of each CREATE, so the bytes show
 * whether a table exists. A file that is no database is opened too, to learn how it is damaged.
 */
const isWorthOpening = (file: string): boolean => {
  const bytes = readBytes(file);
  if (bytes.length === 0) return false;
  const statement = 'CREATE TABLE checkout (';
  return !isSqlite(bytes) || bytes.includes(statement) || readBytes(`${file}-wal`).includes(statement);
};

const readBytes = (file: string): Buffer =>
  statSync(file, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(file) : Buffer.alloc(0);
