/**
 * A sum over a model's file by which a search knows that it is as it was installed: SHA-256 takes ten times as long, and tells
 * somebody who means harm from the person who installed it no better. kernel.wat computes the same. Pure.
 */

export type QuickSum = readonly [number, number];

const factor = 0x01000193;

/** Of all bytes from `first` on. Each change of one byte makes another one. */
export const quickSumOf = (bytes: Buffer, first: number): QuickSum => {
  const lanes = new Int32Array(16);
  // As far as the kernel goes, which looks at 64 bytes at once; behind the end there are zeros.
  const end = Math.ceil(bytes.length / 64) * 64;
  for (let from = first; from < end; from += 64)
    for (let lane = 0; lane < 16; lane += 1) {
      const at = from + 4 * lane;
      const word = at + 4 <= bytes.length ? bytes.readInt32LE(at) : lastOf(bytes, at);
      lanes[lane] = Math.imul(lanes[lane] ?? 0, factor) + word;
    }
  const [a = 0, b = 0, c = 0, d = 0] = Array.from({ length: 4 }, (_, lane) =>
    [0, 4, 8, 12].reduce((sum, group) => addToSum(sum, lanes[group + lane] ?? 0), 0),
  );
  return foldSum(a, b, c, d);
};

const lastOf = (bytes: Buffer, at: number): number =>
  at < bytes.length ? bytes.readIntLE(at, bytes.length - at) & (2 ** (8 * (bytes.length - at)) - 1) : 0;

/** One more number of 32 bits. */
export const addToSum = (sum: number, word: number): number => (Math.imul(sum, factor) + word) | 0;

/** Of four numbers that stand for one place in 16 bytes each. */
export const foldSum = (a: number, b: number, c: number, d: number): QuickSum => [addToSum(a, c), addToSum(b, d)];
