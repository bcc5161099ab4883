/** A language model that can be asked one question. Nothing here or behind it throws: a failure is an answer. */

export type CompletionRequest = {
  readonly system: string;
  readonly prompt: string;
  /** Tokens of the answer at most, where the provider can be told so. */
  readonly maxTokens: number;
  readonly timeoutMs: number;
};

/**
 * `unavailable`: no model was reached, so nothing was spent. `refused`: somebody was there and said no (key, quota,
 * request). `unusable`: an answer came that holds no text.
 */
export type CompletionProblem = 'unavailable' | 'refused' | 'timed-out' | 'unusable';

export type Completion =
  | { readonly ok: true; readonly text: string }
  /** `message` is one line for a log; it never holds a key. */
  | { readonly ok: false; readonly problem: CompletionProblem; readonly message: string };

export type Provider = {
  readonly name: 'endpoint' | 'claude' | 'ollama';
  readonly model: string;
  complete(request: CompletionRequest): Promise<Completion>;
};

export const failCompletion = (problem: CompletionProblem, message: string): Completion & { readonly ok: false } => ({
  ok: false,
  problem,
  message,
});

/** Bytes of an answer that are read at most; a judgement or a summary takes a few thousand. */
export const maxAnswerBytes = 1024 * 1024;
