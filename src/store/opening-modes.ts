/** Opens a search by meaning: with a static model, or with vectors of a sentence model or server. */
import type { StaticModel } from '../embedding/static-model.js';
import { searchHybrid } from '../projections/search/hybrid.js';
import { openMeaning } from './models/meaning.js';
import {
  byWords,
  type ModeAsked,
  type ModeStore,
  type NearestPart,
  type OpenedMode,
  type Search,
} from './models/modes.js';

/** Never throws when a model or a server fails. */
export const openMode = async (store: ModeStore, asked: ModeAsked): Promise<OpenedMode> => {
  const meaning = await openMeaning(store.settings);
  switch (meaning.kind) {
    case 'none':
      return byWords(`words alone counted: ${meaning.problem.message}; ${meaning.problem.next}`);
    case 'static':
      return {
        ...(await openModelMode(store, meaning.model, asked)),
        nearestPart: partNearest(meaning.model, asked.text),
        identity: meaning.model.id,
      };
    case 'texts': {
      const { openTextsMode } = await import('./models/opening-vectors.js');
      return { ...(await openTextsMode(store, meaning.texts, asked)), identity: meaning.texts.embedder.id };
    }
  }
};

const partNearest =
  (model: StaticModel, text: string): NearestPart =>
  async (_, body) => {
    const { nearestPart } = await import('../embedding/static-passages.js');
    return nearestPart(model, text, body);
  };

const openModelMode = async (
  { folders, vectors }: ModeStore,
  model: StaticModel,
  { text, mode }: ModeAsked,
): Promise<OpenedMode> => {
  const hybrid: Search = (database, query, preferred) => searchHybrid(database, query, preferred, { model, folders });
  if (mode !== 'semantic') return { about: { mode: 'hybrid' }, search: hybrid };
  const { openStaticVectors } = await import('./models/opening-vectors.js');
  return openStaticVectors(vectors, { model, folders }, hybrid, text);
};
