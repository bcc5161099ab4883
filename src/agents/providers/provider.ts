/** A language model that can be asked one question. Nothing here or behind it throws: a failure is an answer. */
import type { HttpFailure } from '../../http/request-json.js';

export type CompletionRequest = {
  readonly system: string;
  readonly prompt: string;
  /** Tokens of the answer at most, where the provider can be told so. */
  readonly maxTokens: number;
  readonly timeoutMs: number;
};

export type Completion = { readonly ok: true; readonly text: string } | HttpFailure;

export type Provider = {
  readonly name: 'endpoint' | 'claude' | 'ollama';
  readonly model: string;
  complete(request: CompletionRequest): Promise<Completion>;
};
