/** Reads the GGE1 format: int8 vectors with a scale for each, and the tokens beside them. Pure. */
import { failRead, type Read, readAs } from './embedder.js';
import { checkSize, getAnother, type ModelParts, textTokens, uncasedBert } from './model-parts.js';

const isGge1 = (bytes: Buffer): boolean => bytes.subarray(0, 4).toString('latin1') === 'GGE1';

const headerBytes = 12;

/** The format doesn't say how text is tokenised; this assumes the way of BERT's uncased models. */
export const readGge1 = (bytes: Buffer): Read<ModelParts> => {
  if (!isGge1(bytes) || bytes.length < headerBytes) return damaged('it is not a GGE1 file');
  const rows = bytes.readUInt32LE(4);
  const dimension = bytes.readUInt32LE(8);
  const size = checkSize(rows, dimension);
  if (!size.ok) return size;
  const scalesAt = headerBytes;
  const valuesAt = scalesAt + 4 * rows;
  const tokensAt = valuesAt + rows * dimension;
  if (tokensAt + 2 * rows > bytes.length) return damaged(`it ends before its ${rows} vectors do`);
  const scales = new Float32Array(rows);
  for (let row = 0; row < rows; row += 1) scales[row] = bytes.readFloatLE(scalesAt + 4 * row);
  if (!scales.every(Number.isFinite)) return damaged('a scale is not a number');
  const tokens: string[] = [];
  let at = tokensAt;
  for (let row = 0; row < rows; row += 1) {
    if (at + 2 > bytes.length) return damaged(`it ends before its ${rows} tokens do`);
    const length = bytes.readUInt16LE(at);
    if (at + 2 + length > bytes.length) return damaged(`it ends before its ${rows} tokens do`);
    tokens.push(bytes.toString('utf8', at + 2, at + 2 + length));
    at += 2 + length;
  }
  if (at !== bytes.length) return damaged('it has more bytes after its last token');
  const values = new Int8Array(bytes.subarray(valuesAt, tokensAt));
  return readAs({ tokenisation: uncasedBert, tokens: textTokens(tokens), dimension, values, scales });
};

const damaged = (what: string) => failRead('model-damaged', `the file of vectors is damaged: ${what}`, getAnother);
