/** Makers of the notes' vectors: a static model, one that is run on this machine, or a server. */
import type { Embedder } from '../embedding/embedder.js';
import { packVectors } from '../embedding/packed-vectors.js';
import type { StaticModel } from '../embedding/static-model.js';
import { staticIdentity, staticPassages } from '../embedding/static-passages.js';
import { textPassages, textRecipe } from '../embedding/text-passages.js';
import type { TextMeaning } from './models/meaning.js';
import type { PassageMaker } from './vectors.js';

/** On this machine, so it may read every note. */
export const staticMaker = (model: StaticModel): PassageMaker => ({
  identity: staticIdentity(model),
  passages: async (notes) => ({ ok: true, value: notes.map((note) => staticPassages(model, note)) }),
  mayRead: () => true,
  batch: 64,
});

/** Elsewhere, so it is given no text of a note that is sensitive or meant for this machine. */
const serverMaker = (embedder: Embedder): PassageMaker => ({
  ...textMaker(embedder),
  mayRead: ({ journal, sensitive }) => journal === 'portable' && !sensitive,
  // Some requests' worth: what was answered before a failure is kept.
  batch: 32,
});

/** On this machine, by a model that reads context. */
const sentenceMaker = (embedder: Embedder): PassageMaker => ({
  ...textMaker(embedder),
  mayRead: () => true,
  batch: 8,
});

/** By where the model is. */
export const textsMaker = ({ embedder, isElsewhere }: TextMeaning): PassageMaker =>
  isElsewhere ? serverMaker(embedder) : sentenceMaker(embedder);

const textMaker = (embedder: Embedder): Pick<PassageMaker, 'identity' | 'passages'> => ({
  identity: `${textRecipe} ${embedder.id}`,
  async passages(notes) {
    const passages = notes.map(textPassages);
    const embedded = await embedder.embed(passages.flat());
    if (!embedded.ok) return embedded;
    const dimension = embedded.value[0]?.length ?? 0;
    let at = 0;
    return {
      ok: true,
      value: passages.map(({ length }) => {
        at += length;
        return packVectors(embedded.value.slice(at - length, at), dimension);
      }),
    };
  },
});
