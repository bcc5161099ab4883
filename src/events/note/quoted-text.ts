/** Quotes a note in a text of ours that a model reads: it can't close its frame or look like a client's tag. Pure. */
import { cutText } from './note.js';
import { inOneLine, withoutHidden } from './plain-text.js';

/** Cuts an argument that a refusal repeats: a client may send a megabyte. */
export const cutGiven = (given: string, most: number = maxGiven): string => cutText(given, most);

const maxGiven = 300;

/** Tags that agents' clients use, without names of code (`User`, `Function`): a reader would copy the backslash. */
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
  'permissions[ \\t]{1,9}instructions',
  'channel[ \\t]{1,9}source[ \\t]{0,9}=',
].join('|');
/** No HTML elements, but perhaps types: after a word, as in `vector<user_info>`, an opening tag is a type. */
const looseNames = [
  '(?:\\w{1,40}_)?user_query',
  'additional_data',
  'user_(?:info|rules|instructions|request|memory|input|message|prompt)',
  'system_(?:reminder|prompt|instructions|message)',
  '(?:\\w{1,40}_)?workspace_(?:rules|info)',
  '(?:custom|available|agent|additional|explicit)_instructions',
  'attached_files?',
  'open_and_recently_viewed_files',
  'project_layout',
  'environment_(?:context|details|info)',
  '(?:session|hook|loaded|project)_context',
  'turn_aborted',
  '(?:sub)?agent_notification',
  'ephemeral_message',
  'state_snapshot',
  'linter_errors',
].join('|');
const open = '[<\\uff1c\\ufe64]';
const bar = '[|\\uff5c\\uffe8]';
const close = '[>\\uff1e\\ufe65]';
/** `Parameter` alone may be a type; with a `name`, or in a closing tag, it is part of a call. */
const callTag = '/[ \\t]*(?:invoke|parameter)(?![\\w-])|[ \\t]*(?:invoke|parameter)[ \\t]+name[ \\t]*=';
const clientTag = new RegExp(
  `${open}(?=[ \\t]*(?:/[ \\t]*)?(?:${tagNames})(?![\\w-])|[ \\t]*${callTag}|[ \\t]*/[ \\t]*(?:${looseNames})(?![\\w-]))|` +
    `(?<!\\w)${open}(?=[ \\t]*(?:${looseNames})(?![\\w-]))`,
  'gi',
);
/** Words that a client uses in exactly this case; with a capital they are components. */
const plainTag = new RegExp(`${open}(?=/?(?:rules|instructions|userRequest|editorContext|reminderInstructions)>)`, 'g');
/** Chat templates: bars in angle brackets, or a model's own marks. `f <| x |> g` and `p <|> q` are operators. */
const angledMark = new RegExp(
  `${open}(?=${bar}[^\\s<>|\\uff5c\\uffe8]{1,60}${bar}${close}|${bar}(?:im_|end|start|begin|system|user|assistant|eot|eom|fim)|` +
    `[ \\t]*(?:/[ \\t]*)?(?:(?:start|end|begin)_of_(?:turn|text|role|sentence|image|audio|message)|ctrl\\d{1,4}|unused\\d{1,4})[ \\t]*${close}|` +
    `${open}/?SYS${close}{2})`,
  'gi',
);
const plainMark = new RegExp(
  `\\[(?=/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT)\\]|${bar}(?:system|user|assistant|endofturn)${bar}\\]|e~\\[)|\\](?=~!?b[\\[\\]])|${open}(?=(?:bos|eos)>)`,
  'g',
);

const turnMark = `(?:\\[/?INST\\]|${open}${bar})`;
/** Only beside a turn mark; elsewhere `<s>` strikes text out. */
const sentenceMark = new RegExp(
  `${open}(?=/?s>\\s{0,20}${turnMark})|(?<=(?:\\[/?INST\\]|${bar}${close})\\s{0,20})${open}(?=/?s>)`,
  'g',
);

/** Unlisted frames: a line that begins with a tag of several words, joined by `_`, or by `-` with a telling last. */
const atStart = '(?<=^[ \\t>*+-]{0,20})';
const unknownFrame = new RegExp(
  `${atStart}${open}(?=[ \\t]{0,9}(?:/[ \\t]{0,9})?[a-z][a-z0-9]{0,40}(?:(?:_[a-z0-9]{1,40}){1,8}|(?:-[a-z0-9]{1,40}){0,8}` +
    `-(?:context|instructions?|reminder|notification|memory|memories|feedback|transcript|output|prompt|rules|hook))(?:[\\s/]|${close}|$))`,
  'gim',
);
/** With a capital they are components. */
const knownFrame = new RegExp(
  `${atStart}${open}(?=[ \\t]{0,9}(?:/[ \\t]{0,9})?(?:feedback|channel|skill|reminder|notification|memories)(?:[\\s/]|${close}|$))`,
  'gm',
);

/** Splits the text so that every part but the first begins with the first character of a mark. */
export const splitAtMarks = (text: string): readonly string[] => {
  const marks = [clientTag, plainTag, angledMark, plainMark, sentenceMark].flatMap((mark) => placesOf(mark, text));
  const frames = [unknownFrame, knownFrame].flatMap((frame) => placesOf(frame, text));
  const code = frames.length === 0 ? [] : findFencedCode(text);
  const outside = frames.filter((at) => !code.some(({ from, to }) => from <= at && at < to));
  const starts = [0, ...[...new Set([...marks, ...outside])].toSorted((a, b) => a - b)];
  return starts.map((start, at) => text.slice(start, starts[at + 1]));
};

const placesOf = (mark: RegExp, text: string): readonly number[] => [...text.matchAll(mark)].map(({ index }) => index);

/** Finds code between fences. A fence that is never closed does not count: the text was cut, or it is a trick. */
const findFencedCode = (text: string): readonly { readonly from: number; readonly to: number }[] => {
  const found: { readonly from: number; readonly to: number }[] = [];
  let opened: { readonly fence: string; readonly from: number } | undefined;
  for (const { 1: fence = '', 2: behind = '', index } of text.matchAll(fenceLine)) {
    if (opened === undefined) {
      if (fence.startsWith('~') || !behind.includes('`')) opened = { fence, from: index };
    } else if (fence.startsWith(opened.fence) && behind.trim() === '') {
      found.push({ from: opened.from, to: index });
      opened = undefined;
    }
  }
  return found;
};
const fenceLine = /^[ \t>*+-]{0,20}(`{3,}|~{3,})(.*)$/gm;

/** Escapes the marks in a text that may contain foreign text. A backslash is enough, and a reader sees it. */
export const disarm = (text: string): string =>
  splitAtMarks(text)
    .map((part, at) => (at === 0 ? part : `${part.slice(0, 1)}\\${part.slice(1)}`))
    .join('');

/** Prefixes every line of a note with `>`. */
export const quoteLines = (text: string): string =>
  linesOf(text)
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');

export const linesOf = (text: string): readonly string[] =>
  disarm(withoutHidden(text.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n'))).split('\n');

/** Quotes a title within a line of ours; a long one is cut. */
export const quoteTitle = (text: string): string => disarm(inOneLine(cutText(text, maxLineUnits)));

/** Quotes a value within a line of ours whose values are separated by `|`; a long one is cut. */
export const quoteField = (text: string): string => quoteTitle(text).replaceAll('|', '\u00a6');

/** Applied before cleaning: a synced note may have a megabyte of title, and a session's block names 160 notes. */
const maxLineUnits = 1000;
