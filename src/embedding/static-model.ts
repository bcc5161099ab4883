/** A static model: a text's vector is the mean of its tokens', by BERT's WordPiece. Pure; linear in the text. */
import { normalForm } from '../events/normal-form.js';
import { type Embedder, readAs } from './embedder.js';
import type { Tokenisation } from './model-parts.js';

export type Vocabulary = {
  readonly tokenisation: Tokenisation;
  readonly rows: ReadonlyMap<string, number>;
  /** In UTF-16 units, including the prefix. */
  readonly longestToken: number;
};

export const openVocabulary = (tokenisation: Tokenisation, tokens: readonly string[]): Vocabulary => {
  const rows = new Map<string, number>();
  let longestToken = 0;
  for (const [row, token] of tokens.entries()) {
    if (token !== '') rows.set(token, row);
    longestToken = Math.max(longestToken, token.length);
  }
  return { tokenisation, rows, longestToken };
};

/** The rows of the first `most` tokens, in the order of the text; nothing for a word that is unknown in one of its parts. */
export const tokenize = (vocabulary: Vocabulary, text: string, most: number): readonly number[] => {
  const isAscii = ascii.test(text);
  const found: number[] = [];
  for (const [word] of normalise(text, isAscii, vocabulary.tokenisation).matchAll(isAscii ? asciiWords : words)) {
    if (found.length >= most) break;
    const row = vocabulary.rows.get(word);
    if (row === undefined) addParts(vocabulary, word, found);
    else found.push(row);
  }
  if (found.length > most) found.length = most;
  return found;
};

const ascii = /^[\t\n\r -~]*$/;
/** A punctuation character, including all ASCII symbols, or a run of characters between those and white space. */
const asciiWords = /[!-/:-@[-`{-~]|[^\s!-/:-@[-`{-~]+/g;
const words = /[!-/:-@[-`{-~\p{P}]|[^\s!-/:-@[-`{-~\p{P}]+/gu;

/** Control characters and the like; tab, line feed and return are white space. */
const unseen = /[^\P{C}\p{Cn}\t\n\r]|\ufffd/gu;
/** The blocks that BERT counts as Chinese characters, one of which begins 256 later than Unicode's. */
const chinese =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;

const normalise = (text: string, isAscii: boolean, tokenisation: Tokenisation): string => {
  if (isAscii) return tokenisation.lowerCase ? text.toLowerCase() : text;
  let normal = tokenisation.cleanText ? text.replace(unseen, '').replace(/\s/gu, ' ') : text;
  if (tokenisation.splitChinese) normal = normal.replace(chinese, ' $& ');
  if (tokenisation.stripAccents) normal = normalForm(normal, 'NFD').replace(/\p{Mn}/gu, '');
  // Lower-cases character by character: a sigma at the end of a word stays the common one.
  return tokenisation.lowerCase ? normal.replaceAll('Σ', 'σ').toLowerCase() : normal;
};

/** Adds the longest token that the word begins with, then continues with the rest. */
const addParts = ({ rows, longestToken, tokenisation }: Vocabulary, word: string, found: number[]): void => {
  const { prefix, maxWordLength } = tokenisation;
  if (word.length > maxWordLength && [...word].length > maxWordLength) return;
  const first = found.length;
  for (let from = 0; from < word.length; ) {
    const before = from === 0 ? '' : prefix;
    let end = Math.min(word.length, from + longestToken - before.length);
    let row: number | undefined;
    for (; end > from && row === undefined; end -= 1) row = rows.get(before + word.slice(from, end));
    if (row === undefined) {
      found.length = first;
      return;
    }
    found.push(row);
    from = end + 1;
  }
};
/** The model's numbers by row. A vector is its values times its scale; its length is the norm. */
export type TokenTable = {
  readonly tokenisation: Tokenisation;
  readonly tokens: readonly string[];
  readonly dimension: number;
  readonly values: Int8Array;
  readonly scales: Float32Array;
  readonly norms: Float32Array;
};

export type StaticModel = Embedder &
  Pick<TokenTable, 'dimension' | 'values' | 'scales' | 'norms'> & {
    readonly vocabulary: Vocabulary;
    /** Returns known tokens only. */
    readonly tokensOf: (text: string, most: number) => readonly number[];
  };

/** Beyond this a text's vector says little about any of its parts. */
const maxTokens = 512;

export const openStaticModel = (id: string, { tokenisation, tokens, ...numbers }: TokenTable): StaticModel => {
  const vocabulary = openVocabulary(tokenisation, tokens);
  const model = {
    ...numbers,
    id,
    vocabulary,
    // Cuts long texts early: a token of Latin script has about four letters, and later tokens aren't used.
    tokensOf: (text: string, most: number) => tokenize(vocabulary, text.slice(0, most * maxUnitsPerToken), most),
  };
  return {
    ...model,
    embed: async (texts) => readAs(texts.map((text) => unitVector(model, model.tokensOf(text, maxTokens)))),
  };
};

const maxUnitsPerToken = 12;

type Numbers = Pick<StaticModel, 'dimension' | 'values' | 'scales'>;

/** The tokens' mean, scaled to length 1; zeros without tokens. */
export const unitVector = (model: Numbers, rows: readonly number[]): Float32Array =>
  Float32Array.from(toLengthOne(sumVectors(model, rows, 0, rows.length)));

/** The sum of the vectors of some tokens; it points in the same direction as their mean. */
export const sumVectors = (
  { dimension, values, scales }: Numbers,
  rows: readonly number[],
  from: number,
  to: number,
): Float64Array => {
  const sum = new Float64Array(dimension);
  for (let token = from; token < to && token < rows.length; token += 1) {
    const row = rows[token] ?? 0;
    const scale = scales[row] ?? 0;
    const first = row * dimension;
    for (let at = 0; at < dimension; at += 1) sum[at] = (sum[at] ?? 0) + scale * (values[first + at] ?? 0);
  }
  return sum;
};

export const toLengthOne = (vector: Float64Array): Float64Array => {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return Number.isFinite(length) && length > 0 ? vector.map((value) => value / length) : vector.fill(0);
};
