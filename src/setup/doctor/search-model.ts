/** Checks what search compares meanings with, and reports what leaves this machine for it. */
import type { Settings } from '../../config/settings.js';
import { endpointAddressOf } from '../../embedding/endpoint-embedder.js';
import { isRunModel } from '../../embedding/installed-models.js';
import { openModel } from '../../embedding/model-cache.js';
import { openSentenceModel } from '../../store/models/meaning.js';
import { type Check, type Finding, ok, problem } from './check.js';
import { settingsOf } from './config-check.js';

export const searchModelCheck: Check = {
  name: 'meaning',
  look: async (examined) => {
    const settings = settingsOf(examined);
    return settings === undefined ? [] : lookAtMeaning(settings);
  },
};

const lookAtMeaning = async ({ home, searchModel, embedding }: Settings): Promise<readonly Finding[]> => {
  if (searchModel !== undefined) {
    const opened = isRunModel(home, searchModel)
      ? await openSentenceModel(home, searchModel)
      : openModel(home, searchModel);
    return opened.ok
      ? [ok('meaning', `search compares meanings with ${searchModel}, on this machine`)]
      : [problem('meaning', opened.problem.message, { next: opened.problem.next })];
  }
  if (embedding === undefined) return [];
  const { url, model, keyVariable, key } = embedding;
  const address = endpointAddressOf(url);
  const next = 'choose again: anamnesis model use --endpoint URL --model NAME';
  if (address === undefined) return [problem('meaning', 'embedding_url is not an allowed server address', { next })];
  const host = new URL(address.href).host;
  if (keyVariable !== undefined && key === undefined)
    return [
      problem('meaning', `${keyVariable}, which should hold the key for ${host}, is not set`, {
        next: `set ${keyVariable}`,
      }),
    ];
  return [ok('meaning', `${model} at ${host} receives portable notes that are not sensitive, and search queries`)];
};
