/**
 * Runs kernel.wat, which computes the same as plain-closeness.ts, to the last bit. Without WebAssembly (`--jitless`),
 * plain-closeness.ts is used instead. No I/O.
 */

import { headerBytes, type InstalledModel } from './installed-form.js';
import { kernelBytes } from './kernel-bytes.js';
import { type MeasureTokens, maxBody, maxQueryTokens, maxTitle, type QueryTokens } from './query-tokens.js';
import { foldSum, type QuickSum } from './quick-sum.js';

/** The part that is used here; Node's types do not declare WebAssembly. */
declare const WebAssembly:
  | {
      readonly Memory: new (size: { readonly initial: number }) => Memory;
      readonly Module: new (bytes: Uint8Array) => object;
      readonly Instance: new (
        module: object,
        imports: { readonly kernel: { readonly memory: Memory } },
      ) => { readonly exports: Exports };
    }
  | undefined;

type Memory = { readonly buffer: ArrayBuffer };

/** The globals of kernel.wat. */
const placeNames = [
  ...(['dimension', 'count', 'values', 'norms', 'units', 'asked', 'scales', 'weights', 'allWeights'] as const),
  ...(['query', 'titled', 'best', 'headSum', 'sums'] as const),
];
type Places = Readonly<Record<(typeof placeNames)[number], number>>;

type Exports = { readonly [Name in keyof Places]: { value: number } } & {
  cover(head: number, body: number, end: number): number;
  nearness(head: number, body: number, end: number): number;
  check(from: number, end: number, to: number): void;
};

export type Kernel = {
  /** Buffer to read the model's file into. */
  readonly bytes: Buffer;
  /** Sums the file; must be called before any query. */
  readonly quickSum: () => QuickSum;
  /** The memory holds one query at a time; measuring for another query replaces it. */
  readonly openMeasure: (model: Omit<InstalledModel, 'digest'>, asked: QueryTokens) => MeasureTokens;
};

const pageBytes = 65_536;
/** Space after the file for the longest vectors that are read; the machine provides only the part that is used. */
const workBytes = 4 * 1024 * 1024;
const mostBlocks = Math.ceil(maxBody / 16);

/** Returns undefined if there is no WebAssembly or not enough memory. */
export const openKernel = (fileBytes: number): Kernel | undefined => {
  if (typeof WebAssembly === 'undefined') return undefined;
  try {
    const memory = new WebAssembly.Memory({ initial: Math.ceil((fileBytes + workBytes) / pageBytes) });
    const module = new WebAssembly.Module(Buffer.from(kernelBytes, 'base64'));
    return kernelIn(memory.buffer, new WebAssembly.Instance(module, { kernel: { memory } }).exports, fileBytes);
  } catch {
    return undefined;
  }
};

const kernelIn = (memory: ArrayBuffer, exports: Exports, fileBytes: number): Kernel => {
  const work = Math.ceil(fileBytes / 64) * 64;
  const tokens = new Int32Array(memory, work, maxTitle + maxBody);
  const [head, begin] = [tokens.byteOffset, tokens.byteOffset + tokens.byteLength];
  let current: QueryTokens | undefined;

  const loadQuery = ({ dimension, values, norms, units }: Omit<InstalledModel, 'digest'>, asked: QueryTokens): void => {
    const { vectors, weights, allWeights, query } = asked;
    let end = begin;
    const reserve = (bytes: number): number => {
      const place = end;
      end += Math.ceil(bytes / 16) * 16;
      return place;
    };
    const places: Places = {
      dimension,
      count: vectors.length,
      values: values.byteOffset,
      norms: norms.byteOffset,
      units: units.byteOffset,
      asked: reserve(2 * maxQueryTokens * dimension),
      scales: reserve(8 * maxQueryTokens),
      weights: reserve(8 * maxQueryTokens),
      allWeights,
      query: reserve(8 * dimension),
      titled: reserve(4 * maxQueryTokens),
      best: reserve(4 * maxQueryTokens * mostBlocks),
      headSum: reserve(8 * dimension),
      sums: reserve(8 * dimension * mostBlocks),
    };
    for (const name of placeNames) exports[name].value = places[name];
    vectors.forEach((vector, word) => {
      new Int16Array(memory, places.asked + 2 * word * dimension, dimension).set(vector.values);
    });
    new Float64Array(memory, places.scales, vectors.length).set(vectors.map(({ scale }) => scale));
    new Float64Array(memory, places.weights, vectors.length).set(weights);
    new Float64Array(memory, places.query, dimension).set(query);
    current = asked;
  };

  return {
    bytes: Buffer.from(memory, 0, fileBytes),
    quickSum() {
      // Skips the header, which holds the sum itself; only zeros follow the file until a query is stored there.
      exports.check(headerBytes, work, work + 64);
      const [a = 0, b = 0, c = 0, d = 0] = new Int32Array(memory, work + 64, 4);
      return foldSum(a, b, c, d);
    },
    openMeasure: (model, asked) => (title, text) => {
      if (current !== asked) loadQuery(model, asked);
      tokens.set(title);
      tokens.set(text, title.length);
      const body = head + 4 * title.length;
      const end = body + 4 * text.length;
      return { cover: exports.cover(head, body, end), nearness: exports.nearness(head, body, end) };
    },
  };
};
