/** The models that this machine's settings name, with a daily cap on their calls and a ledger of them. */
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
  /** Returns those that `learn_judges` names, in its order; one that has only failed today is left out until tomorrow. */
  judges(): readonly Provider[];
  /** Returns false once the day's calls are spent. */
  mayCall(): boolean;
  /** Records calls in the ledger and failures in the log. Ignores unavailable models, which cost nothing. */
  count(calls: readonly JudgeCall[], log: (line: string) => void): void;
};

export type ModelSurroundings = {
  readonly config: Config;
  readonly environment: NodeJS.ProcessEnv;
  readonly nowMs: () => number;
};

/** Failures in one day after which a judge that never answered is not asked again. */
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
  return {
    judges: () =>
      (config.learn ? config.learnJudges : []).flatMap((name) => (isBroken(name) ? [] : (byName[name]() ?? []))),
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
