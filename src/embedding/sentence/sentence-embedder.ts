/** An embedder that runs a sentence model on this machine. No text leaves it. */
import { type Embedder, failRead, type Read, readAs } from '../embedder.js';
import type { InstalledModel } from '../installed-models.js';
import { hostOf } from './host-process.js';
import { findRuntime } from './runtime-package.js';

/** Texts per batch: more take more memory and save hardly any time on a processor. */
const maxTexts = 8;
/** Time limit of each batch. */
const defaultTimeoutMs = 120_000;
/** Characters of a text; more than the tokens that are read. */
const maxChars = 8_192;

/** Fails if the package that runs the model is missing; the model is loaded on first use. */
export const openSentenceEmbedder = (model: InstalledModel): Read<Embedder> => {
  const { name, digest, manifest } = model;
  if (manifest.role !== 'sentences')
    return failRead(
      'model-unsupported',
      `${name} is a static model, which is read and not run`,
      'see: anamnesis model list',
    );
  const runtime = findRuntime();
  if (!runtime.ok) return runtime;
  return readAs({
    id: `sentences-1 ${name}@${digest.slice(0, 16)}`,
    async embed(texts, { as = 'passage', timeoutMs = defaultTimeoutMs } = {}) {
      const prefix = as === 'query' ? manifest.queryPrefix : manifest.passagePrefix;
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += maxTexts) {
        const batch = texts.slice(at, at + maxTexts).map((text) => prefix + text.slice(0, maxChars));
        const answer = await hostOf(model, runtime.value).run(batch, timeoutMs);
        if (!answer.ok) return answer;
        if (answer.value.length !== batch.length * manifest.dimension)
          return failRead(
            'model-unusable',
            `the model ${name} gave a wrong number of vectors`,
            'try: anamnesis model test',
          );
        for (let one = 0; one < batch.length; one += 1)
          vectors.push(answer.value.slice(one * manifest.dimension, (one + 1) * manifest.dimension));
      }
      return readAs(vectors);
    },
  });
};
