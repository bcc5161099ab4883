/** A language model that can be asked one question. Implementations never throw: they return failures. */
import type { HttpFailure } from '../../http/request-json.js';

export type CompletionRequest = {
  readonly system: string;
  readonly prompt: string;
  /** Maximum tokens of the answer, if the provider can limit them. */
  readonly maxTokens: number;
  readonly timeoutMs: number;
};

export type Completion = { readonly ok: true; readonly text: string } | HttpFailure;

export type Provider = {
  readonly name: 'endpoint' | 'claude' | 'ollama';
  readonly model: string;
  complete(request: CompletionRequest): Promise<Completion>;
};
