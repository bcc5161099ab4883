/** Asks one model after another to word a session's note. */
import type { Provider } from '../providers/provider.js';
import type { JudgeCall } from './judge.js';
import { buildSummaryPrompt, parseSummary, type SessionSummary } from './summary.js';

export type Summarised = {
  /** Undefined when no model gave one: the note is then made by rules. */
  readonly summary: SessionSummary | undefined;
  /** `<provider>:<model>` that wrote the summary. */
  readonly model: string | undefined;
  readonly calls: readonly JudgeCall[];
};

/** `mayCall` is asked before each call of a model. */
export const summariseSession = async (
  facts: string,
  { providers, mayCall }: { readonly providers: readonly Provider[]; readonly mayCall: () => boolean },
): Promise<Summarised> => {
  const calls: JudgeCall[] = [];
  if (facts.trim() === '') return { summary: undefined, model: undefined, calls };
  const { system, prompt } = buildSummaryPrompt(facts);
  for (const provider of providers) {
    if (!mayCall()) break;
    const completion = await provider.complete({ system, prompt, maxTokens, timeoutMs });
    const model = `${provider.name}:${provider.model}`;
    if (!completion.ok) {
      calls.push({ provider: model, ok: false, problem: completion.problem, message: completion.message });
      continue;
    }
    const summary = parseSummary(completion.text, facts);
    if (summary !== undefined) {
      calls.push({ provider: model, ok: true, problem: undefined, message: '' });
      return { summary, model, calls };
    }
    calls.push({ provider: model, ok: false, problem: 'unusable', message: 'the answer contains no summary' });
  }
  return { summary: undefined, model: undefined, calls };
};

const timeoutMs = 60_000;
/** Enough for a note of 2,500 characters, even in a language that takes many tokens. */
const maxTokens = 2000;
