/**
 * Runs kernel.wat, which computes what plain-closeness.ts does, to the last bit. Where there is no WebAssembly (`--jitless`),
 * that file computes. No I/O.
 */
import { type AskedTokens, type MeasureTokens, maxBody, maxTitle, mostAsked } from './asked-tokens.js';
import { headerBytes, type InstalledModel } from './installed-form.js';
import { kernelBytes } from './kernel-bytes.js';
import { foldSum, type QuickSum } from './quick-sum.js';

/** As far as it is used here; Node's types have none of it. */
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
  /** Where the model's file is to be read to. */
  readonly bytes: Buffer;
  /** Of the file, before any query. */
  readonly quickSum: () => QuickSum;
  /** One query at a time is in the memory; another one takes its place when it is asked about. */
  readonly openMeasure: (model: Omit<InstalledModel, 'digest'>, asked: AskedTokens) => MeasureTokens;
};

const pageBytes = 65_536;
/** Behind the file, for the longest vectors that are read; what is not used of it is not taken from the machine. */
const workBytes = 4 * 1024 * 1024;
const mostBlocks = Math.ceil(maxBody / 16);

/** Undefined where there is no WebAssembly, or not so much memory. */
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
  let current: AskedTokens | undefined;

  const put = ({ dimension, values, norms, units }: Omit<InstalledModel, 'digest'>, asked: AskedTokens): void => {
    const { vectors, weights, allWeights, query } = asked;
    let end = begin;
    const take = (bytes: number): number => {
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
      asked: take(2 * mostAsked * dimension),
      scales: take(8 * mostAsked),
      weights: take(8 * mostAsked),
      allWeights,
      query: take(8 * dimension),
      titled: take(4 * mostAsked),
      best: take(4 * mostAsked * mostBlocks),
      headSum: take(8 * dimension),
      sums: take(8 * dimension * mostBlocks),
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
      // The header holds the sum itself; what follows the file is nothing but zeros until a query is put there.
      exports.check(headerBytes, work, work + 64);
      const [a = 0, b = 0, c = 0, d = 0] = new Int32Array(memory, work + 64, 4);
      return foldSum(a, b, c, d);
    },
    openMeasure: (model, asked) => (title, text) => {
      if (current !== asked) put(model, asked);
      tokens.set(title);
      tokens.set(text, title.length);
      const body = head + 4 * title.length;
      const end = body + 4 * text.length;
      return { cover: exports.cover(head, body, end), nearness: exports.nearness(head, body, end) };
    },
  };
};
