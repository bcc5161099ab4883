/** Installing, choosing and removing the model that search uses on this machine. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { Refusal } from '../commands/refusals.js';
import { type ConfigChange, writeConfig } from '../config/config-file.js';
import { parseConfigValue } from '../config/config-values.js';
import type { EmbeddingServer, Settings } from '../config/settings.js';
import { downloadModel } from '../embedding/download.js';
import { endpointAddressOf } from '../embedding/endpoint-address.js';
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
import { findDownloaded } from '../embedding/sentence/downloaded-model.js';
import { findRuntime } from '../embedding/sentence/runtime-package.js';
import { isSentenceSource, readSentenceSource } from '../embedding/sentence/sentence-source.js';
import { readStaticSource } from '../embedding/static-source.js';
import { removeVectors } from '../state/vector-file.js';
import { openJudge, openSentenceModel } from '../store/models/meaning.js';
import { withSetupLock } from './lock.js';

export type ListedModel = {
  readonly name: string;
  /** A table of vectors, or a model that is run: to embed texts, or to judge pairs of them. */
  readonly kind: 'static' | 'sentences' | 'pairs';
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
  /** The model that judges the first hits. */
  readonly rerank?: string | undefined;
  readonly endpoint?: ServerInUse | undefined;
  readonly models: readonly ListedModel[];
};

export const listModels = ({ home, searchModel, rerankModel, embedding }: Settings): ModelList => {
  const names = modelNames(home);
  const chosen = [searchModel, rerankModel].flatMap((name) => name ?? []);
  const missing = chosen.filter((name) => !names.includes(name));
  return {
    folder: modelsFolder(home),
    in_use: searchModel ?? null,
    ...(rerankModel === undefined ? {} : { rerank: rerankModel }),
    ...(embedding === undefined || searchModel !== undefined
      ? {}
      : {
          endpoint: serverInUse(embedding),
        }),
    models: [...names, ...missing].map((name) => ({ ...describeModel(home, name), in_use: chosen.includes(name) })),
  };
};

const describeModel = (home: string, name: string): Omit<ListedModel, 'in_use'> => {
  const read = readInstalled(home, name);
  if (!read.ok)
    return { name, kind: 'static', bytes: null, tokens: null, dimension: null, problem: read.problem.message };
  const { manifest } = read.value;
  const runtime = manifest.role === 'static' ? undefined : findRuntime();
  return {
    name,
    kind: manifest.role,
    bytes: bytesIn(modelFolder(home, name)),
    tokens: manifest.role === 'static' ? manifest.tokens : null,
    dimension: manifest.role === 'pairs' ? null : manifest.dimension,
    problem: runtime?.ok === false ? `${runtime.problem.message}; ${runtime.problem.next}` : null,
  };
};

const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => statSync(join(folder, file)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);

export type InstallAsked = {
  readonly from: string;
  readonly name?: string | undefined;
  readonly sha256: readonly string[];
};

export type ModelInstalled = ListedModel & {
  readonly status: 'installed' | 'unchanged';
  readonly file: string;
  /** SHA-256 of the file that held the vectors. */
  readonly sha256: string;
};

export const installModel = async (
  settings: Settings,
  { from, name: given, sha256 }: InstallAsked,
): Promise<ModelInstalled | Refusal> => {
  const isAddress = /^https?:\/\//i.test(from);
  if (isAddress && !URL.canParse(from))
    return { code: 'value-invalid', message: `${from} is not a valid address`, next: 'check it' };
  const name = given ?? nameOf(isAddress ? new URL(from).pathname : resolve(from));
  if (!isModelName(name))
    return {
      code: 'value-invalid',
      message: `${JSON.stringify(name.slice(0, 80))} is not a valid name for a model: letters, digits, ".", "_" and "-", and not "none"`,
      next: 'give one: --name potion-base-2M',
    };
  if (isAddress && sha256.length === 0)
    return {
      code: 'model-unreadable',
      message: 'a model from an address needs the SHA-256 of each of its files',
      next: 'add: --sha256 HASH',
    };
  if (isAddress && new URL(from).pathname.endsWith('.onnx'))
    return {
      code: 'model-unsupported',
      message: 'a sentence model consists of several files, which are not downloaded',
      next: 'download its folder yourself, then run: anamnesis model install FOLDER',
    };
  const hashes = sha256.map((hash) => hash.toLowerCase());
  if (!isAddress) return installFrom(settings, findDownloaded(from) ?? resolve(from), name, hashes);
  const folder = mkdtempSync(join(tmpdir(), 'anamnesis-model-'));
  try {
    const downloaded = await downloadModel(new URL(from), hashes, folder);
    return downloaded.ok ? await installFrom(settings, downloaded.value, name, hashes) : downloaded.problem;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const installFrom = async (
  { home, searchModel, rerankModel }: Settings,
  from: string,
  name: string,
  hashes: readonly string[],
): Promise<ModelInstalled | Refusal> => {
  const published = isSentenceSource(from) ? readSentenceSource(from) : readStaticSource(from);
  if (!published.ok) return published.problem;
  const put = await withSetupLock(home, async () => putModel(home, name, published.value, hashes));
  if (!('ok' in put)) return put;
  if (!put.ok) return put.problem;
  const { status, hashes: kept } = put.value;
  return {
    status,
    ...describeModel(home, name),
    in_use: [searchModel, rerankModel].includes(name),
    file: modelFolder(home, name),
    sha256: weightFiles.flatMap((file) => kept[file] ?? [])[0] ?? '',
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

/** Names of all installed models, readable or not. */
export const installedNames = ({ home }: Pick<Settings, 'home'>): readonly string[] => modelNames(home);

/** Undefined chooses none. Refuses a model that can't be read. */
export const chooseModel = async (settings: Settings, name: string | undefined): Promise<ModelUsed | Refusal> => {
  if (name !== undefined) {
    const read = isRunModel(settings.home, name)
      ? await openSentenceModel(settings.home, name)
      : openModel(settings.home, name);
    if (!read.ok) return read.problem;
  }
  const status = await choose(settings.home, { search_model: name });
  return typeof status === 'string' ? { status, in_use: name ?? null } : status;
};

export type RerankerUsed = { readonly status: ModelUsed['status']; readonly rerank: string | null };

/** Undefined chooses none. Keeps the vectors, because a reranker reads texts. */
export const chooseReranker = async ({ home }: Settings, name: string | undefined): Promise<RerankerUsed | Refusal> => {
  if (name !== undefined) {
    const read = await openJudge(home, name);
    if (!read.ok) return read.problem;
  }
  const written = await withSetupLock(home, async () => writeConfig(home, [{ key: 'rerank_model', value: name }]));
  if ('code' in written) return written;
  return { status: written.changes.length === 0 ? 'unchanged' : 'set', rerank: name ?? null };
};

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
  const values = [url, model, ...(keyVariable === undefined ? [] : [keyVariable])];
  const names = ['embedding_url', 'embedding_model', 'embedding_key_env'] as const;
  for (const [at, value] of values.entries()) {
    const parsed = parseConfigValue(names[at] ?? '', value);
    if (!parsed.ok) return parsed.refusal;
  }
  const status = await choose(settings.home, {
    embedding_url: url,
    embedding_model: model,
    embedding_key_env: keyVariable,
  });
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
  const { home, searchModel, rerankModel } = settings;
  const wasInUse = [searchModel, rerankModel].includes(name);
  if (rerankModel === name) {
    const chosen = await chooseReranker(settings, undefined);
    if ('code' in chosen) return chosen;
  }
  if (searchModel === name) {
    const chosen = await chooseModel(settings, undefined);
    if ('code' in chosen) return chosen;
  }
  const isRemoved = await withSetupLock(home, async () => removeModel(home, name));
  if (isRemoved || wasInUse) return { status: 'removed', name, was_in_use: wasInUse };
  const read = readInstalled(home, name);
  return read.ok ? { status: 'removed', name, was_in_use: false } : read.problem;
};
