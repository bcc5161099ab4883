/** The models that this machine's settings name, with a daily cap on their calls and a ledger of them. */
import { join } from 'node:path';
import type { JudgeName } from '../config/config-keys.js';
import type { Config } from '../config/settings.js';
import type { AgentState } from '../state/agent-state.js';
import { openClaudeProvider } from './providers/claude-cli.js';
import { openOllamaProvider } from './providers/ollama.js';
import { openEndpointProvider } from './providers/openai-endpoint.js';
import type { CompletionRequest, Provider } from './providers/provider.js';

export type ModelAnswer<Value> = {
  readonly value: Value;
  /** `<provider>:<model>` that gave it. */
  readonly model: string;
};

export type ModelSurroundings = {
  readonly config: Pick<Config, 'learnDailyCalls'>;
  readonly state: Pick<AgentState, 'ledger' | 'callsOn' | 'addCall'>;
  readonly nowMs: () => number;
  readonly log: (line: string) => void;
};

/** Failures in one day after which a model that never answered is not asked again. */
const maxFailures = 5;
const timeoutMs = 60_000;

export class Models {
  readonly #providers: readonly Provider[];
  readonly #around: ModelSurroundings;

  constructor(providers: readonly Provider[], around: ModelSurroundings) {
    this.#providers = providers;
    this.#around = around;
  }

  /** True if there is no model to ask: one that has only failed today is left out until tomorrow. */
  get isEmpty(): boolean {
    return this.#usable().length === 0;
  }

  /** Asks one model after another within the day's calls until `parse` accepts; an unavailable one costs nothing. */
  async ask<Value>(
    request: Omit<CompletionRequest, 'timeoutMs'>,
    parse: (text: string) => Value | undefined,
  ): Promise<ModelAnswer<Value> | undefined> {
    const { config, state } = this.#around;
    for (const provider of this.#usable()) {
      if (state.callsOn(this.#today()) >= config.learnDailyCalls) return undefined;
      const completion = await provider.complete({ ...request, timeoutMs });
      const model = `${provider.name}:${provider.model}`;
      if (!completion.ok && completion.problem === 'unavailable') continue;
      const value = completion.ok ? parse(completion.text) : undefined;
      state.addCall(this.#today(), model, value !== undefined);
      if (value !== undefined) return { value, model };
      this.#around.log(`model ${model}: ${completion.ok ? 'the answer is unusable' : completion.message}`);
    }
    return undefined;
  }

  #today(): string {
    return new Date(this.#around.nowMs()).toISOString().slice(0, 10);
  }

  #usable(): readonly Provider[] {
    const broken = this.#around.state
      .ledger(1)
      .filter(({ day, calls, failures }) => day === this.#today() && failures >= maxFailures && failures === calls);
    return this.#providers.filter(({ name }) => !broken.some(({ judge }) => judge.startsWith(`${name}:`)));
  }
}

/** Those that `learn_judges` names, in its order; none if learning is off. */
export const openModels = (
  home: string,
  {
    config,
    environment,
    ...around
  }: ModelSurroundings & { readonly config: Config; readonly environment: NodeJS.ProcessEnv },
): Models => {
  const byName: Readonly<Record<JudgeName, () => Provider | undefined>> = {
    endpoint: () => (config.provider === undefined ? undefined : openEndpointProvider(config.provider)),
    claude: () => openClaudeProvider({ model: config.claudeModel, environment, folder: join(home, 'spool', 'claude') }),
    ollama: () => openOllamaProvider({ url: config.ollamaUrl, models: config.ollamaModels }),
  };
  const providers = (config.learn ? config.learnJudges : []).flatMap((name) => byName[name]() ?? []);
  return new Models(providers, { config, ...around });
};
