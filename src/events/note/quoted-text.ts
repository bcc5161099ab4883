/**
 * A note's text inside a text of ours that a model reads. Whatever it says, it can't end its frame, begin a line of ours
 * or look like a tag of the client that carries it. Pure.
 */
import { inOneLine, withoutHidden } from './plain-text.js';

/** The part of an argument that a refusal repeats: a client may send a megabyte. */
export const cutGiven = (given: string, most: number = maxGiven): string =>
  given.length <= most ? given : `${given.slice(0, most).toWellFormed()}…`;

const maxGiven = 300;

/**
 * Names that agents' clients give to tags of their own. Not those that code gives to types and elements too (`User`,
 * `Function`): they end no frame, and a reader would copy the backslash.
 */
const tagNames = [
  '[\\w-]*-(?:reminder|hook)',
  '(?:task|bash|agent)-notification',
  'new-diagnostics',
  'persisted-output',
  'local-command-[\\w-]+',
  'command-(?:name|message|args|contents|stdout|stderr|output)',
  'bash-(?:input|stdout|stderr|output)',
  'ide_\\w+',
  'antml:\\w+',
  'functions',
  'function_\\w+',
  'tool_\\w+',
  'think(?:ing)?',
].join('|');
/** A `Parameter` may be a type; with a name, or where it is closed, it is a call. */
const callTag = '/[ \\t]*(?:invoke|parameter)(?![\\w-])|[ \\t]*(?:invoke|parameter)[ \\t]+name[ \\t]*=';
const clientTag = new RegExp(
  `([<\\uff1c\\ufe64])(?=[ \\t]*(?:/[ \\t]*)?(?:${tagNames})(?![\\w-])|[ \\t]*${callTag}|\\|(?:im_|end|start|begin|system|user|assistant|eot|eom|fim)|<SYS>>)`,
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
