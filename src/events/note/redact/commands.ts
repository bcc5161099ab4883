/** Finds passwords on a command line by the program and its option. */
import { type Tool, tools } from './command-tools.js';
import { type Detector, matchAt, type Span, spanOf } from './span.js';
import { isCommandSecret } from './values.js';

const maxCommand = 4000;

/** A quoted text, a redirection, a line continued by a backslash, a blank, or one character of a word. */
const pieceOfCommand =
  /"(?:[^"\\\n]|\\[\s\S]){0,1000}"|'[^'\n]{0,1000}'|\\\r?\n|\\[\s\S]|[<>]&|&>|[^\S\n]{1,200}|[^\s;|&`]/y;
/** Ends the part about the program in a sentence that mentions it; `Z:` is a drive. */
const endInSentence =
  /(?:,|(?<!(?:^|[ \t])[A-Za-z]):)[ \t]+$|[ \t](?:then|and|or|but|before|after|while|needs|uses)[ \t]+$/;

/** Returns where the command ends: at a line end, `;`, `|`, `&` or the quote around it. The rest has other options. */
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

/** Compiled on first use: most processes redact nothing. */
let anyTool: RegExp | undefined;

export const findInCommands: Detector = (text) => {
  anyTool ??= new RegExp(String.raw`(?<![\w.-])(?:${[...tools.keys()].join('|')})(?=\s)`, 'g');
  const found: Span[] = [];
  /** Each tool is searched once per command. */
  const doneUntil = new Map<Tool, number>();
  let end = -1;
  for (const { index: at, 0: word } of text.matchAll(anyTool)) {
    const tool = tools.get(word);
    if (tool === undefined || (doneUntil.get(tool) ?? 0) > at) continue;
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
