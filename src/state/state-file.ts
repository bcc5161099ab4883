/** Reads state.db and agents.db without creating or changing anything in them. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../events/faults.js';
import { type AgentState, openKnownAgentState } from './agent-state.js';
import { openState, type State } from './state.js';

/** Returns undefined if there is no state.db, or an empty one. Throws Fault 'store-damaged'. */
export const askState = async <Answer>(
  { home }: { readonly home: string },
  question: (state: State) => Promise<Answer> | Answer,
): Promise<Answer | undefined> => {
  const file = join(home, 'state.db');
  if (!isThere(file)) return undefined;
  const state = Object.assign(openState(file), { setSameTree: () => undefined, refreshStamps: () => undefined });
  try {
    return await question(state);
  } finally {
    state.close();
  }
};

/** Returns undefined if there is no agents.db, or an empty one. Throws errors that `isDamage` recognises. */
export const askAgentState = async <Answer>(
  { home }: { readonly home: string },
  question: (state: AgentState) => Promise<Answer> | Answer,
): Promise<Answer | undefined> => {
  const file = join(home, 'agents.db');
  if (!isThere(file)) return undefined;
  const state = openKnownAgentState(file);
  try {
    return await question(state);
  } finally {
    state.close();
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

const isThere = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
