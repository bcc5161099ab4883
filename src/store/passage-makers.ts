/** Makers of the notes' vectors: a static model, a sentence model on this machine, or a server. */
import type { Embedder } from '../embedding/embedder.js';
import { packVectors } from '../embedding/packed-vectors.js';
import type { StaticModel } from '../embedding/static-model.js';
import { staticIdentity, staticPassages } from '../embedding/static-passages.js';
import { textPassages, textRecipe } from '../embedding/text-passages.js';
import type { TextMeaning } from './models/meaning.js';
import type { PassageMaker } from './vectors.js';

/** Runs on this machine, so it may read every note. */
export const staticMaker = (model: StaticModel): PassageMaker => ({
  identity: staticIdentity(model),
  passages: async (notes) => ({ ok: true, value: notes.map((note) => staticPassages(model, note)) }),
  mayRead: () => true,
  batch: 64,
});

/** Runs elsewhere, so it gets no text of a sensitive or machine-local note. */
const serverMaker = (embedder: Embedder): PassageMaker => ({
  ...textMaker(embedder),
  mayRead: ({ journal, sensitive }) => journal === 'portable' && !sensitive,
  // A few requests' worth: results from before a failure are kept.
  batch: 32,
});

/** Runs a model that reads context on this machine. */
const sentenceMaker = (embedder: Embedder): PassageMaker => ({
  ...textMaker(embedder),
  mayRead: () => true,
  batch: 8,
});

/** Chooses the maker by where the model runs. */
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
