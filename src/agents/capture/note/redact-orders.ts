/** Removes dangerous commands and orders from a session's note, which is injected into later sessions. Pure. */
import { runsDownloadedCode } from '../../learn/downloaded-code.js';
import { exposesMachine } from '../../learn/machine-exposure.js';
import { plainLetters } from '../../learn/plain-letters.js';
import { givesOrders } from '../../learn/poison.js';

/**
 * Replaces each command that runs downloaded code or opens the machine, and each order to an agent, with a mark: the
 * note says that there was one, only the transcript says which. Replaces as little as possible: a piece of code, a
 * sentence or a line, and several lines only where a match spans them.
 */
export const redactOrders = (text: string): string => {
  const visible = text.replace(unseen, '');
  if (markOf(visible) === undefined) return visible;
  const lines = visible.split('\n').map(cleanLine);
  for (const window of [2, 4]) {
    for (let at = 0; at + window <= lines.length; at += 1) {
      const mark = markOf(lines.slice(at, at + window).join('\n'));
      if (mark !== undefined) lines.splice(at, window, mark);
    }
  }
  const cleaned = lines.join('\n');
  return markOf(cleaned) ?? cleaned;
};

const downloads = '[command that runs downloaded code]';
const opens = '[command that opens the machine]';
const order = '[order to the agent]';

const markOf = (text: string): string | undefined => {
  const plain = plainLetters(text);
  if (runsDownloadedCode(plain)) return downloads;
  if (exposesMachine(plain)) return opens;
  return givesOrders(text) ? order : undefined;
};

const cleanLine = (line: string): string => {
  const mark = markOf(line);
  if (mark === undefined) return line;
  for (const end of pieceEnds) {
    const pieces = line.split(end);
    if (pieces.length === 1) continue;
    const cleaned = pieces
      .map((piece) => {
        const found = markOf(piece);
        return found === undefined ? piece : `${leadOf(piece)}${found}`;
      })
      .join('');
    if (markOf(cleaned) === undefined) return cleaned;
  }
  return `${leadOf(line)}${mark}`;
};

/** Splits between pieces of code, then between sentences too; the separators are kept. */
const pieceEnds: readonly RegExp[] = [/(`)/, /(`|(?<=[.!?])\s+| · | → |[“”])/];

/** Returns the indentation and the list mark. */
const leadOf = (line: string): string => /^\s*(?:(?:[-*+]|\d+[.)])\s+)?/.exec(line)?.[0] ?? '';

const unseen = /[\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff]|[\u{e0000}-\u{e007f}]/gu;
