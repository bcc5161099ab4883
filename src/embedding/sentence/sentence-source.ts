/** Reads a sentence model as published: a folder with an ONNX file, its tokenizer, and files that describe it. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { failRead, type Read, readAs } from '../embedder.js';
import { codeOf } from '../installed-models.js';
import {
  fewestTokens,
  type ModelManifest,
  maxDimension,
  mostTokens,
  type Pooling,
  type PublishedModel,
  prefixOf,
} from '../manifest.js';
import { countOf, getAnother, objectOf } from '../model-parts.js';

type Json = Readonly<Record<string, unknown>>;

/** Whether it is a folder with an ONNX file, or such a file, and not a static model's. Never throws. */
export const isSentenceSource = (from: string): boolean => {
  const place = findFiles(from);
  if (place === undefined) return false;
  const config = readJson(place, 'config.json');
  // Model2Vec's folders may have an ONNX file too, but their table is read faster without a runtime.
  return config?.['model_type'] !== 'model2vec' && !architecturesOf(config).includes('StaticModel');
};

/** Never throws. */
export const readSentenceSource = (from: string): Read<PublishedModel> => {
  const place = findFiles(from);
  if (place === undefined) return failRead('model-unreadable', `there is no ONNX file in ${from}`, giveFolder);
  try {
    const manifest = describeModel(place);
    if (!manifest.ok) return manifest;
    const files = Object.fromEntries(describing.map((name) => [name, join(place.folder, name)]));
    return readAs({
      manifest: manifest.value,
      files: { ...files, 'onnx/model.onnx': join(place.folder, place.model) },
    });
  } catch (error) {
    return failRead('model-unreadable', `${from} can't be read: ${codeOf(error)}`, giveFolder);
  }
};

const describing = ['config.json', 'tokenizer.json', 'tokenizer_config.json'] as const;

const describeModel = (place: Place): Read<ModelManifest> => {
  for (const name of describing)
    if (readJson(place, name) === undefined)
      return failRead('model-unreadable', `there is no usable ${name} in ${place.folder}`, giveFolder);
  const config = readJson(place, 'config.json') ?? {};
  const limits = [
    readJson(place, 'sentence_bert_config.json')?.['max_seq_length'],
    readJson(place, 'tokenizer_config.json')?.['model_max_length'],
    config['max_position_embeddings'],
  ].flatMap((limit) => (typeof limit === 'number' && limit >= fewestTokens ? [Math.floor(limit)] : []));
  if (architecturesOf(config).includes('ForSequenceClassification'))
    return unsupported('it judges or sorts texts, and gives no vectors');
  const part = partBesides(readList(place, 'modules.json'));
  if (part !== undefined) return unsupported(`it has a part of type ${JSON.stringify(part)}`);
  const pooling = poolingOf(readJson(place, '1_Pooling/config.json'));
  if (pooling === undefined) return unsupported('its vectors come neither from the first token nor from the mean');
  const dimension = countOf(config['hidden_size'] ?? config['dim'] ?? config['d_model'], 1, maxDimension);
  if (dimension === undefined)
    return failRead('model-damaged', 'config.json does not say how long the vectors are', getAnother);
  // As sentence-transformers stores them; E5 and others find little without them.
  const prompts = objectOf(readJson(place, 'config_sentence_transformers.json')?.['prompts']);
  return readAs({
    role: 'sentences',
    pooling,
    dimension,
    maxTokens: Math.min(mostTokens, ...limits),
    queryPrefix: prefixOf(prompts?.['query']),
    passagePrefix: prefixOf(prompts?.['document'] ?? prompts?.['passage']),
  });
};

const architecturesOf = (config: Json | undefined): string => JSON.stringify(config?.['architectures'] ?? '');

/** Returns the type of a further layer, which the ONNX file need not contain. */
const partBesides = (modules: readonly unknown[]): string | undefined =>
  modules
    .map((one) => String(objectOf(one)?.['type'] ?? '').slice(0, 60))
    .find((type) => !/\.(?:Transformer|Pooling|Normalize)$/.test(type));

const poolingOf = (said: Json | undefined): Pooling | undefined => {
  const chosen = Object.entries(said ?? {})
    .filter(([name, value]) => name.startsWith('pooling_mode_') && value === true)
    .map(([name]) => name);
  if (chosen.length === 0) return 'mean';
  if (chosen.length > 1) return undefined;
  return chosen[0] === 'pooling_mode_mean_tokens' ? 'mean' : chosen[0] === 'pooling_mode_cls_token' ? 'cls' : undefined;
};

type Place = {
  readonly folder: string;
  /** Path of the ONNX file within the folder. */
  readonly model: string;
};

/** The smaller one first: int8 numbers run in half the time and take a quarter of the space. */
const usualModels = ['onnx/model_quantized.onnx', 'onnx/model.onnx', 'model_quantized.onnx', 'model.onnx'] as const;

const findFiles = (from: string): Place | undefined => {
  if (statSync(from, { throwIfNoEntry: false })?.isDirectory() === true) {
    const model = usualModels.find((name) => existsSync(join(from, name)));
    return model === undefined ? undefined : { folder: from, model };
  }
  if (!from.endsWith('.onnx') || !existsSync(from)) return undefined;
  const inside = dirname(from);
  return existsSync(join(inside, 'config.json')) || basename(inside) !== 'onnx'
    ? { folder: inside, model: basename(from) }
    : { folder: dirname(inside), model: `onnx/${basename(from)}` };
};

const readList = (place: Place, name: string): readonly unknown[] => {
  const value = readValue(place, name);
  return Array.isArray(value) ? value : [];
};
const readJson = (place: Place, name: string): Json | undefined => objectOf(readValue(place, name));

/** Undefined for a file that isn't there, or isn't JSON. */
const readValue = ({ folder }: Place, name: string): unknown => {
  const path = join(folder, name);
  try {
    return statSync(path).isFile() ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
  } catch {
    return undefined;
  }
};

const unsupported = (why: string) =>
  failRead('model-unsupported', `the model can't be used for meanings: ${why}`, 'choose a sentence model');

const giveFolder =
  'name a folder with config.json, tokenizer.json, tokenizer_config.json and onnx/model.onnx, as models are published';
