/** Opens the models that may word questions: those that this machine learns with, within the daily cap. */
import { join } from 'node:path';
import { type Models, openModels } from '../agents/models.js';
import { readConfig } from '../config/settings.js';
import { openAgentState } from '../state/agent-state.js';
import type { Memory } from '../store/memory.js';

/** If learning is off, no text of a note may be sent to a model: then there are none. */
export const withJudges = async <Result>(
  memory: Memory,
  environment: NodeJS.ProcessEnv,
  run: (models: Models | undefined) => Promise<Result>,
): Promise<Result> => {
  const { home } = memory.settings;
  const config = readConfig(home, environment);
  if (!memory.exists()) return run(undefined);
  const state = openAgentState(join(home, 'agents.db'));
  try {
    return await run(openModels(home, { config, environment, state, nowMs: Date.now, log: memory.log }));
  } finally {
    state.close();
  }
};
