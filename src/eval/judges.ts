/** Opens the models that may word questions: those that this machine learns with, within the daily cap. */
import { join } from 'node:path';
import { openModels } from '../agents/models.js';
import { readConfig } from '../config/settings.js';
import { openAgentState } from '../state/agent-state.js';
import type { Memory } from '../store/memory.js';
import type { Judges } from './building-cases.js';

/** Passes no models if learning is off, because then no text of a note may be sent to a model. */
export const withJudges = async <Result>(
  memory: Memory,
  environment: NodeJS.ProcessEnv,
  run: (judges: Judges) => Promise<Result>,
): Promise<Result> => {
  const { home } = memory.settings;
  const config = readConfig(home, environment);
  const none: Judges = { providers: [], mayCall: () => false, count: () => undefined };
  if (!config.learn || !memory.exists()) return run(none);
  const state = openAgentState(join(home, 'agents.db'));
  try {
    const models = openModels(home, state, { config, environment, nowMs: Date.now });
    return await run({
      providers: models.judges(),
      mayCall: models.mayCall,
      count: (calls) => models.count(calls, memory.log),
    });
  } finally {
    state.close();
  }
};
