/** Passwords on a command line, where the program and the option say what they are. */
import { type Tool, tools } from './command-tools.js';
import { type Detector, type Span, spanOf } from './span.js';
import { isCommandSecret } from './statements.js';

const mostLine = 4000;

/** To the end of the line; one that goes on after a backslash is one line. */
const lineEnd = (text: string, at: number): number => {
  let end = text.indexOf('\n', at);
  while (end > 0 && text[end - 1] === '\\' && end - at < mostLine) end = text.indexOf('\n', end + 1);
  return Math.min(end === -1 ? text.length : end, at + mostLine);
};

const isWordChar = /[\w.-]/;

export const findInCommands: Detector = (text, seen) => {
  const found: Span[] = [];
  /** A tool is looked for once in a line. */
  const doneUntil = new Map<Tool, number>();
  let end = -1;
  for (const { at, word } of seen.tools) {
    const tool = tools.get(word);
    if (tool === undefined || (doneUntil.get(tool) ?? 0) > at) continue;
    if (!/\s/.test(text.charAt(at + word.length)) || isWordChar.test(text.charAt(at - 1))) continue;
    if (end <= at) end = lineEnd(text, at);
    doneUntil.set(tool, end);
    const line = text.slice(at, end);
    if (line.includes(tool.needs)) findOptions(tool, line, at, found);
  }
  return found;
};

const findOptions = (tool: Tool, line: string, offset: number, found: Span[]): void => {
  const user = /(?:-u|--user(?:name)?|-U)[ =]?["']?([\w.@-]{1,60})/.exec(line)?.[1] ?? '';
  for (const pattern of tool.values()) {
    for (const part of line.matchAll(pattern)) {
      const { double, single, bare, value = double ?? single ?? bare ?? '', user: pairUser } = part.groups ?? {};
      const at = offset + part.index + part[0].lastIndexOf(value);
      if (isCommandSecret(value, pairUser ?? user)) found.push(spanOf('command-password', at, value));
    }
  }
};
