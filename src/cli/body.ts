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

/** Returns the text that an option gives, or undefined. */
export const readGivenBody = ({ body, bodyFile }: BodyOptions): string | undefined => {
  if (body !== undefined) return body;
  if (bodyFile === undefined) return undefined;
  return readText(bodyFile === '-' ? streams.stdin : bodyFile, maxBodyBytes);
};

/** Returns the text that was piped in, or undefined if there is none. */
export const readPipedBody = (): string | undefined => {
  if (!isPiped()) return undefined;
  const text = readText(streams.stdin, maxPipedBytes);
  return text === '' ? undefined : text;
};

/**
 * Checks for text on standard input, for a command that has no use for it. Doesn't wait for input that is open but
 * silent: some programs start others with a pipe that they never close.
 */
export const lookForPipedText = async (): Promise<'text' | 'nothing' | 'open'> => {
  if (!isPiped()) return 'nothing';
  const { stdin } = process;
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve) => {
      stdin.on('data', (chunk) => {
        if (chunk.toString().trim() !== '') resolve('text');
      });
      stdin.once('end', () => resolve('nothing'));
      stdin.once('error', () => resolve('nothing'));
      timer = setTimeout(() => resolve('open'), maxSilenceMs);
    });
  } finally {
    clearTimeout(timer);
    stdin.destroy();
  }
};

const maxSilenceMs = 300;

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
