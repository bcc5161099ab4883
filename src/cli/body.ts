/** Reads the text of a note from an option, a file or standard input. */
import { fstatSync } from 'node:fs';
import { bodyTooLong, maxBodyBytes } from '../commands/limits.js';
import { valueInvalid } from '../commands/refusals.js';
import { readGivenFile } from '../files/given-file.js';
import { refused } from './errors.js';
import { streams } from './output.js';

export type BodyOptions = { readonly body?: string; readonly bodyFile?: string };

/** Piped text may have front matter above it. */
const maxPipedBytes = maxBodyBytes + 1024 * 1024;

export const readGivenBody = ({ body, bodyFile }: BodyOptions): string | undefined => {
  if (body !== undefined) return body;
  if (bodyFile === undefined) return undefined;
  return readText(bodyFile === '-' ? streams.stdin : bodyFile, maxBodyBytes);
};

export const readPipedBody = (): string | undefined => {
  if (!isPiped()) return undefined;
  const text = readText(streams.stdin, maxPipedBytes);
  return text === '' ? undefined : text;
};

/** Returns a warning if front matter has keys that a note can't store; `option` takes the text as it is. */
export const describeLeftOut = (leftOut: readonly string[], option: string): readonly string[] =>
  leftOut.length === 0
    ? []
    : [`left out of the front matter: ${leftOut.join(', ')}; with ${option} the whole text is kept as it is`];

/** A terminal and /dev/null are devices; what a shell pipes or redirects is not. */
const isPiped = (): boolean => {
  try {
    return !fstatSync(streams.stdin).isCharacterDevice();
  } catch {
    return false;
  }
};

const readText = (file: string | number, most: number): string => {
  const read = readGivenFile(file, most);
  const name = typeof file === 'number' ? 'standard input' : file;
  if (read.ok) return decode(read.bytes, name);
  const { problem, why } = read;
  if (problem === 'too-large') throw refused(bodyTooLong(why));
  throw refused(valueInvalid('body-file', 'a file that can be read', `${name} (${why})`));
};

const decode = (bytes: Buffer, from: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refused(valueInvalid('body', 'text in UTF-8', from));
  }
};
