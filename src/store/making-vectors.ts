/** Makes the vectors of all notes, outside of a search: a command, and the background worker. */
import type { Settings } from '../config/settings.js';
import type { ModelProblem } from '../embedding/embedder.js';
import { openModel } from '../embedding/models-folder.js';
import { serverMaker, staticMaker } from './passage-makers.js';
import type { CaughtUp, PassageMaker, Vectors } from './vectors.js';

export type VectorsMade = CaughtUp & { readonly model: string };

/** A problem where no model is in use, or it can't be read. What a server answered before it failed is kept. */
export const makeVectors = async ({
  settings,
  vectors,
  exists,
}: {
  readonly settings: Settings;
  readonly vectors: () => Promise<Vectors>;
  exists(): boolean;
}): Promise<VectorsMade | ModelProblem> => {
  const opened = await makerOf(settings);
  if ('code' in opened) return opened;
  const model = settings.searchModel ?? settings.embedding?.model ?? '';
  if (!exists()) return { model, notes: 0, made: 0, left: 0 };
  const { caughtUp } = await (await vectors()).catchUp(opened);
  return { model, ...caughtUp };
};

const makerOf = async ({ home, searchModel, embedding }: Settings): Promise<PassageMaker | ModelProblem> => {
  if (searchModel !== undefined) {
    const opened = openModel(home, searchModel);
    return opened.ok ? staticMaker(opened.value) : opened.problem;
  }
  if (embedding === undefined)
    return { code: 'model-unusable', message: 'no model is in use', next: 'choose one: anamnesis model use NAME' };
  const { url, model, keyVariable, key } = embedding;
  if (keyVariable !== undefined && key === undefined)
    return {
      code: 'model-unusable',
      message: `${keyVariable} is not set, which holds the key of the server`,
      next: `set ${keyVariable} and repeat the command`,
    };
  const { openEndpointEmbedder } = await import('../embedding/endpoint-embedder.js');
  return serverMaker(openEndpointEmbedder({ url, model, key }));
};
