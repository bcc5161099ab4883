/** Tries out the model or server that search uses on this machine. */
import type { Refusal } from '../commands/refusals.js';
import type { Settings } from '../config/settings.js';
import type { Embedder } from '../embedding/embedder.js';
import { openEndpointEmbedder } from '../embedding/endpoint-embedder.js';
import { modelNames, readInstalled } from '../embedding/installed-models.js';
import { openModel } from '../embedding/model-cache.js';
import { openSentenceModel } from '../store/models/meaning.js';

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

/** The names of the models in the store. */
export const installedModels = (home: string): readonly string[] => modelNames(home);

/** Loads or runs the model as a search does, or calls the server, and measures it. */
export const testModel = async (settings: Settings, name: string | undefined): Promise<ModelTested | Refusal> => {
  const { embedding } = settings;
  if (name === undefined && embedding !== undefined) {
    const { url, model, key } = embedding;
    return tryOut(openEndpointEmbedder({ url, model, key }), { name: model, tokens: null, loadMs: 0 }, 1);
  }
  const installed = readInstalled(settings.home, name ?? '');
  if (!installed.ok) return installed.problem;
  const { role } = installed.value.manifest;
  if (role === 'sentences') return trySentences(settings.home, name ?? '');
  const started = performance.now();
  const opened = openModel(settings.home, name ?? '');
  const loadMs = performance.now() - started;
  if (!opened.ok) return opened.problem;
  return tryOut(opened.value, { name: name ?? '', tokens: installed.value.manifest.tokens, loadMs }, rounds);
};

/** Counts the first text as load time, because a model that is run loads only then. */
const trySentences = async (home: string, name: string): Promise<ModelTested | Refusal> => {
  const opened = await openSentenceModel(home, name);
  if (!opened.ok) return opened.problem;
  const started = performance.now();
  const first = await opened.value.embed([question]);
  const loadMs = performance.now() - started;
  return first.ok ? tryOut(opened.value, { name, tokens: null, loadMs }, 10) : first.problem;
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
const rounds = 50;

const round = (value: number): number => Math.round(value * 1000) / 1000;
const dot = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
  (a ?? new Float32Array()).reduce((sum, value, at) => sum + value * (b?.[at] ?? 0), 0);
