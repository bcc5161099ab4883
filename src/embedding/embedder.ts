/** The port to a model that turns texts into vectors on this machine. Plain data. */

export type Embedder = {
  /** Tells the model and its version: vectors of two ids can't be compared. */
  readonly id: string;
  readonly dimension: number;
  /** In the order of the texts, each of length 1; all zeros for a text in which the model knows no word. */
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
};

/** Why a model can't be read or used. `message` is one sentence about what is wrong, `next` what to do about it. */
export type ModelProblem = {
  readonly code: 'model-unknown' | 'model-damaged' | 'model-unsupported' | 'model-unreadable' | 'model-too-large';
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
