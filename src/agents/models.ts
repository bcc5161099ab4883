/** The models that this machine's settings name, with a cap on what they cost and a ledger of what was asked. */
import { join } from 'node:path';
import type { JudgeName } from '../config/config-keys.js';
import type { Config } from '../config/settings.js';
import type { AgentState } from '../state/agent-state.js';
import type { JudgeCall } from './learn/judge.js';
import { openClaudeProvider } from './providers/claude-cli.js';
import { openOllamaProvider } from './providers/ollama.js';
import { openEndpointProvider } from './providers/openai-endpoint.js';
import type { Provider } from './providers/provider.js';

export type Models = {
  /** In the order of asking; one that failed again and again today is left out until tomorrow. */
  judges(): readonly Provider[];
  /** Those that word the notes of sessions: the configured endpoint, then the judges unless nothing is to be learned. */
  summarisers(): readonly Provider[];
  /** False once the day's calls are spent. */
  mayCall(): boolean;
  /**
   * Writes calls into the ledger, and what went wrong into the log. A model that is not there is no news, and cost
   * nothing.
   */
  count(calls: readonly JudgeCall[], log: (line: string) => void): void;
};

export type ModelSurroundings = {
  readonly config: Config;
  readonly environment: NodeJS.ProcessEnv;
  readonly nowMs: () => number;
};

/** Failures on one day after which a judge that never answered is not asked again. */
const maxFailures = 5;

export const openModels = (home: string, state: AgentState, around: ModelSurroundings): Models => {
  const { config, environment, nowMs } = around;
  const today = (): string => new Date(nowMs()).toISOString().slice(0, 10);
  const endpoint = config.provider === undefined ? undefined : openEndpointProvider(config.provider);
  const byName: Readonly<Record<JudgeName, () => Provider | undefined>> = {
    endpoint: () => endpoint,
    claude: () => openClaudeProvider({ model: config.claudeModel, environment, folder: join(home, 'spool', 'claude') }),
    ollama: () => openOllamaProvider({ url: config.ollamaUrl, models: config.ollamaModels }),
  };
  const isBroken = (name: string): boolean =>
    state.ledger(1).some(({ day, judge, calls, failures }) => {
      const isIts = judge === name || judge.startsWith(`${name}:`);
      return isIts && day === today() && failures >= maxFailures && failures === calls;
    });
  const named = (names: readonly JudgeName[]): readonly Provider[] =>
    names.flatMap((name) => {
      const provider = isBroken(name) ? undefined : byName[name]();
      return provider === undefined ? [] : [provider];
    });
  return {
    judges: () => named(config.learnJudges),
    summarisers: () => named([...new Set<JudgeName>(['endpoint', ...(config.learn ? config.learnJudges : [])])]),
    mayCall: () => state.callsOn(today()) < config.learnDailyCalls,
    count: (calls, log) => {
      for (const { provider, ok, problem, message } of calls) {
        if (problem === 'unavailable') continue;
        if (!ok) log(`model ${provider}: ${message}`);
        state.addCall(today(), provider, ok);
      }
    },
  };
};
