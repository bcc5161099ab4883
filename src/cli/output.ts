/** Printing: results to stdout, all else to stderr; colours only where a person looks. */
import { fstatSync, statSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import { escapeHidden, inOneLine, withoutHidden } from '../events/note/plain-text.js';
import { wrapLines } from './wrap.js';

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

/** A note is somebody else's text: nothing in it acts on a terminal or hides there. */
export const cleanLine = inOneLine;

/** The same for a text of several lines. */
export const cleanText = withoutHidden;

/**
 * The one door to standard output: what is not cleaned yet is cleaned here, so that no command can forget it. Only our
 * own colours pass, where there are any. A terminal would break a long line in the middle of a word.
 */
export const print = (text: string): void => writeAll(descriptors.stdout, wrapped(shown(text, 'stdout'), 'stdout'));

/** Cleaned, and with its lines as they are: the text of a note, a patch, what a program reads. */
export const printWhole = (text: string): void => writeAll(descriptors.stdout, shown(text, 'stdout'));

/** For text that was asked for unchanged. */
export const printRaw = (text: string): void => writeAll(descriptors.stdout, text);

const ourCodes = new RegExp(`(\\x1b\\[(?:${Object.values(codes).flat().join('|')})m)`);

const shown = (text: string, name: 'stdout' | 'stderr'): string =>
  text.includes('\x1b[') && isColoured(isTerminal(name))
    ? text
        .split(ourCodes)
        .map((part, at) => (at % 2 === 1 ? part : withoutHidden(part)))
        .join('')
    : withoutHidden(text);

/** In a pipe a line stays one line. */
const wrapped = (text: string, name: 'stdout' | 'stderr'): string => {
  const columns = terminalColumns(name);
  return columns === undefined ? text : wrapLines(text, columns);
};

const descriptors = { stdin: 0, stdout: 1, stderr: 2 } as const;

const terminals = new Map<string, boolean>();

/** Asks Node's stream only about a device that may be a terminal: making one of those streams takes 4 ms. */
export const isTerminal = (name: keyof typeof descriptors): boolean => {
  const known = terminals.get(name) ?? (isDevice(descriptors[name]) && process[name].isTTY === true);
  terminals.set(name, known);
  return known;
};

const isDevice = (descriptor: number): boolean => {
  try {
    const stat = fstatSync(descriptor);
    // Nobody reads /dev/null either. On Windows devices have no numbers.
    return stat.isCharacterDevice() && (stat.rdev === 0 || stat.rdev !== statSync(devNull).rdev);
  } catch {
    return false;
  }
};

/** Standard output took no more of the result: its disk is full, or it was closed. Nothing is wrong with the store. */
export class OutputUnwritable extends Error {}

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
      // There is no other place to report that stderr can't be written to.
      if (code === 'EPIPE' || (code !== 'EAGAIN' && descriptor === descriptors.stderr)) return;
      if (code !== 'EAGAIN') throw new OutputUnwritable(String(code), { cause: error });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
};

/** Hidden marks are escaped also where JSON need not: an answer may be looked at in a terminal. */
export const printJson = (value: unknown): void => printWhole(`${escapeHidden(JSON.stringify(value, null, 2))}\n`);

/** One line to the person, beside the result. */
export const say = (line: string): void => {
  writeAll(descriptors.stderr, `${wrapped(cleanLine(line), 'stderr')}\n`);
};

/** Several lines beside the result. */
export const sayText = (text: string): void => writeAll(descriptors.stderr, `${withoutHidden(text)}\n`);

/** Over the line that a terminal's stderr shows now. */
export const sayOver = (line: string): void => writeAll(descriptors.stderr, `\r\x1b[K${cleanLine(line)}`);

/** The line typed at the terminal after the question. */
export const ask = async (question: string): Promise<string> => {
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await terminal.question(cleanLine(question).concat(' '));
  } finally {
    terminal.close();
  }
};

/** Columns of the terminal; none of anything else. */
export const terminalColumns = (name: 'stdout' | 'stderr' = 'stdout'): number | undefined =>
  isTerminal(name) ? process[name].columns || 80 : undefined;

export const sayWarnings = (warnings: readonly string[]): void => {
  for (const warning of warnings) say(`warning: ${warning}`);
};

export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
