/**
 * A note's text inside a text of ours that a model reads. Whatever it says, it can't end its frame, begin a line of ours
 * or look like a tag of the client that carries it. Pure.
 */
import { inOneLine, withoutHidden } from './plain-text.js';

/** Names that agents' clients and chat templates give to tags of their own. */
const tagNames = [
  'system',
  '[\\w-]*-(?:reminder|hook|stdout|stderr|notification|diagnostics|output)',
  '(?:local-)?command-[\\w-]+',
  'bash-[\\w-]+',
  'ide_\\w+',
  'antml:\\w+',
  'function(?:s|_\\w+)?',
  'tool_\\w+',
  'invoke',
  'parameter',
  'think(?:ing)?',
  'human',
  'user',
  'assistant',
].join('|');
const clientTag = new RegExp(
  `([<\\uff1c\\ufe64])(?=[ \\t]*/?[ \\t]*(?:${tagNames})(?![\\w-])|\\|(?:im_|end|start|begin|system|user|assistant|eot|eom|fim)|<SYS>>)`,
  'gi',
);

/** A backslash is enough, and a reader sees it. */
const disarm = (text: string): string => text.replace(clientTag, '$1\\');

/** Each line behind `>`: no line that a note brings is without it. */
export const quoteLines = (text: string): string =>
  linesOf(text)
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');

/** The lines that `quoteLines` quotes. */
export const linesOf = (text: string): readonly string[] =>
  disarm(withoutHidden(text.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n'))).split('\n');

/** A title, in one line of ours. */
export const quoteTitle = (text: string): string => disarm(inOneLine(text));

/** A value in a line of ours whose values stand between `|`. */
export const quoteField = (text: string): string => disarm(inOneLine(text)).replaceAll('|', '\u00a6');
