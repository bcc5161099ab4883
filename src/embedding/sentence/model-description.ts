/** How a published model is read, from what its files say. Pure. */
import { failRead, type Read, readAs } from '../embedder.js';
import { getAnother } from '../model-parts.js';
import { objectOf } from '../tokenizer-json.js';
import {
  countOf,
  fewestTokens,
  maxDimension,
  mostTokens,
  outputNames,
  type PairManifest,
  type Pooling,
  prefixOf,
  type SentenceManifest,
} from './manifest.js';
import type { OnnxOutline } from './onnx-outline.js';

type Json = Readonly<Record<string, unknown>>;

/** JSON files by what they are about; undefined for one that is not there. */
export type SaidOfModel = {
  readonly config: Json;
  readonly tokenizerConfig: Json;
  readonly pooling: Json | undefined;
  readonly sentences: Json | undefined;
  readonly prompts: Json | undefined;
  readonly modules: readonly unknown[] | undefined;
  readonly outline: OnnxOutline;
};

export type DescribedModel = Omit<SentenceManifest, 'files'> | Omit<PairManifest, 'files'>;

export const describeModel = (said: SaidOfModel): Read<DescribedModel> => {
  const { inputs, outputs } = said.outline;
  const other = inputs.find((name) => !knownInputs.includes(name));
  if (other !== undefined) return unsupported(`it asks for ${JSON.stringify(other)} beside tokens`);
  if (!inputs.includes('input_ids')) return unsupported('it does not take tokens');
  if (judgesPairs(said)) return readAs({ role: 'pairs', maxTokens: maxTokensOf(said, 'pairs') });
  const output = outputNames.find((name) => outputs.some((one) => one.name === name));
  if (output === undefined)
    return unsupported(
      `it gives ${
        outputs
          .map(({ name }) => JSON.stringify(name))
          .slice(0, 3)
          .join(', ') || 'nothing'
      } and no vectors of tokens`,
    );
  const part = partBesides(said.modules);
  if (part !== undefined) return unsupported(`it has a part of type ${JSON.stringify(part)}`);
  const pooling = poolingOf(said.pooling);
  if (pooling === undefined) return unsupported('its vectors are made neither of the first token nor of the mean');
  const dimension = dimensionOf(said, output);
  return dimension.ok
    ? readAs({
        role: 'sentences',
        output,
        pooling,
        dimension: dimension.value,
        maxTokens: maxTokensOf(said, 'sentences'),
        ...prefixesOf(said.prompts),
      })
    : dimension;
};

/** One number for each pair; more of them say which of several labels fits. */
const judgesPairs = ({ config, outline: { outputs } }: SaidOfModel): boolean => {
  const [only, another] = outputs;
  const labels = Object.keys(objectOf(config['id2label']) ?? {});
  return (
    only?.name === 'logits' &&
    another === undefined &&
    (only.shape.at(-1) ?? (labels.length || config['num_labels'])) === 1 &&
    JSON.stringify(config['architectures'] ?? '').includes('ForSequenceClassification')
  );
};

const knownInputs: readonly string[] = ['input_ids', 'attention_mask', 'token_type_ids'];

/** A further layer of numbers, which the ONNX file need not hold. */
const partBesides = (modules: SaidOfModel['modules']): string | undefined =>
  modules
    ?.map((one) => String(objectOf(one)?.['type'] ?? '').slice(0, 60))
    .find((type) => !/\.(?:Transformer|Pooling|Normalize)$/.test(type));

const poolingOf = (said: Json | undefined): Pooling | undefined => {
  const chosen = Object.entries(said ?? {})
    .filter(([name, value]) => name.startsWith('pooling_mode_') && value === true)
    .map(([name]) => name);
  if (chosen.length === 0) return 'mean';
  if (chosen.length > 1) return undefined;
  return chosen[0] === 'pooling_mode_mean_tokens' ? 'mean' : chosen[0] === 'pooling_mode_cls_token' ? 'cls' : undefined;
};

const dimensionOf = ({ config, pooling, outline }: SaidOfModel, output: string): Read<number> => {
  const stated = outline.outputs.find(({ name }) => name === output)?.shape.at(-1);
  const claims = [
    stated,
    config['hidden_size'] ?? config['dim'] ?? config['d_model'],
    pooling?.['word_embedding_dimension'],
  ]
    .filter((claim) => claim !== undefined)
    .map((claim) => countOf(claim, 1, maxDimension));
  // A pooled output may be shorter than the vectors of the tokens.
  const all = output === 'sentence_embedding' && stated !== undefined ? claims.slice(0, 1) : claims;
  const [dimension] = all;
  if (dimension === undefined) return damaged('it does not say how long its vectors are, or they are too long');
  return all.every((claim) => claim === dimension)
    ? readAs(dimension)
    : damaged(`its files say that vectors have ${all.map((claim) => claim ?? 'too many').join(', ')} numbers`);
};

const maxTokensOf = ({ config, tokenizerConfig, sentences }: SaidOfModel, role: keyof typeof mostTokens): number => {
  const said = [sentences?.['max_seq_length'], tokenizerConfig['model_max_length'], config['max_position_embeddings']];
  const limits = said.flatMap((limit) =>
    typeof limit === 'number' && limit >= fewestTokens ? [Math.floor(limit)] : [],
  );
  return Math.min(mostTokens[role], ...limits);
};

/** As sentence-transformers keeps them; E5 and others find little without. */
const prefixesOf = (said: Json | undefined): Pick<SentenceManifest, 'queryPrefix' | 'passagePrefix'> => {
  const prompts = objectOf(said?.['prompts']);
  return {
    queryPrefix: prefixOf(prompts?.['query']) ?? '',
    passagePrefix: prefixOf(prompts?.['document']) ?? prefixOf(prompts?.['passage']) ?? '',
  };
};

const unsupported = (why: string) =>
  failRead('model-unsupported', `the model can't be used for meanings: ${why}`, 'choose a sentence model');
const damaged = (what: string) => failRead('model-damaged', `the model is damaged: ${what}`, getAnother);
