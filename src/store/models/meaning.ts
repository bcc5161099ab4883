/** The source of meanings for a search: a static model, a model that is run, or a server; or why there is none. */
import type { EmbeddingServer, Settings } from '../../config/settings.js';
import type { Embedder, ModelProblem, Read } from '../../embedding/embedder.js';
import { isRunModel, modelNames, readInstalled } from '../../embedding/installed-models.js';
import { openModel } from '../../embedding/model-cache.js';
import type { StaticModel } from '../../embedding/static-model.js';

export type OpenedMeaning =
  | { readonly kind: 'static'; readonly model: StaticModel }
  | { readonly kind: 'texts'; readonly texts: TextMeaning }
  | { readonly kind: 'none'; readonly problem: ModelProblem };

export type TextMeaning = {
  readonly name: string;
  readonly embedder: Embedder;
  /** True for a server: then not every text may be sent to it. */
  readonly isElsewhere: boolean;
  /** Time limit for a query's vector, in milliseconds: a person or an agent waits for it. */
  readonly queryMs: number;
};

/** Never throws. Loads only a static model, and contacts no server. */
export const openMeaning = async ({ home, searchModel, embedding }: Settings): Promise<OpenedMeaning> => {
  if (searchModel === undefined) return embedding === undefined ? noModel(home) : openServer(embedding);
  if (isRunModel(home, searchModel)) return openSentences(home, searchModel);
  const read = openModel(home, searchModel);
  return read.ok ? { kind: 'static', model: read.value } : { kind: 'none', problem: read.problem };
};

const noModel = (home: string): OpenedMeaning => {
  const next =
    modelNames(home).length === 0
      ? 'none is installed yet: anamnesis model install FOLDER'
      : 'choose one: anamnesis model use NAME';
  return { kind: 'none', problem: { code: 'model-unusable', message: 'no model is in use', next } };
};

const openServer = async ({ url, model, keyVariable, key }: EmbeddingServer): Promise<OpenedMeaning> => {
  if (keyVariable !== undefined && key === undefined)
    return {
      kind: 'none',
      problem: {
        code: 'model-unusable',
        message: `${keyVariable} is not set; it should hold the key of the embedding server`,
        next: `set ${keyVariable} and repeat the command`,
      },
    };
  const { openEndpointEmbedder } = await import('../../embedding/endpoint-embedder.js');
  const embedder = openEndpointEmbedder({ url, model, key });
  return { kind: 'texts', texts: { name: model, embedder, isElsewhere: true, queryMs: 1500 } };
};

/** The first query includes loading the model. */
const sentenceQueryMs = 8000;

const openSentences = async (home: string, name: string): Promise<OpenedMeaning> => {
  const embedder = await openSentenceModel(home, name);
  return embedder.ok
    ? { kind: 'texts', texts: { name, embedder: embedder.value, isElsewhere: false, queryMs: sentenceQueryMs } }
    : { kind: 'none', problem: embedder.problem };
};

/** Returns a problem for a model that is damaged or can't run here. The model is loaded with its first text. */
export const openSentenceModel = async (home: string, name: string): Promise<Read<Embedder>> => {
  const { openSentenceEmbedder } = await import('../../embedding/sentence/sentence-embedder.js');
  const model = readInstalled(home, name);
  return model.ok ? openSentenceEmbedder(model.value) : model;
};
