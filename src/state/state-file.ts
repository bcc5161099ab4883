/** state.db and agents.db, looked into without making or changing anything in them. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../events/faults.js';
import { type AgentState, openAgentState } from './agent-state.js';
import { openState, type State } from './state.js';

/** Undefined where there is no state.db, or an empty one. Throws Fault 'store-damaged'. */
export const askState = async <Answer>(
  { home }: { readonly home: string },
  question: (state: State) => Promise<Answer> | Answer,
): Promise<Answer | undefined> => {
  const file = join(home, 'state.db');
  if (!isWorthOpening(file)) return undefined;
  const state = openState(file);
  try {
    return await question(state);
  } finally {
    state.close();
  }
};

/**
 * Asks a copy, because opening throws a damaged file away. Undefined where no session of an agent was ever heard of.
 * Throws what `isDamage` knows.
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

/** The file itself is wrong, not the way to it. */
export const isDamage = (error: unknown): boolean => {
  if (error instanceof Fault) return error.code === 'store-damaged';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB';
};

/** For `catch`: passes over damage alone, which has a check of its own. */
export const passOverDamage = (error: unknown): undefined => {
  if (!isDamage(error)) throw error;
  return undefined;
};

class NoDatabase extends Error {
  readonly code = 'SQLITE_NOTADB';
}

const copyAttempts = 10;
const pauseMs = 20;

/** Copied again when a hook was writing meanwhile. */
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
 * Opening makes the tables that are missing, and looking must not: SQLite keeps the text of each CREATE, so whether a
 * table is there can be read in the bytes. What is no database is opened too, to be told how it is damaged.
 */
const isWorthOpening = (file: string): boolean => {
  const bytes = readBytes(file);
  if (bytes.length === 0) return false;
  const statement = 'CREATE TABLE checkout (';
  return !isSqlite(bytes) || bytes.includes(statement) || readBytes(`${file}-wal`).includes(statement);
};

const readBytes = (file: string): Buffer =>
  statSync(file, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(file) : Buffer.alloc(0);
