/** Passwords on a command line, where the program and the option say what they are. */
import { makeTools, type Tool } from './command-tools.js';
import { type WordScanner, wordScanner } from './literals.js';
import { type Detector, type Span, spanOf } from './span.js';
import { isCommandSecret } from './statements.js';

const prepare = (): { readonly tools: ReadonlyMap<string, Tool>; readonly scan: WordScanner } => {
  const tools = makeTools();
  return { tools, scan: wordScanner([...tools.keys()], false) };
};
let prepared: ReturnType<typeof prepare> | undefined;

const mostLine = 4000;

/** To the end of the line; one that goes on after a backslash is one line. */
const lineEnd = (text: string, at: number): number => {
  let end = text.indexOf('\n', at);
  while (end > 0 && text[end - 1] === '\\' && end - at < mostLine) end = text.indexOf('\n', end + 1);
  return Math.min(end === -1 ? text.length : end, at + mostLine);
};

const isWordChar = /[\w.-]/;

export const findInCommands: Detector = (text) => {
  prepared ??= prepare();
  const { tools, scan } = prepared;
  const found: Span[] = [];
  /** A tool is looked for once in a line. */
  const doneUntil = new Map<Tool, number>();
  let end = -1;
  scan(text, (at, name) => {
    const tool = tools.get(name);
    if (tool === undefined || (doneUntil.get(tool) ?? 0) > at) return false;
    if (!/\s/.test(text.charAt(at + name.length)) || isWordChar.test(text.charAt(at - 1))) return false;
    if (end <= at) end = lineEnd(text, at);
    doneUntil.set(tool, end);
    const line = text.slice(at, end);
    if (line.includes(tool.needs)) findOptions(tool, line, at, found);
    return false;
  });
  return found;
};

const findOptions = (tool: Tool, line: string, offset: number, found: Span[]): void => {
  const user = /(?:-u|--user(?:name)?|-U)[ =]?["']?([\w.@-]{1,60})/.exec(line)?.[1] ?? '';
  for (const pattern of tool.values) {
    for (const part of line.matchAll(pattern)) {
      const { double, single, bare, value = double ?? single ?? bare ?? '', user: pairUser } = part.groups ?? {};
      const at = offset + part.index + part[0].lastIndexOf(value);
      if (isCommandSecret(value, pairUser ?? user)) found.push(spanOf('command-password', at, value));
    }
  }
};
