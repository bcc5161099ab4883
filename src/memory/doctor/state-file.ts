/** state.db, opened only where that makes nothing in it. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentState, openAgentState } from '../../events/agent-state.js';
import { Fault } from '../../events/faults.js';
import { openState, type State } from '../../events/state.js';
import type { Examined } from './check.js';

/** Undefined where there is no state.db, or an empty one. Throws Fault 'store-damaged'. */
export const askState = async <Answer>(
  { home }: Pick<Examined, 'home'>,
  question: (state: State) => Promise<Answer> | Answer,
): Promise<Answer | undefined> => {
  const file = join(home, 'state.db');
  if (!isWorthOpening(file, 'checkout')) return undefined;
  const state = openState(file);
  try {
    return await question(state);
  } finally {
    state.close();
  }
};

/** Undefined where no session of an agent was ever heard of. Throws Fault 'store-damaged'. */
export const askAgentState = async <Answer>(
  { home }: Pick<Examined, 'home'>,
  question: (state: AgentState) => Promise<Answer> | Answer,
): Promise<Answer | undefined> => {
  const file = join(home, 'agents.db');
  if (!isWorthOpening(file, 'transcripts')) return undefined;
  const state = openAgentState(file);
  try {
    return await question(state);
  } finally {
    state.close();
  }
};

/** What the check of state.db names; the others go on without it. */
export const isDamage = (error: unknown): boolean => {
  if (error instanceof Fault) return error.code === 'store-damaged';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB';
};

/** For `catch`: passes over damage alone. */
export const passOverDamage = (error: unknown): undefined => {
  if (!isDamage(error)) throw error;
  return undefined;
};

const magic = 'SQLite format 3\0';

/**
 * Opening makes the tables that are missing, and looking must not: SQLite keeps the text of each CREATE, so whether a
 * table is there can be read in the bytes. What is no database is opened too, to be told how it is damaged.
 */
const isWorthOpening = (file: string, table: string): boolean => {
  const bytes = readBytes(file);
  if (bytes.length === 0) return false;
  if (!bytes.subarray(0, magic.length).equals(Buffer.from(magic))) return true;
  const statement = `CREATE TABLE ${table} (`;
  return bytes.includes(statement) || readBytes(`${file}-wal`).includes(statement);
};

const readBytes = (file: string): Buffer =>
  statSync(file, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(file) : Buffer.alloc(0);
