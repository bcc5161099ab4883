/** Reads a sentence model as published: a folder with an ONNX file, its tokenizer, and files that describe it. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { failRead, type ModelProblem, type Read, readAs } from '../embedder.js';
import { getAnother } from '../model-parts.js';
import { objectOf, parseObject } from '../tokenizer-json.js';
import { codeOf, type FileProblem, type OpenedFile, openBounded, readAll } from './bounded-file.js';
import { type ModelFileName, maxBytesOf } from './manifest.js';
import { type DescribedModel, describeModel } from './model-description.js';
import { readOutline } from './onnx-outline.js';

export type PublishedModel = {
  readonly described: DescribedModel;
  /** Path of each file. */
  readonly sources: Readonly<Record<ModelFileName, string>>;
  /** config.json as installed, without the settings that a runtime would obey. */
  readonly config: Buffer;
};

/** Whether it is a folder with an ONNX file, or such a file, and not a static model's. Never throws. */
export const isPublishedModel = (from: string): boolean => {
  const place = findFiles(from);
  if (place === undefined) return false;
  const config = readPart(place, 'config.json', maxBytesOf['config.json']);
  const said = Buffer.isBuffer(config) ? parseObject(config) : undefined;
  // Model2Vec's folders may have an ONNX file too, but their table is read faster without a runtime.
  return said?.['model_type'] !== 'model2vec' && !JSON.stringify(said?.['architectures'] ?? '').includes('StaticModel');
};

/** Never throws. */
export const readPublishedModel = (from: string): Read<PublishedModel> => {
  const place = findFiles(from);
  if (place === undefined) return failRead('model-unreadable', `there is no ONNX file in ${from}`, giveFolder);
  try {
    return readParts(place);
  } catch (error) {
    return failRead('model-unreadable', `${from} can't be read: ${codeOf(error)}`, giveFolder);
  }
};

const readParts = (place: Place): Read<PublishedModel> => {
  const readJson = (name: string, most: number): Read<Readonly<Record<string, unknown>> | undefined> => {
    const part = readPart(place, name, most);
    if (!Buffer.isBuffer(part)) return part.code === 'missing' ? readAs(undefined) : fileProblem(name, part);
    const object = parseObject(part);
    return object === undefined ? damaged(`${name} is not a JSON object`) : readAs(object);
  };
  const readRequired = (name: ModelFileName): Read<Readonly<Record<string, unknown>>> => {
    const read = readJson(name, maxBytesOf[name]);
    if (!read.ok) return read;
    return read.value === undefined ? missing(name, place) : readAs(read.value);
  };
  const config = readRequired('config.json');
  if (!config.ok) return config;
  const tokenizer = readRequired('tokenizer.json');
  if (!tokenizer.ok) return tokenizer;
  if (objectOf(tokenizer.value['model']) === undefined) return damaged('tokenizer.json holds no tokenizer');
  const tokenizerConfig = readRequired('tokenizer_config.json');
  if (!tokenizerConfig.ok) return tokenizerConfig;
  const others: Record<string, Readonly<Record<string, unknown>> | undefined> = {};
  for (const name of describingFiles) {
    const read = readJson(name, maxBytesOf['config.json']);
    if (!read.ok) return read;
    others[name] = read.value;
  }
  const modules = readModules(place);
  if (!modules.ok) return modules;
  const opened = open(place, place.model, maxBytesOf['onnx/model.onnx']);
  if ('code' in opened) return fileProblem(place.model, opened);
  const outline = readAndClose(opened);
  if (!outline.ok) return outline;
  const described = describeModel({
    config: config.value,
    tokenizerConfig: tokenizerConfig.value,
    pooling: others['1_Pooling/config.json'],
    sentences: others['sentence_bert_config.json'],
    prompts: others['config_sentence_transformers.json'],
    modules: modules.value,
    outline: outline.value,
  });
  if (!described.ok) return described;
  const { 'transformers.js_config': _, ...kept } = config.value;
  return readAs({
    described: described.value,
    config: Buffer.from(`${JSON.stringify(kept)}\n`),
    sources: {
      'config.json': join(place.folder, 'config.json'),
      'tokenizer.json': join(place.folder, 'tokenizer.json'),
      'tokenizer_config.json': join(place.folder, 'tokenizer_config.json'),
      'onnx/model.onnx': join(place.folder, place.model),
    },
  });
};

const describingFiles = [
  '1_Pooling/config.json',
  'sentence_bert_config.json',
  'config_sentence_transformers.json',
] as const;

const readAndClose = (opened: OpenedFile): ReturnType<typeof readOutline> => {
  try {
    return readOutline(opened.readAt, opened.bytes);
  } finally {
    opened.close();
  }
};

/** Reads the list of a model's parts, which only sentence-transformers writes; undefined if it is missing. */
const readModules = (place: Place): Read<readonly unknown[] | undefined> => {
  const part = readPart(place, 'modules.json', maxBytesOf['config.json']);
  if (!Buffer.isBuffer(part)) return part.code === 'missing' ? readAs(undefined) : fileProblem('modules.json', part);
  try {
    const value: unknown = JSON.parse(part.toString('utf8'));
    return Array.isArray(value) ? readAs(value) : damaged('modules.json is not a list');
  } catch {
    return damaged('modules.json is not JSON');
  }
};

type Place = {
  readonly folder: string;
  /** Path of the ONNX file within the folder. */
  readonly model: string;
  /** The folder that a link must not lead out of. */
  readonly root: string;
};

/** The smaller one first: int8 numbers run in half the time and take a quarter of the space. */
const usualModels = ['onnx/model_quantized.onnx', 'onnx/model.onnx', 'model_quantized.onnx', 'model.onnx'] as const;

const findFiles = (from: string): Place | undefined => {
  try {
    if (statSync(from).isDirectory()) {
      const model = usualModels.find((name) => existsSync(join(from, name)));
      return model === undefined ? undefined : placeOf(from, model);
    }
    if (!from.endsWith('.onnx')) return undefined;
    const inside = dirname(from);
    return existsSync(join(inside, 'config.json')) || basename(inside) !== 'onnx'
      ? placeOf(inside, basename(from))
      : placeOf(dirname(inside), `onnx/${basename(from)}`);
  } catch {
    return undefined;
  }
};

/** In Hugging Face's own cache, a snapshot has links to files elsewhere in the model's folder. */
const placeOf = (folder: string, model: string): Place => {
  const real = realpathSync(folder);
  const cached = /^(.*[/\\]models--[^/\\]+)[/\\]snapshots[/\\][^/\\]+$/.exec(real)?.[1];
  return { folder: real, model, root: cached ?? real };
};

const open = ({ folder, root }: Place, name: string, most: number): OpenedFile | FileProblem => {
  const path = join(folder, name);
  try {
    if (!realpathSync(path).startsWith(`${root}${sep}`))
      return { code: 'unreadable', why: 'it is a link that leads out of the folder' };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { code: 'missing', why: 'it is not there' };
  }
  return openBounded(path, most);
};

const readPart = (place: Place, name: string, most: number): Buffer | FileProblem => {
  const opened = open(place, name, most);
  if ('code' in opened) return opened;
  try {
    return readAll(opened);
  } catch (error) {
    return { code: 'unreadable', why: codeOf(error) };
  } finally {
    opened.close();
  }
};

const fileProblem = (name: string, { code, why }: FileProblem): { ok: false; problem: ModelProblem } =>
  code === 'too-large'
    ? failRead('model-too-large', `${name} is too large: ${why}`, 'choose a smaller model')
    : failRead('model-unreadable', `${name} can't be read: ${why}`, giveFolder);

const missing = (name: string, { folder }: Place) =>
  failRead('model-unreadable', `there is no ${name} in ${folder}`, giveFolder);
const damaged = (what: string) => failRead('model-damaged', `the model is damaged: ${what}`, getAnother);

const giveFolder =
  'name a folder with config.json, tokenizer.json, tokenizer_config.json and onnx/model.onnx, as models are published';
