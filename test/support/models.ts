/** Models that answer as a test says, and what they were asked. */
import { Models } from '../../src/agents/models.js';
import type { Completion, CompletionRequest, Provider } from '../../src/agents/providers/provider.js';

export type MadeModels = {
  readonly models: Models;
  readonly asked: CompletionRequest[];
  /** Those that the ledger was told of. */
  readonly calls: { readonly judge: string; readonly ok: boolean }[];
  readonly logged: string[];
};

/** The first is called `endpoint:m`, the second `claude:m`, the third `ollama:m`; at most `most` calls a day. */
export const makeModels = (answers: readonly (Completion | string)[], most = 50): MadeModels => {
  const names = ['endpoint', 'claude', 'ollama'] as const;
  const asked: CompletionRequest[] = [];
  const calls: { readonly judge: string; readonly ok: boolean }[] = [];
  const logged: string[] = [];
  const providers = answers.map(
    (answer, at): Provider => ({
      name: names[at] ?? 'ollama',
      model: 'm',
      complete: async (request) => {
        asked.push(request);
        return typeof answer === 'string' ? { ok: true, text: answer } : answer;
      },
    }),
  );
  const state = {
    callsOn: () => calls.length,
    addCall: (_: string, judge: string, ok: boolean) => void calls.push({ judge, ok }),
    ledger: () =>
      names.map((name) => {
        const mine = calls.filter(({ judge }) => judge === `${name}:m`);
        const failures = mine.filter(({ ok }) => !ok).length;
        return { day: new Date(0).toISOString().slice(0, 10), judge: `${name}:m`, calls: mine.length, failures };
      }),
  };
  const around = {
    config: { learnDailyCalls: most },
    state,
    nowMs: () => 0,
    log: (line: string) => void logged.push(line),
  };
  return { models: new Models(providers, around), asked, calls, logged };
};

export const failureOf = (problem: 'unavailable' | 'refused' | 'timed-out' | 'unusable'): Completion => ({
  ok: false,
  problem,
  message: `is ${problem}`,
});
