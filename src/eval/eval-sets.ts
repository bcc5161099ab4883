/** Finds files of eval cases and reads their lines. */
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Fault } from '../events/faults.js';
import { readGivenFile } from '../files/given-file.js';
import type { Memory } from '../store/memory.js';
import { whyNoCase } from './eval-case-schema.js';

/** memory/eval, where the cases of a store are. */
export const evalFolderOf = (memory: Pick<Memory, 'journals'>): string => join(memory.journals.portable.folder, 'eval');

/** Returns the files given, or all of the store's if none are given. */
export const findSets = (memory: Memory, given: readonly string[] | undefined): readonly string[] => {
  if (given !== undefined && given.length > 0) {
    for (const file of given) if (!existsSync(file)) throw missingSet(`there is no eval set ${file}`);
    return given.map((file) => resolve(file));
  }
  const folder = evalFolderOf(memory);
  const files = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.jsonl'))
        .sort()
    : [];
  if (files.length === 0) throw missingSet(`there is no eval set in ${folder}`);
  return files.map((name) => join(folder, name));
};

const giveSet = 'name one: --eval-set FILE (docs/eval.md has the format), or make one: anamnesis eval build';

const missingSet = (message: string): Fault => new Fault('eval-set-missing', message, giveSet);

/** Returns the parsed lines of a JSONL file; a bad line throws a Fault that names file and line. */
export const readLines = <Value>(file: string, parse: (value: unknown) => Value): readonly Value[] => {
  const read = readGivenFile(file, maxSetBytes);
  if (!read.ok) throw missingSet(`${file} can't be read: ${read.why}`);
  const text = unpack(file, read.bytes).toString('utf8');
  return text.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [parseLine(file, at + 1, line, parse)]));
};

/** Throws a Fault that names file and line. */
export const parseLine = <Value>(file: string, line: number, text: string, parse: (value: unknown) => Value): Value => {
  try {
    return parse(JSON.parse(text));
  } catch (cause) {
    const message = `${file}:${line} is not an eval case: ${whyNoCase(cause)}`;
    throw new Fault('eval-set-missing', message, 'docs/eval.md has the format of a case', { cause });
  }
};

/** Cases are a line each; the largest public set has 30 MB. */
const maxSetBytes = 256 * 1024 * 1024;

const unpack = (file: string, bytes: Buffer): Buffer => {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: maxSetBytes });
  } catch (cause) {
    throw missingSet(`${file} can't be unpacked: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
};
