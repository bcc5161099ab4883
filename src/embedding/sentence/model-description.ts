/** Works out how to read a published model from what its files say. Pure. */
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

/** JSON files by their subject; undefined for a missing one. */
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
  if (other !== undefined) return unsupported(`it needs ${JSON.stringify(other)} besides tokens`);
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
  if (pooling === undefined) return unsupported('its vectors come neither from the first token nor from the mean');
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

/** True if it gives one number for each pair; several would say which of several labels fits. */
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

/** Returns the type of a further layer, which the ONNX file need not contain. */
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

/** Reads them as sentence-transformers stores them; E5 and others find little without them. */
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
