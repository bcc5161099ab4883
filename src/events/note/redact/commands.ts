/** Passwords on a command line, where the program and the option say what they are. */
import { type Tool, tools } from './command-tools.js';
import { type Detector, matchAt, type Span, spanOf } from './span.js';
import { isCommandSecret } from './statements.js';

const maxCommand = 4000;

/** A quoted text, a redirection, a line that goes on after its backslash, a blank; or one character of a word. */
const pieceOfCommand =
  /"(?:[^"\\\n]|\\[\s\S]){0,1000}"|'[^'\n]{0,1000}'|\\\r?\n|\\[\s\S]|[<>]&|&>|[^\S\n]{1,200}|[^\s;|&`]/y;
/** In a sentence that speaks of the program, what ends the part about it; `Z:` is a drive. */
const endInSentence =
  /(?:,|(?<!(?:^|[ \t])[A-Za-z]):)[ \t]+$|[ \t](?:then|and|or|but|before|after|while|needs|uses)[ \t]+$/;

/** Up to what ends the command: a line, `;`, `|`, `&`, the quote around it. What follows has options of its own. */
const commandEnd = (text: string, start: number): number => {
  let at = start;
  while (at < text.length && at - start < maxCommand) {
    const piece = matchAt(pieceOfCommand, text, at)?.[0];
    if (piece === undefined) break;
    at += piece.length;
    if (isBlank(piece) && endInSentence.test(text.slice(Math.max(start, at - 20), at))) break;
  }
  return Math.min(at, start + maxCommand);
};
const isBlank = (piece: string): boolean => piece.startsWith(' ') || piece.startsWith('\t');

const isWordChar = /[\w.-]/;

export const findInCommands: Detector = (text, seen) => {
  const found: Span[] = [];
  /** A tool is looked for once in a command. */
  const doneUntil = new Map<Tool, number>();
  let end = -1;
  for (const { at, word } of seen.tools) {
    const tool = tools.get(word);
    if (tool === undefined || (doneUntil.get(tool) ?? 0) > at) continue;
    if (!/\s/.test(text.charAt(at + word.length)) || isWordChar.test(text.charAt(at - 1))) continue;
    if (end <= at) end = commandEnd(text, at);
    doneUntil.set(tool, end);
    const command = text.slice(at, end);
    if (command.includes(tool.needs)) findOptions(tool, command, at, found);
  }
  return found;
};

const findOptions = (tool: Tool, command: string, offset: number, found: Span[]): void => {
  const user = /(?:-u|--user(?:name)?|-U)[ =]?["']?([\w.@-]{1,60})/.exec(command)?.[1] ?? '';
  for (const pattern of tool.values()) {
    for (const part of command.matchAll(pattern)) {
      const { double, single, bare, value = double ?? single ?? bare ?? '', user: pairUser } = part.groups ?? {};
      const at = offset + part.index + part[0].lastIndexOf(value);
      if (isCommandSecret(value, pairUser ?? user)) found.push(spanOf('command-password', at, value));
    }
  }
};
