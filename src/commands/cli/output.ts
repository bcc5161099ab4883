/** Printing: results to stdout, all else to stderr; colours only where a person looks. */
import { fstatSync, writeSync } from 'node:fs';
import type { Failure } from './errors.js';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

const codes: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

/** As Node itself decides it: FORCE_COLOR first, then NO_COLOR, then whether it is a terminal. */
const isColoured = (isTerminal: boolean): boolean => {
  const { FORCE_COLOR: force, NO_COLOR: none, TERM: term } = process.env;
  if (force !== undefined) return force !== '0' && force !== 'false';
  return isTerminal && (none ?? '') === '' && term !== 'dumb';
};

export const ink = (style: Style, text: string): string => {
  if (text === '' || !isColoured(isTerminal('stdout'))) return text;
  const [on, off] = codes[style];
  return `\x1b[${on}m${text}\x1b[${off}m`;
};

/** A note is somebody else's text: escape sequences and marks that turn the writing direction stay out of a terminal. */
export const cleanLine = (text: string): string =>
  text.replace(/[\s\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();

/** The same for a text of several lines. */
export const cleanText = (text: string): string =>
  text.replace(/\r\n/g, '\n').replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '');

export const print = (text: string): void => writeAll(descriptors.stdout, text);

const descriptors = { stdin: 0, stdout: 1, stderr: 2 } as const;

const terminals = new Map<string, boolean>();

/** Asks Node's stream only about a device: making one of those streams takes 4 ms. */
export const isTerminal = (name: keyof typeof descriptors): boolean => {
  const known = terminals.get(name) ?? (isDevice(descriptors[name]) && process[name].isTTY === true);
  terminals.set(name, known);
  return known;
};

const isDevice = (descriptor: number): boolean => {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
};

/**
 * Straight to the descriptor, for the same 4 ms. A reader that has seen enough (`| head`) is no failure, and what is
 * left for it is dropped; a pipe that is full for the moment is waited for.
 */
const writeAll = (descriptor: number, text: string): void => {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'EPIPE') return;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
};

/** Control characters are escaped also where JSON need not: an answer may be looked at in a terminal. */
export const printJson = (value: unknown): void => {
  print(
    `${JSON.stringify(value, null, 2).replace(/[\x7f-\x9f]/g, (mark) => `\\u00${mark.charCodeAt(0).toString(16)}`)}\n`,
  );
};

/** One line to the person, beside the result. */
export const say = (line: string): void => {
  writeAll(descriptors.stderr, `${cleanLine(line)}\n`);
};

export const sayWarnings = (warnings: readonly string[]): void => {
  for (const warning of warnings) say(`warning: ${warning}`);
};

export const printFailure = ({ code, message, next, exitCode }: Failure, asJson: boolean): void => {
  process.exitCode = exitCode;
  say(`anamnesis: ${message}; ${next}`);
  if (asJson) printJson({ error: { code, message, next } });
};

/** `2026-06-24 18:33` of the note format's time. */
export const shortTime = (time: string): string => time.slice(0, 16).replace('T', ' ');

export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
