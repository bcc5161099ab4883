/** The port to a model that turns texts into vectors, on this machine or behind an address. Plain data. */

export type Embedder = {
  /** Tells the model and its version, as far as they can be known: vectors of two ids can't be compared. */
  readonly id: string;
  /**
   * In the order of the texts, each of length 1 and of one dimension; all zeros for a text in which the model knows no word.
   * Never throws.
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Read<readonly Float32Array[]>>;
};

export type EmbedOptions = {
  /** Some models were taught to tell questions from texts; a text where nothing is said. */
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

/** Message and next step where a model's vectors can't be compared with those that are kept. */
export const otherDimension = (now: number | undefined, before: number): readonly [message: string, next: string] => [
  `the model gives vectors of ${now} numbers now, and those that are kept have ${before}`,
  'begin anew: anamnesis model index --again',
];
