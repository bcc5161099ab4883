/** Tries the model that search uses on this machine, or the server. */
import type { Refusal } from '../commands/refusals.js';
import type { Settings } from '../config/settings.js';
import type { Embedder } from '../embedding/embedder.js';
import { openEndpointEmbedder } from '../embedding/endpoint-embedder.js';
import { openModel } from '../embedding/models-folder.js';

export type ModelTested = {
  readonly name: string;
  /** None where a server has them. */
  readonly tokens: number | null;
  readonly dimension: number;
  readonly load_ms: number;
  /** To embed a text of about 20 words; with a server, to ask it. */
  readonly text_us: number;
  /** Nearness of a question to a text that answers it, and to one that doesn't: from -1 to 1. */
  readonly examples: readonly { readonly query: string; readonly text: string; readonly cosine: number }[];
};

/** Loads the model as a search does, or asks the server, and tries it. */
export const testModel = async (settings: Settings, name: string | undefined): Promise<ModelTested | Refusal> => {
  const { embedding } = settings;
  if (name === undefined && embedding !== undefined) {
    const { url, model, key } = embedding;
    return tryOut(openEndpointEmbedder({ url, model, key }), { name: model, tokens: null, loadMs: 0 }, 1);
  }
  const started = performance.now();
  const opened = openModel(settings.home, name ?? '');
  const loadMs = performance.now() - started;
  if (!opened.ok) return opened.problem;
  return tryOut(opened.value, { name: name ?? '', tokens: opened.value.rows, loadMs }, rounds);
};

type About = Pick<ModelTested, 'name' | 'tokens'> & { readonly loadMs: number };

const tryOut = async (
  embedder: Embedder,
  { name, tokens, loadMs }: About,
  times: number,
): Promise<ModelTested | Refusal> => {
  const embedded = await embedder.embed([question, ...texts]);
  if (!embedded.ok) return embedded.problem;
  const [query, ...vectors] = embedded.value;
  const taken: number[] = [];
  for (let round = 0; round < times; round += 1) {
    const begun = performance.now();
    await embedder.embed([texts[0]]);
    taken.push((performance.now() - begun) * 1000);
  }
  const textUs = taken.toSorted((a, b) => a - b)[Math.floor(times / 2)] ?? 0;
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
