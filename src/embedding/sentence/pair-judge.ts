/** Judges with a cross-encoder of this machine how well texts answer a question, each read together with it. */
import { failRead, type Read, readAs } from '../embedder.js';
import type { InstalledModel } from '../installed-models.js';
import { hostOf } from './host-process.js';
import { findRuntime } from './runtime-package.js';

export type PairJudge = {
  /** Returns judgements from 0 to 1, in the order of the texts. Never throws. */
  judge(question: string, texts: readonly string[], timeoutMs?: number): Promise<Read<readonly number[]>>;
};

/** A few seconds' work on a slow processor. */
const maxTexts = 32;
const maxChars = 8_192;
/** The question comes first, and must leave room for the text in what the model reads. */
const maxQuestion = 300;
const defaultTimeoutMs = 120_000;

/** Fails if the package that runs the model is missing; the model is loaded on first use. */
export const openPairJudge = (model: InstalledModel): Read<PairJudge> => {
  if (model.manifest.role !== 'pairs')
    return failRead(
      'model-unsupported',
      `${model.name} gives vectors, and judges no pairs of a question and a text`,
      `use it for that: anamnesis model use ${model.name}`,
    );
  const runtime = findRuntime();
  if (!runtime.ok) return runtime;
  return readAs({
    async judge(question, texts, timeoutMs = defaultTimeoutMs) {
      const asked = texts.slice(0, maxTexts).map((text) => text.slice(0, maxChars));
      const answer = await hostOf(model, runtime.value).run(asked, timeoutMs, question.slice(0, maxQuestion));
      if (!answer.ok) return answer;
      return answer.value.length === asked.length
        ? readAs(Array.from(answer.value, (logit) => 1 / (1 + Math.exp(-logit))))
        : failRead(
            'model-unusable',
            `the model ${model.name} judged a wrong number of texts`,
            'try: anamnesis model test',
          );
    },
  });
};
