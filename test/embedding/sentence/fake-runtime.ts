/** A fake of the package that runs models, for when the real one is not installed or has to fail. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runtimeVariable } from '../../../src/embedding/sentence/sentence-embedder.js';
import { floatsOf, madeUpParts } from '../made-up-model.js';

/** JavaScript to insert where the package loads or runs a model; each part can use `exports`. */
export type FakeParts = {
  readonly version?: string;
  readonly load?: string;
  readonly run?: string;
};

/** Gives the words of the made-up model its vectors. Returns the folder to name in the environment. */
export const writeRuntime = (folder: string, { version = '4.3.1', load = '', run = '' }: FakeParts = {}): string => {
  const place = join(folder, 'node_modules', '@huggingface', 'transformers');
  mkdirSync(join(place, 'dist'), { recursive: true });
  const named = { name: '@huggingface/transformers', version, main: './dist/transformers.cjs' };
  writeFileSync(join(place, 'package.json'), JSON.stringify(named));
  const parts = madeUpParts();
  const floats = floatsOf(parts);
  const vectors = Object.fromEntries(
    parts.tokens.map((token, row) => [token, [...floats.slice(8 * row, 8 * row + 8)]]),
  );
  writeFileSync(
    join(place, 'dist', 'transformers.cjs'),
    `const vectors = ${JSON.stringify(vectors)};
     const unknown = new Array(8).fill(0.01);
     exports.env = {};
     exports.AutoTokenizer = class {
       static async from_pretrained(name, options) {
         return (texts, { max_length }) => {
           const words = texts.map((text) => ['[CLS]', ...(text.toLowerCase().match(/\\w+/g) ?? [])].slice(0, max_length));
           const count = Math.max(...words.map(({ length }) => length));
           const mask = words.flatMap((own) => Array.from({ length: count }, (_, at) => (at < own.length ? 1n : 0n)));
           return { words, texts, attention_mask: { dims: [texts.length, count], data: BigInt64Array.from(mask) } };
         };
       }
     };
     exports.AutoModel = class {
       static async from_pretrained(name, options) {
         console.log('what a library prints');
         ${load}
         return async ({ words, texts, attention_mask: { dims: [, count] } }) => {
           ${run}
           const rows = words.flatMap((own) =>
             Array.from({ length: count }, (_, at) => vectors[own[at]] ?? unknown));
           return { last_hidden_state: { dims: [texts.length, count, 8], data: Float32Array.from(rows.flat()) } };
         };
       }
     };`,
  );
  return folder;
};

/** Names the folder in the environment of this process. Returns a function that restores it. */
export const useRuntime = (folder: string | undefined): (() => void) => {
  const before = process.env[runtimeVariable];
  if (folder === undefined) delete process.env[runtimeVariable];
  else process.env[runtimeVariable] = folder;
  return () => {
    if (before === undefined) delete process.env[runtimeVariable];
    else process.env[runtimeVariable] = before;
  };
};
