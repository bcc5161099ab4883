/** The process that runs a sentence model: a crash of the native runtime ends it alone, and it can be abandoned. */
import { createRequire } from 'node:module';
import { sep } from 'node:path';
import type { SentenceManifest } from '../manifest.js';
import { type FromHost, shorten, type ToHost } from './host-messages.js';
import { poolTokens, toLengthOne } from './pooling.js';

type Tensor = { readonly dims: readonly number[]; readonly data: unknown };
type Open = Extract<ToHost, { readonly kind: 'open' }>;
type Run = (texts: readonly string[]) => Promise<Float32Array>;

type Loaded = (input: unknown, options?: object) => Promise<unknown> | unknown;
type Loader = { from_pretrained(name: string, options: object): Promise<Loaded> };
type Library = {
  readonly env: Record<string, unknown>;
  readonly AutoTokenizer: Loader;
  readonly AutoModel: Loader;
};

const isLoader = (value: unknown): value is Loader =>
  typeof value === 'function' && 'from_pretrained' in value && typeof value.from_pretrained === 'function';

const isLibrary = (value: unknown): value is Library =>
  typeof value === 'object' &&
  value !== null &&
  'env' in value &&
  typeof value.env === 'object' &&
  'AutoTokenizer' in value &&
  isLoader(value.AutoTokenizer) &&
  'AutoModel' in value &&
  isLoader(value.AutoModel);

/** Nothing is fetched and nothing is written: a model is exactly what was installed. */
const offline = {
  allowRemoteModels: false,
  allowLocalModels: true,
  useFS: true,
  useFSCache: false,
  useBrowserCache: false,
  useWasmCache: false,
  cacheDir: null,
};

const open = async ({ entry, models, name, manifest, threads }: Open): Promise<Run> => {
  if (manifest.role === 'static') throw new Error('it is not a model that is run');
  const library: unknown = createRequire(entry)(entry);
  if (!isLibrary(library)) throw new Error(`${entry} is not the expected package`);
  Object.assign(library.env, offline, { localModelPath: `${models}${sep}` });
  const tokenize = await library.AutoTokenizer.from_pretrained(name, { local_files_only: true });
  const model = await library.AutoModel.from_pretrained(name, {
    local_files_only: true,
    subfolder: 'onnx',
    model_file_name: 'model',
    // Loads the file as it is, whatever its type of numbers.
    dtype: 'fp32',
    device: 'cpu',
    use_external_data_format: false,
    session_options: { intraOpNumThreads: threads, interOpNumThreads: 1 },
  });
  return async (texts) => {
    const { maxTokens: max_length } = manifest;
    const tokens = await tokenize([...texts], { padding: true, truncation: true, max_length });
    endTruncated(tokens, Reflect.get(tokenize, 'sep_token_id'), max_length);
    return vectorsIn(await model(tokens), tokens, texts.length, manifest);
  };
};

/** Puts back the token that ends a text: the tokenizer cuts it off, but the model was trained to see it. */
const endTruncated = (tokens: unknown, end: unknown, most: number): void => {
  if (typeof end !== 'number' || !Number.isInteger(end) || !hasField(tokens, 'input_ids')) return;
  const { dims, data } = tensorIn(tokens, 'input_ids');
  const mask = tensorIn(tokens, 'attention_mask').data;
  if (dims[1] !== most || !(data instanceof BigInt64Array) || !(mask instanceof BigInt64Array)) return;
  for (let last = most - 1; last < data.length; last += most) if (mask[last] === 1n) data[last] = BigInt(end);
};

const hasField = (value: unknown, name: string): boolean =>
  typeof value === 'object' && value !== null && name in value;

const vectorsIn = (
  answer: unknown,
  tokens: unknown,
  texts: number,
  { pooling, dimension }: SentenceManifest,
): Float32Array => {
  const output = outputNames.find((name) => hasField(answer, name)) ?? outputNames[0];
  const { dims, data } = tensorIn(answer, output);
  if (!(data instanceof Float32Array)) throw new Error('its vectors are not of 32-bit numbers');
  if (dims[0] !== texts || dims.at(-1) !== dimension)
    throw new Error(`it gives vectors of ${dims.at(-1)} numbers instead of ${dimension}`);
  if (output === 'sentence_embedding') return finite(toLengthOne(data, texts, dimension));
  const mask = tensorIn(tokens, 'attention_mask');
  const count = dims[1] ?? 0;
  if (dims.length !== 3 || mask.dims[1] !== count || data.length !== texts * count * dimension)
    throw new Error('it gives no vector for each token');
  const maskNumbers = mask.data instanceof BigInt64Array ? Array.from(mask.data, Number) : [];
  return finite(poolTokens({ texts, tokens: count, dimension, values: data, mask: maskNumbers }, pooling));
};

/** The outputs that a model may give its vectors in; the first that is there is read. */
const outputNames = ['last_hidden_state', 'token_embeddings', 'sentence_embedding'] as const;

const finite = (vectors: Float32Array | undefined): Float32Array => {
  if (vectors === undefined) throw new Error('it gives values that are not numbers');
  return vectors;
};

/** Reads by Reflect, because a tensor and an answer may be objects with accessors. */
const tensorIn = (value: unknown, name: string): Tensor => {
  const tensor: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  const dims: unknown = typeof tensor === 'object' && tensor !== null ? Reflect.get(tensor, 'dims') : undefined;
  if (typeof tensor !== 'object' || tensor === null || !Array.isArray(dims)) throw new Error(`it gives no ${name}`);
  return { dims: dims.map(Number), data: Reflect.get(tensor, 'data') };
};

const answer = (message: FromHost): void => {
  process.send?.(message, undefined, undefined, () => undefined);
};

const whyOf = (error: unknown): string => shorten(error instanceof Error ? error.message : String(error));

let run: Promise<Run> | undefined;
process.on('message', (message: ToHost) => {
  if (message.kind === 'open') {
    run = open(message);
    run.then(
      () => answer({ kind: 'opened' }),
      (error: unknown) => answer({ kind: 'refused', why: whyOf(error) }),
    );
    return;
  }
  const { ask, texts } = message;
  run
    ?.then((on) => on(texts))
    .then(
      (numbers) => answer({ kind: 'ran', ask, numbers }),
      (error: unknown) => answer({ kind: 'failed', ask, why: whyOf(error) }),
    );
});
// The parent process has ended.
process.on('disconnect', () => process.exit(0));
