/** Prints results to stdout and all else to stderr, with colours only on a terminal. */
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

/** Decides as Node does: FORCE_COLOR first, then NO_COLOR, then whether it is a terminal. */
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

/** Puts text on one line. Notes are untrusted: nothing in them may act on a terminal or hide there. */
export const cleanLine = inOneLine;

/** Does the same for a text, but keeps its lines. */
export const cleanText = withoutHidden;

/** Cleans what isn't clean yet, so that no command can forget to; only our own colours pass. Wraps between words. */
export const print = (text: string): void => writeAll('stdout', wrapped(shown(text, 'stdout'), 'stdout'));

/** Prints cleaned text without wrapping it: a note's text, a patch, output for programs. */
export const printWhole = (text: string): void => writeAll('stdout', shown(text, 'stdout'));

/** Prints text that was asked for unchanged. */
export const printRaw = (text: string): void => writeAll('stdout', text);

const ourCodes = new RegExp(`(\\x1b\\[(?:${Object.values(codes).flat().join('|')})m)`);

const shown = (text: string, name: 'stdout' | 'stderr'): string =>
  text.includes('\x1b[') && isColoured(isTerminal(name))
    ? text
        .split(ourCodes)
        .map((part, at) => (at % 2 === 1 ? part : withoutHidden(part)))
        .join('')
    : withoutHidden(text);

/** Wraps for a terminal; in a pipe a line stays one line. */
const wrapped = (text: string, name: 'stdout' | 'stderr'): string => {
  const columns = terminalColumns(name);
  return columns === undefined ? text : wrapLines(text, columns);
};

type StreamName = 'stdin' | 'stdout' | 'stderr';

const columnsByName = new Map<StreamName, number | undefined>();

/** The process's own streams. A test puts others in their place. */
export const streams = {
  stdin: 0,
  stdout: 1,
  stderr: 2,
  /** Asks Node's stream only about a device that may be a terminal: creating one of those streams takes 4 ms. */
  columns(name: StreamName): number | undefined {
    if (!columnsByName.has(name)) {
      const isTty = isDevice(streams[name]) && process[name].isTTY === true;
      columnsByName.set(name, isTty ? (name !== 'stdin' && process[name].columns) || 80 : undefined);
    }
    return columnsByName.get(name);
  },
};

export const isTerminal = (name: StreamName): boolean => streams.columns(name) !== undefined;

const isDevice = (descriptor: number): boolean => {
  try {
    const stat = fstatSync(descriptor);
    // There is no reader behind /dev/null either. On Windows, devices have no numbers.
    return stat.isCharacterDevice() && (stat.rdev === 0 || stat.rdev !== statSync(devNull).rdev);
  } catch {
    return false;
  }
};

/** Thrown if standard output can't be written: its disk is full, or it was closed. The store is unaffected. */
export class OutputUnwritable extends Error {}

/** Writes to the descriptor, which saves 4 ms. Drops the rest if no one reads on (`| head`); waits for a full pipe. */
const writeAll = (name: 'stdout' | 'stderr', text: string): void => {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(streams[name], bytes, at);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      // There is no other place to report that stderr can't be written to.
      if (code === 'EPIPE' || (code !== 'EAGAIN' && name === 'stderr')) return;
      if (code !== 'EAGAIN') throw new OutputUnwritable(String(code), { cause: error });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
};

/** Escapes hidden characters even where JSON needn't: an answer may be shown in a terminal. */
export const printJson = (value: unknown): void => printWhole(`${escapeHidden(JSON.stringify(value, null, 2))}\n`);

/** Prints one line on stderr, beside the result. */
export const say = (line: string): void => {
  writeAll('stderr', `${wrapped(cleanLine(line), 'stderr')}\n`);
};

/** Prints several lines on stderr, beside the result. */
export const sayText = (text: string): void => writeAll('stderr', `${withoutHidden(text)}\n`);

/** Overwrites the current line of stderr, on a terminal. */
export const sayOver = (line: string): void => writeAll('stderr', `\r\x1b[K${cleanLine(line)}`);

export const ask = async (question: string): Promise<string> => {
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await terminal.question(cleanLine(question).concat(' '));
  } finally {
    terminal.close();
  }
};

/** Returns the columns of the terminal; undefined if it is none. */
export const terminalColumns = (name: StreamName = 'stdout'): number | undefined => streams.columns(name);

export const sayWarnings = (warnings: readonly string[]): void => {
  for (const warning of warnings) say(`warning: ${warning}`);
};

export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
