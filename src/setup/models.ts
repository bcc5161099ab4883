/** Installing, choosing, testing and removing the model that search uses on this machine. */
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Refusal } from '../commands/refusals.js';
import { type ConfigChange, writeConfig } from '../config/config-file.js';
import { parseConfigValue } from '../config/config-values.js';
import type { EmbeddingServer, Settings } from '../config/settings.js';
import type { Embedder } from '../embedding/embedder.js';
import { endpointAddressOf, openEndpointEmbedder } from '../embedding/endpoint-embedder.js';
import {
  isModelName,
  isRunModel,
  modelFolder,
  modelNames,
  modelsFolder,
  putModel,
  readInstalled,
  removeModel,
} from '../embedding/installed-models.js';
import { openModel } from '../embedding/model-cache.js';
import { findRuntime } from '../embedding/sentence/sentence-embedder.js';
import { isSentenceSource, readSentenceSource } from '../embedding/sentence/sentence-source.js';
import { readStaticSource } from '../embedding/static-source.js';
import { removeVectors } from '../state/vector-file.js';
import { openSentenceModel } from '../store/models/meaning.js';
import { withSetupLock } from './lock.js';

export type ListedModel = {
  readonly name: string;
  /** A table of vectors, or a model that is run. */
  readonly kind: 'static' | 'sentences';
  readonly bytes: number | null;
  /** Null for a model that is run. */
  readonly tokens: number | null;
  readonly dimension: number | null;
  readonly in_use: boolean;
  /** Why it can't be used. */
  readonly problem: string | null;
};

export type ModelList = {
  readonly folder: string;
  readonly in_use: string | null;
  readonly endpoint?: ServerInUse | undefined;
  readonly models: readonly ListedModel[];
};

export const listModels = ({ home, searchModel, embedding }: Settings): ModelList => {
  const names = modelNames(home);
  const missing = searchModel === undefined || names.includes(searchModel) ? [] : [searchModel];
  return {
    folder: modelsFolder(home),
    in_use: searchModel ?? null,
    ...(embedding === undefined || searchModel !== undefined ? {} : { endpoint: serverInUse(embedding) }),
    models: [...names, ...missing].map((name) => ({ ...describeModel(home, name), in_use: name === searchModel })),
  };
};

const describeModel = (home: string, name: string): Omit<ListedModel, 'in_use'> => {
  const read = readInstalled(home, name);
  if (!read.ok) {
    return { name, kind: 'static', bytes: null, tokens: null, dimension: null, problem: read.problem.message };
  }
  const { role: kind, dimension } = read.value.manifest;
  const tokens = read.value.manifest.role === 'static' ? read.value.manifest.tokens : null;
  const runtime = kind === 'static' ? undefined : findRuntime();
  const problem = runtime?.ok === false ? `${runtime.problem.message}; ${runtime.problem.next}` : null;
  return { name, kind, bytes: bytesIn(modelFolder(home, name)), tokens, dimension, problem };
};

const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => statSync(join(folder, file)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);

export type ModelInstalled = ListedModel & {
  readonly status: 'installed' | 'unchanged';
  readonly file: string;
  /** SHA-256 of the file that held the vectors. */
  readonly sha256: string;
};

export const installModel = async (
  { home, searchModel }: Settings,
  { from, name: given }: { readonly from: string; readonly name?: string | undefined },
): Promise<ModelInstalled | Refusal> => {
  const path = resolve(from);
  const name = given ?? nameOf(path);
  if (!isModelName(name))
    return {
      code: 'value-invalid',
      message: `${JSON.stringify(name.slice(0, 80))} is not a valid name for a model: letters, digits, ".", "_" and "-", and not "none"`,
      next: 'give one: --name potion-base-2M',
    };
  const published = isSentenceSource(path) ? readSentenceSource(path) : readStaticSource(path);
  if (!published.ok) return published.problem;
  const put = await withSetupLock(home, async () => putModel(home, name, published.value));
  if (!('ok' in put)) return put;
  if (!put.ok) return put.problem;
  const { status, hashes } = put.value;
  return {
    status,
    ...describeModel(home, name),
    in_use: searchModel === name,
    file: modelFolder(home, name),
    sha256: weightFiles.flatMap((file) => hashes[file] ?? [])[0] ?? '',
  };
};

const weightFiles = ['onnx/model.onnx', 'model.safetensors', 'vectors.bin'] as const;

/** Named after the file, or after its folder if the file is only called `model` or `model_…`. */
const nameOf = (path: string): string => {
  const name = basename(path).replace(/\.(?:bin|safetensors|onnx)$/, '');
  const folder = dirname(path);
  if (!/^model(?:_\w+)?$/.test(name)) return name;
  return basename(basename(folder) === 'onnx' ? dirname(folder) : folder);
};

export type ModelUsed = {
  readonly status: 'set' | 'unchanged';
  /** An installed model. */
  readonly in_use: string | null;
  /** A server used in place of a model. */
  readonly endpoint?: ServerInUse | undefined;
};

export type ServerInUse = { readonly url: string; readonly model: string; readonly key_variable: string | null };

export const installedNames = (home: string): readonly string[] => modelNames(home);

/** Undefined chooses none. Refuses a model that can't be read. */
export const chooseModel = async (settings: Settings, name: string | undefined): Promise<ModelUsed | Refusal> => {
  const read = name === undefined ? undefined : await openInstalled(settings.home, name);
  if (read?.ok === false) return read.problem;
  const status = await choose(settings.home, { search_model: name });
  return typeof status === 'string' ? { status, in_use: name ?? null } : status;
};

const openInstalled = async (home: string, name: string) =>
  isRunModel(home, name) ? await openSentenceModel(home, name) : openModel(home, name);

/** Chooses a server; only a search or making vectors sends it anything. Refuses an address that is not allowed. */
export const chooseServer = async (
  settings: Settings,
  { url, model, keyVariable }: EmbeddingServer,
): Promise<ModelUsed | Refusal> => {
  if (endpointAddressOf(url) === undefined)
    return {
      code: 'value-invalid',
      message: 'that is not an allowed server address: it must use https or be on this machine, and hold no password',
      next: 'give one such as https://api.example.com/v1, or http://127.0.0.1:11434/api/embed for Ollama',
    };
  const choice = { embedding_url: url, embedding_model: model, embedding_key_env: keyVariable };
  for (const [key, value] of Object.entries(choice)) {
    const parsed = value === undefined ? undefined : parseConfigValue(key, value);
    if (parsed?.ok === false) return parsed.refusal;
  }
  const status = await choose(settings.home, choice);
  if (typeof status !== 'string') return status;
  return { status, in_use: null, endpoint: serverInUse({ url, model, keyVariable }) };
};

/** Drops the query, which may contain a key. */
const serverInUse = ({ url, model, keyVariable }: EmbeddingServer): ServerInUse => {
  const { origin, pathname } = new URL(url);
  return { url: `${origin}${pathname}`, model, key_variable: keyVariable ?? null };
};

type Choice = Readonly<Partial<Record<(typeof choiceKeys)[number], string | undefined>>>;
const choiceKeys = ['search_model', 'embedding_url', 'embedding_model', 'embedding_key_env'] as const;

/** Replaces the earlier choice and deletes the vectors that belong to it. */
const choose = async (home: string, choice: Choice): Promise<ModelUsed['status'] | Refusal> => {
  const changes: readonly ConfigChange[] = choiceKeys.map((key) => ({ key, value: choice[key] }));
  const written = await withSetupLock(home, async () => writeConfig(home, changes));
  if ('code' in written) return written;
  if (written.changes.length === 0) return 'unchanged';
  removeVectors(join(home, 'index'));
  return 'set';
};

export type ModelRemoved = { readonly status: 'removed'; readonly name: string; readonly was_in_use: boolean };

export const dropModel = async (settings: Settings, name: string): Promise<ModelRemoved | Refusal> => {
  const { home, searchModel } = settings;
  const wasInUse = searchModel === name;
  if (wasInUse) {
    const chosen = await chooseModel(settings, undefined);
    if ('code' in chosen) return chosen;
  }
  const isRemoved = await withSetupLock(home, async () => removeModel(home, name));
  const read = isRemoved || wasInUse ? undefined : readInstalled(home, name);
  return read?.ok === false ? read.problem : { status: 'removed', name, was_in_use: wasInUse };
};

export type ModelTested = {
  readonly name: string;
  /** Null for a model that is run, here or by a server. */
  readonly tokens: number | null;
  readonly dimension: number;
  readonly load_ms: number;
  /** Median time to embed a text of about 20 words; for a server, the time of one request. */
  readonly text_us: number;
  /** Cosine of a question with a text that answers it, and with one that doesn't. */
  readonly examples: readonly { readonly query: string; readonly text: string; readonly cosine: number }[];
};

/** Loads or runs the model as a search does, or calls the server, and measures it. */
export const testModel = async (settings: Settings, name: string | undefined): Promise<ModelTested | Refusal> => {
  const { home, embedding } = settings;
  if (name === undefined && embedding !== undefined) {
    const { url, model, key } = embedding;
    return tryOut(openEndpointEmbedder({ url, model, key }), { name: model, tokens: null, loadMs: 0 }, 1);
  }
  const installed = readInstalled(home, name ?? '');
  if (!installed.ok) return installed.problem;
  const { manifest } = installed.value;
  const started = performance.now();
  const opened = await openInstalled(home, name ?? '');
  if (!opened.ok) return opened.problem;
  // A model that is run loads only with the first text.
  const first = manifest.role === 'static' ? undefined : await opened.value.embed([question]);
  if (first?.ok === false) return first.problem;
  const loadMs = performance.now() - started;
  const tokens = manifest.role === 'static' ? manifest.tokens : null;
  return tryOut(opened.value, { name: name ?? '', tokens, loadMs }, manifest.role === 'static' ? 50 : 10);
};

type About = Pick<ModelTested, 'name' | 'tokens'> & { readonly loadMs: number };

const tryOut = async (
  embedder: Embedder,
  { name, tokens, loadMs }: About,
  times: number,
): Promise<ModelTested | Refusal> => {
  const asked = await embedder.embed([question], { as: 'query' });
  if (!asked.ok) return asked.problem;
  const embedded = await embedder.embed(texts);
  if (!embedded.ok) return embedded.problem;
  const [query] = asked.value;
  const vectors = embedded.value;
  const timesUs: number[] = [];
  for (let round = 0; round < times; round += 1) {
    const textStarted = performance.now();
    await embedder.embed([texts[0]]);
    timesUs.push((performance.now() - textStarted) * 1000);
  }
  const textUs = timesUs.toSorted((a, b) => a - b)[Math.floor(times / 2)] ?? 0;
  const examples = texts.map((text, at) => ({ query: question, text, cosine: round(dot(query, vectors[at])) }));
  return { name, tokens, dimension: query?.length ?? 0, load_ms: round(loadMs), text_us: round(textUs), examples };
};

const question = 'why does the deploy hang';
const texts = [
  'The release job waits for the registry: it can only be reached through the VPN, so connect before you publish anything.',
  'Bread rises best at a steady temperature of 26 degrees; put the bowl into the oven with nothing but the light on.',
] as const;

const round = (value: number): number => Math.round(value * 1000) / 1000;
const dot = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
  (a ?? new Float32Array()).reduce((sum, value, at) => sum + value * (b?.[at] ?? 0), 0);
