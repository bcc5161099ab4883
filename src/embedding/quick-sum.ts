/**
 * A sum over a model's file that tells a search whether the file is what was installed. SHA-256 takes ten times as long
 * and protects no better against deliberate changes. kernel.wat computes the same. Pure.
 */

export type QuickSum = readonly [number, number];

const factor = 0x01000193;

/** Sums all bytes from `first` on. Any change of one byte changes the sum. */
export const quickSumOf = (bytes: Buffer, first: number): QuickSum => {
  const lanes = new Int32Array(16);
  // Ends where the kernel does, which reads 64 bytes at a time; zeros follow the end.
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

/** Adds one 32-bit number. */
export const addToSum = (sum: number, word: number): number => (Math.imul(sum, factor) + word) | 0;

/** Combines four sums, one for each 32-bit word of 16 bytes. */
export const foldSum = (a: number, b: number, c: number, d: number): QuickSum => [addToSum(a, c), addToSum(b, d)];
