/**
 * Reads an ONNX file's inputs and outputs, but not its numbers, and checks that it is complete. The file is a protobuf;
 * of most fields only the length is read. Pure.
 */
import { failRead, type Read, readAs } from '../embedder.js';
import { getAnother } from '../model-parts.js';

export type OnnxOutline = {
  readonly inputs: readonly string[];
  readonly outputs: readonly OnnxOutput[];
};

export type OnnxOutput = {
  readonly name: string;
  /** A size that depends on the texts is undefined; empty if the file does not say. */
  readonly shape: readonly (number | undefined)[];
};

/** Returns at most `length` bytes from `offset` on. */
export type ReadAt = (offset: number, length: number) => Uint8Array;

/** Reads no further than `size`. Throws only what `readAt` throws. */
export const readOutline = (readAt: ReadAt, size: number): Read<OnnxOutline> => {
  try {
    return outlineOf({ readAt, left: maxFields }, size);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return error.isDamage
      ? failRead('model-damaged', `the ONNX file is damaged: ${error.message}`, getAnother)
      : failRead('model-unsupported', `the ONNX file ${error.message}`, 'choose another model, or another file of it');
  }
};

class Unreadable extends Error {
  readonly isDamage: boolean;
  constructor(message: string, isDamage = true) {
    super(message);
    this.isDamage = isDamage;
  }
}

/** A large model has about ten thousand. */
const maxFields = 1_000_000;
const maxDepth = 8;
const maxName = 200;

type Source = { readonly readAt: ReadAt; left: number };
/** `value` is for a number; `at` and `length` locate a field of bytes. */
type Field = { readonly number: number; readonly value: number; readonly at: number; readonly length: number };

const outlineOf = (source: Source, size: number): Read<OnnxOutline> => {
  const graphs: Field[] = [];
  for (const field of fieldsOf(source, 0, size)) {
    if (field.number === modelGraph) graphs.push(field);
    if (field.number === modelFunctions)
      for (const one of inside(source, field)) if (one.number === functionNode) checkNode(source, one, 1);
  }
  const [graph, another] = graphs;
  if (graph === undefined || another !== undefined) throw new Unreadable('it is not one graph');
  const stored = new Set<string>();
  const inputs: string[] = [];
  const outputs: OnnxOutput[] = [];
  for (const field of inside(source, graph)) {
    checkPart(source, field, 0);
    if (field.number === graphInitializer) stored.add(nameIn(source, field, tensorName));
    else if (field.number === graphInput) inputs.push(nameIn(source, field, 1));
    else if (field.number === graphOutput)
      outputs.push({ name: nameIn(source, field, 1), shape: shapeOf(source, field) });
  }
  // Older files list their stored tensors among their inputs, too.
  return readAs({ inputs: inputs.filter((name) => !stored.has(name)), outputs });
};

const modelGraph = 7;
const modelFunctions = 25;
const functionNode = 7;
const graphNode = 1;
const graphInitializer = 5;
const graphInput = 11;
const graphOutput = 12;
const graphSparse = 15;
const tensorName = 8;
const tensorExternal = 13;
const tensorLocation = 14;

/** Rejects numbers in another file, which would be read from a path that the model chooses. */
const checkPart = (source: Source, field: Field, depth: number): void => {
  if (depth > maxDepth) throw new Unreadable('has graphs within graphs', false);
  if (field.number === graphNode) checkNode(source, field, depth);
  else if (field.number === graphInitializer) checkTensor(source, field);
  else if (field.number === graphSparse) checkTensors(source, field);
};

const checkNode = (source: Source, node: Field, depth: number): void => {
  for (const attribute of inside(source, node)) {
    if (attribute.number !== nodeAttribute) continue;
    for (const part of inside(source, attribute)) {
      if (part.number === 5 || part.number === 10) checkTensor(source, part);
      else if (part.number === 22 || part.number === 23) checkTensors(source, part);
      else if (part.number === 6 || part.number === 11)
        for (const one of inside(source, part)) checkPart(source, one, depth + 1);
    }
  }
};

const nodeAttribute = 5;

const checkTensors = (source: Source, sparse: Field): void => {
  for (const part of inside(source, sparse)) if (part.number <= 2) checkTensor(source, part);
};

const checkTensor = (source: Source, tensor: Field): void => {
  for (const { number, value } of inside(source, tensor))
    if (number === tensorExternal || (number === tensorLocation && value !== 0))
      throw new Unreadable('keeps its numbers in another file, which is not read', false);
};

/** Follows a ValueInfo: type, tensor, shape, dimensions. */
const shapeOf = (source: Source, info: Field): OnnxOutput['shape'] => {
  const [type] = only(source, info, 2);
  const [tensor] = type === undefined ? [] : only(source, type, 1);
  const [shape] = tensor === undefined ? [] : only(source, tensor, 2);
  return (shape === undefined ? [] : only(source, shape, 1)).map((dimension) => {
    const [known] = only(source, dimension, 1);
    return known !== undefined && known.value > 0 ? known.value : undefined;
  });
};

const only = (source: Source, field: Field, number: number): readonly Field[] =>
  [...inside(source, field)].filter((one) => one.number === number);

const nameIn = (source: Source, field: Field, number: number): string => {
  const [name] = only(source, field, number);
  return name === undefined ? '' : new TextDecoder().decode(source.readAt(name.at, Math.min(name.length, maxName)));
};

const inside = (source: Source, { at, length }: Field): Iterable<Field> => fieldsOf(source, at, at + length);

function* fieldsOf(source: Source, from: number, to: number): Generator<Field> {
  let at = from;
  while (at < to) {
    source.left -= 1;
    if (source.left < 0) throw new Unreadable('has more parts than a model has', false);
    const head = source.readAt(at, Math.min(maxHead, to - at));
    const key = varintIn(head, 0);
    const wire = key.value % 8;
    const begin = at + key.end;
    const value = wire === 0 || wire === 2 ? varintIn(head, key.end) : { value: 0, end: key.end };
    const content = at + value.end;
    const length = wire === 2 ? value.value : wire === 1 ? 8 : wire === 5 ? 4 : 0;
    // A reader that keeps only the last 32 bits would take a longer tag for another field.
    if (![0, 1, 2, 5].includes(wire) || key.value < 8 || key.value > maxTag)
      throw new Unreadable('it is not a protobuf');
    if (content + length > to) throw new Unreadable('it ends too early');
    yield { number: Math.floor(key.value / 8), value: wire === 0 ? value.value : 0, at: content, length };
    at = Math.max(content + length, begin);
  }
}

const maxTag = 2 ** 32 - 1;

/** Two numbers of at most 10 bytes. */
const maxHead = 20;

const varintIn = (bytes: Uint8Array, from: number): { readonly value: number; readonly end: number } => {
  let value = 0;
  for (let at = from; at < bytes.length && at - from < 10; at += 1) {
    const byte = bytes[at] ?? 0;
    value += (byte % 128) * 128 ** (at - from);
    if (byte < 128) return { value, end: at + 1 };
  }
  throw new Unreadable('it ends too early');
};
