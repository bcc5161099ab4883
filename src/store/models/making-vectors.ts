/** Makes the vectors of notes, with a static model, a sentence model on this machine, or a server. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../config/settings.js';
import type { Embedder, ModelProblem } from '../../embedding/embedder.js';
import { openModel } from '../../embedding/model-cache.js';
import { packVectors } from '../../embedding/packed-vectors.js';
import type { StaticModel } from '../../embedding/static-model.js';
import { staticIdentity, staticPassages, textPassages, textRecipe } from '../../embedding/static-passages.js';
import { removeVectors, vectorFileOf } from '../../state/vector-file.js';
import { type OpenedMeaning, openMeaning, type TextMeaning } from './meaning.js';
import { type CaughtUp, type PassageMaker, type VectorSource, Vectors } from './vectors.js';

export type VectorsMade = CaughtUp & { readonly model: string };

/** A problem when no model is in use or it can't be read. Vectors made before a model or a server failed are kept. */
export const makeVectors = async ({
  settings,
  vectors,
  exists,
}: {
  readonly settings: Settings;
  readonly vectors: () => Promise<Vectors>;
  exists(): boolean;
}): Promise<VectorsMade | ModelProblem> => {
  const meaning = await openMeaning(settings);
  if (meaning.kind === 'none') return meaning.problem;
  const model = settings.searchModel ?? settings.embedding?.model ?? '';
  if (!exists()) return { model, notes: 0, made: 0, left: 0 };
  const { caughtUp } = await (await vectors()).catchUp(makerOf(meaning));
  return { model, ...caughtUp };
};

export type VectorDigests = {
  /** As found. If a replay shows that they are wrong, they are rebuilt, and `now` is the new digest. */
  readonly before: string;
  readonly now: string;
};

/**
 * The digests of a static model's vectors and of the same rebuilt beside them; undefined without any. Others are
 * skipped: servers may answer differently today, and a model that is run would take minutes.
 */
export const digestVectors = async (source: VectorSource, settings: Settings): Promise<VectorDigests | undefined> => {
  const model = settings.searchModel === undefined ? undefined : openModel(settings.home, settings.searchModel);
  if (model?.ok !== true) return undefined;
  const maker = staticMaker(model.value);
  if (vectorFileOf(source.folder, maker.identity) === undefined) return undefined;
  const digestIn = async (folder: string): Promise<string> => {
    const opened = new Vectors({ ...source, folder });
    try {
      return (await opened.catchUp(maker)).vectors.file.digest();
    } finally {
      opened.close();
    }
  };
  const scratch = join(source.folder, 'vectors-anew');
  rmSync(scratch, { recursive: true, force: true });
  try {
    const before = await digestIn(source.folder);
    const now = await digestIn(scratch);
    if (before === now) return { before, now };
    removeVectors(source.folder);
    return { before, now: await digestIn(source.folder) };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};

const makerOf = (meaning: Exclude<OpenedMeaning, { readonly kind: 'none' }>): PassageMaker =>
  meaning.kind === 'static' ? staticMaker(meaning.model) : textsMaker(meaning.texts);

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
