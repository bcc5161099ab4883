/** Installing, choosing and removing the model that search uses on this machine. */
import { basename, dirname, resolve } from 'node:path';
import type { Refusal } from '../commands/refusals.js';
import { type ConfigChange, writeConfig } from '../config/config-file.js';
import type { Settings } from '../config/settings.js';
import { formatModel } from '../embedding/installed-form.js';
import { readModelSource } from '../embedding/model-source.js';
import {
  isModelName,
  modelFile,
  modelNames,
  modelsFolder,
  openModel,
  putModel,
  readModelFile,
  removeModel,
} from '../embedding/models-folder.js';
import { withSetupLock } from './lock.js';

export type ListedModel = {
  readonly name: string;
  readonly bytes: number | null;
  readonly tokens: number | null;
  readonly dimension: number | null;
  readonly in_use: boolean;
  /** Why it can't be used. */
  readonly problem: string | null;
};

export type ModelList = {
  readonly folder: string;
  readonly in_use: string | null;
  readonly models: readonly ListedModel[];
};

export const listModels = ({ home, searchModel }: Settings): ModelList => {
  const names = modelNames(home);
  const missing = searchModel === undefined || names.includes(searchModel) ? [] : [searchModel];
  return {
    folder: modelsFolder(home),
    in_use: searchModel ?? null,
    models: [...names, ...missing].map((name) => ({ ...describeModel(home, name), in_use: name === searchModel })),
  };
};

const describeModel = (home: string, name: string): Omit<ListedModel, 'in_use'> => {
  const read = readModelFile(home, name);
  if (!read.ok) return { name, bytes: null, tokens: null, dimension: null, problem: read.problem.message };
  const { rows, dimension } = read.value.model;
  return { name, bytes: read.value.bytes.length, tokens: rows, dimension, problem: null };
};

export type InstallAsked = {
  readonly from: string;
  readonly name?: string | undefined;
  readonly sha256: readonly string[];
};

export type ModelInstalled = ListedModel & {
  readonly status: 'installed' | 'unchanged';
  readonly file: string;
  /** Of the file that held the vectors. */
  readonly sha256: string;
};

export const installModel = async (
  settings: Settings,
  { from, name: given, sha256 }: InstallAsked,
): Promise<ModelInstalled | Refusal> => {
  const { home } = settings;
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
  const source = await readModelSource(
    isAddress ? from : resolve(from),
    sha256.map((hash) => hash.toLowerCase()),
  );
  if (!source.ok) return source.problem;
  const formatted = formatModel(source.value.parts);
  if (!formatted.ok) return formatted.problem;
  return withSetupLock(home, async () => {
    const before = readModelFile(home, name);
    const isSame = before.ok && before.value.bytes.equals(formatted.value);
    if (!isSame) putModel(home, name, formatted.value);
    return {
      status: isSame ? 'unchanged' : 'installed',
      ...describeModel(home, name),
      in_use: settings.searchModel === name,
      file: modelFile(home, name),
      sha256: source.value.sha256,
    };
  });
};

/** Of the folder, or of the file where its name says more than its kind. */
const nameOf = (path: string): string => {
  const name = basename(path).replace(/\.(?:bin|safetensors)$/, '');
  return name === 'model' ? basename(dirname(path)) : name;
};

export type ModelUsed = { readonly status: 'set' | 'unchanged'; readonly in_use: string | null };

/** Undefined for none. A model that can't be read is refused. */
export const chooseModel = async (settings: Settings, name: string | undefined): Promise<ModelUsed | Refusal> => {
  if (name !== undefined) {
    const read = openModel(settings.home, name);
    if (!read.ok) return read.problem;
  }
  const change: ConfigChange = { key: 'search_model', value: name };
  const written = await withSetupLock(settings.home, async () => writeConfig(settings.home, [change]));
  if ('code' in written) return written;
  return { status: written.changes.length === 0 ? 'unchanged' : 'set', in_use: name ?? null };
};

export type ModelRemoved = { readonly status: 'removed'; readonly name: string; readonly was_in_use: boolean };

export const dropModel = async (settings: Settings, name: string): Promise<ModelRemoved | Refusal> => {
  const { home, searchModel } = settings;
  if (searchModel === name) {
    const chosen = await chooseModel(settings, undefined);
    if ('code' in chosen) return chosen;
  }
  const isRemoved = await withSetupLock(home, async () => removeModel(home, name));
  if (isRemoved || searchModel === name) return { status: 'removed', name, was_in_use: searchModel === name };
  const read = readModelFile(home, name);
  return read.ok
    ? { code: 'model-unknown', message: `there is no model ${name}`, next: 'see: anamnesis model list' }
    : read.problem;
};

export type ModelTested = {
  readonly name: string;
  readonly tokens: number;
  readonly dimension: number;
  readonly load_ms: number;
  /** To embed a text of about 20 words. */
  readonly text_us: number;
  /** Nearness of a question to a text that answers it, and to one that doesn't: from -1 to 1. */
  readonly examples: readonly { readonly query: string; readonly text: string; readonly cosine: number }[];
};

/** Loads it as a search does, and tries it. */
export const testModel = async (settings: Settings, name: string): Promise<ModelTested | Refusal> => {
  const started = performance.now();
  const opened = openModel(settings.home, name);
  const loadMs = performance.now() - started;
  if (!opened.ok) return opened.problem;
  const model = opened.value;
  const [query] = await model.embed([question]);
  const vectors = await model.embed(texts);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const begun = performance.now();
    await model.embed([texts[0]]);
    times.push((performance.now() - begun) * 1000);
  }
  const textUs = times.toSorted((a, b) => a - b)[rounds / 2] ?? 0;
  const examples = texts.map((text, at) => ({ query: question, text, cosine: round(dot(query, vectors[at])) }));
  return {
    name,
    tokens: model.rows,
    dimension: model.dimension,
    load_ms: round(loadMs),
    text_us: round(textUs),
    examples,
  };
};

const question = 'why does the deploy hang';
const texts = [
  'The release job waits for the registry: it can only be reached through the VPN, so connect before you publish anything.',
  'Bread rises best at a steady temperature of 26 degrees; put the bowl into the oven with nothing but the light on.',
] as const;
const rounds = 50;

const round = (value: number): number => Math.round(value * 1000) / 1000;
const dot = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
  (a ?? new Float32Array()).reduce((sum, value, at) => sum + value * (b?.[at] ?? 0), 0);
