/** Formats lines of a diff for a terminal, in the usual colours. */
import { cleanText, ink } from './output.js';

/** Also splits where a terminal ends a line, repeating the sign: a note could write lines that look like ours. */
export const patchLines = (line: string): readonly string[] => {
  const sign = /^[-+ ]/.exec(line)?.[0] ?? ' ';
  const [first = '', ...rest] = line.replace(/\r$/, '').split(/\r\n?|[\v\f\u0085\u2028\u2029]/);
  return [first, ...rest.map((part) => `${sign}${part}`)].map((part) => inkLine(cleanText(part)));
};

const inkLine = (line: string): string => {
  if (/^(?:diff |index |--- |\+\+\+ )/.test(line)) return ink('bold', line);
  if (line.startsWith('@@')) return ink('cyan', line);
  if (line.startsWith('+')) return ink('green', line);
  return line.startsWith('-') ? ink('red', line) : line;
};

export const formatPatch = (text: string): string => text.split('\n').flatMap(patchLines).join('\n');
