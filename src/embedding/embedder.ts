/** The port to a model that turns texts into vectors, on this machine or behind an address. Plain data. */

export type Embedder = {
  /** Identifies the model and, if known, its version: vectors of different ids can't be compared. */
  readonly id: string;
  /** In the order of the texts, of length 1 and one dimension; zeros for a text without known words. Never throws. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Read<readonly Float32Array[]>>;
};

export type EmbedOptions = {
  /** Some models are trained to tell questions from texts; the default is a text. */
  readonly as?: 'query' | 'passage' | undefined;
  readonly timeoutMs?: number | undefined;
};

/** Why a model can't be read or used. `message` is one sentence about what is wrong, `next` what to do about it. */
export type ModelProblem = {
  readonly code:
    | 'model-unusable'
    | 'model-unknown'
    | 'model-damaged'
    | 'model-unsupported'
    | 'model-unreadable'
    | 'model-too-large'
    | 'model-runtime';
  readonly message: string;
  readonly next: string;
};

export type Read<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: ModelProblem };

export const readAs = <Value>(value: Value): Read<Value> => ({ ok: true, value });

export const failRead = (
  code: ModelProblem['code'],
  message: string,
  next: string,
): { ok: false; problem: ModelProblem } => ({
  ok: false,
  problem: { code, message, next },
});

/** Message and next step for when a model's vectors can't be compared with the stored ones. */
export const otherDimension = (now: number | undefined, before: number): readonly [message: string, next: string] => [
  `the model now gives vectors of ${now} numbers, but the stored ones have ${before}`,
  'start again: anamnesis model index --again',
];
