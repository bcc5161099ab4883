/**
 * A sentence model of a few words, as one is published: an ONNX graph written by hand that looks tokens up in a table.
 * It has the inputs and outputs of a BERT, so a real runtime runs it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { floatsOf, madeUpParts, tokenizerOf } from '../made-up-model.js';

const varint = (value: number): Buffer => {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return Buffer.from([...bytes, left]);
    bytes.push((left % 128) | 128);
  }
};
const number = (field: number, value: number): Buffer => Buffer.concat([varint(field * 8), varint(value)]);
const bytes = (field: number, value: Buffer | string): Buffer => {
  const content = Buffer.from(value);
  return Buffer.concat([varint(field * 8 + 2), varint(content.length), content]);
};
const all = (...parts: readonly Buffer[]): Buffer => Buffer.concat(parts);

const float = 1;
const int64 = 7;

type Dimension = number | string;

const valueInfo = (name: string, kind: number, shape: readonly Dimension[]): Buffer => {
  const dims = shape.map((dim) => bytes(1, typeof dim === 'number' ? number(1, dim) : bytes(2, dim)));
  return all(bytes(1, name), bytes(2, bytes(1, all(number(1, kind), bytes(2, all(...dims))))));
};

const tensor = (name: string, kind: number, shape: readonly number[], raw: Buffer, more: Buffer = all()): Buffer =>
  all(...shape.map((dim) => number(1, dim)), number(2, kind), bytes(8, name), bytes(9, raw), more);

type Node = {
  readonly op: string;
  readonly from: readonly string[];
  readonly to: string;
  readonly attributes?: Buffer;
};

const node = ({ op, from, to, attributes = all() }: Node): Buffer =>
  all(...from.map((name) => bytes(1, name)), bytes(2, to), bytes(3, to), bytes(4, op), attributes);

type Graph = {
  readonly nodes: readonly Node[];
  readonly tensors: readonly Buffer[];
  readonly output: { readonly name: string; readonly shape: readonly Dimension[] };
};

const inputNames = ['input_ids', 'attention_mask', 'token_type_ids'];

const modelOf = ({ nodes, tensors, output }: Graph): Buffer => {
  const graph = all(
    ...nodes.map((one) => bytes(1, node(one))),
    bytes(2, 'tiny'),
    ...tensors.map((one) => bytes(5, one)),
    ...inputNames.map((name) => bytes(11, valueInfo(name, int64, ['batch', 'sequence']))),
    bytes(12, valueInfo(output.name, float, output.shape)),
  );
  return all(number(1, 8), bytes(2, 'by hand'), bytes(7, graph), bytes(8, all(bytes(1, ''), number(2, 13))));
};

export type TinyOptions = {
  readonly dimension?: number;
  /** The last dimension of the graph's output, or its name if it has no number. */
  readonly says?: Dimension;
  /** Another file that holds the table. */
  readonly elsewhere?: string;
};

const partsOf = (dimension: number) => {
  const parts = madeUpParts(dimension);
  return {
    tokens: [...parts.tokens, '[SEP]'],
    table: [...floatsOf(parts), ...new Array<number>(dimension).fill(0.01)],
  };
};

/** `last_hidden_state`: each token's row of the table. */
export const tinySentences = ({ dimension = 8, says = dimension, elsewhere }: TinyOptions = {}): Buffer => {
  const { tokens, table } = partsOf(dimension);
  const place =
    elsewhere === undefined ? undefined : all(bytes(13, all(bytes(1, 'location'), bytes(2, elsewhere))), number(14, 1));
  return modelOf({
    nodes: [{ op: 'Gather', from: ['table', 'input_ids'], to: 'last_hidden_state' }],
    tensors: [tensor('table', float, [tokens.length, dimension], Buffer.from(Float32Array.from(table).buffer), place)],
    output: { name: 'last_hidden_state', shape: ['batch', 'sequence', says] },
  });
};

/** Includes the tokens that a BERT puts around texts. */
const tinyTokenizer = (): string => {
  const parts = madeUpParts();
  const tokens = [...parts.tokens, '[SEP]'];
  const ids = { cls: tokens.indexOf('[CLS]'), sep: tokens.indexOf('[SEP]') };
  const special = (id: string, type_id: number) => ({ SpecialToken: { id, type_id } });
  const text = (id: string, type_id: number) => ({ Sequence: { id, type_id } });
  const added = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'].map((content) => ({
    id: tokens.indexOf(content),
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  }));
  return JSON.stringify({
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: added,
    ...JSON.parse(tokenizerOf({ ...parts, tokens })),
    post_processor: {
      type: 'TemplateProcessing',
      single: [special('[CLS]', 0), text('A', 0), special('[SEP]', 0)],
      pair: [special('[CLS]', 0), text('A', 0), special('[SEP]', 0), text('B', 1), special('[SEP]', 1)],
      special_tokens: {
        '[CLS]': { id: '[CLS]', ids: [ids.cls], tokens: ['[CLS]'] },
        '[SEP]': { id: '[SEP]', ids: [ids.sep], tokens: ['[SEP]'] },
      },
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  });
};

const tokenizerConfig = {
  tokenizer_class: 'BertTokenizer',
  model_max_length: 64,
  do_lower_case: true,
  cls_token: '[CLS]',
  sep_token: '[SEP]',
  pad_token: '[PAD]',
  unk_token: '[UNK]',
};

const config = (dimension: number, architecture: string, more: object) => ({
  architectures: [architecture],
  model_type: 'bert',
  hidden_size: dimension,
  max_position_embeddings: 64,
  vocab_size: 24,
  ...more,
});

/** Files by path; a test replaces those that it is about before it writes them. */
export type PublishedFiles = Record<string, string | Buffer>;

export const publishedSentences = (options: TinyOptions = {}): PublishedFiles => ({
  'config.json': JSON.stringify(config(options.dimension ?? 8, 'BertModel', {})),
  'tokenizer.json': tinyTokenizer(),
  'tokenizer_config.json': JSON.stringify(tokenizerConfig),
  'onnx/model.onnx': tinySentences(options),
  '1_Pooling/config.json': JSON.stringify({
    word_embedding_dimension: options.dimension ?? 8,
    pooling_mode_cls_token: false,
    pooling_mode_mean_tokens: true,
  }),
});

export const publish = (folder: string, files: PublishedFiles): string => {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
};
