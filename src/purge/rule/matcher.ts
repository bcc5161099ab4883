/** Finds the text to purge however it is written: broken over lines, escaped, normalized otherwise, truncated. Pure. */
import { isUtf8 } from 'node:buffer';

/** A range in UTF-16 units; `end` is exclusive. */
export type Span = { readonly start: number; readonly end: number };

export type TextMatcher = {
  /** Sorted and disjoint. */
  readonly spans: (text: string) => readonly Span[];
  /** The texts themselves, if known, in all forms: each may also occur truncated, before a `…`. */
  readonly texts: readonly string[];
};

/** The mark that replaces a purged text. */
export const purgedMark = '[PURGED]';

/** A text with fewer characters occurs in too many others. */
export const leastLiteral = 4;

export const literalMatcher = (...literals: readonly string[]): TextMatcher => {
  const forms = literals.flatMap(formsOf);
  const pattern = new RegExp(forms.map(patternOfForm).join('|'), 'gu');
  return knowing({ spans: (text) => findAll(pattern, text), texts: [] }, forms);
};

/** Returns undefined if `source` is not a JavaScript regular expression. */
export const patternMatcher = (source: string, options: { readonly ignoreCase: boolean }): TextMatcher | undefined => {
  try {
    const pattern = new RegExp(source, options.ignoreCase ? 'giu' : 'gu');
    return { spans: (text) => findAll(pattern, text), texts: [] };
  } catch {
    return undefined;
  }
};

/** Returns a matcher that also finds beginnings of the given texts before a `…`, as in subjects and titles. */
export const knowing = (matcher: TextMatcher, texts: readonly string[]): TextMatcher => {
  const lines = [...new Set(texts.map((text) => text.replace(/\s+/gu, ' ').slice(0, maxCut)))];
  return {
    spans: (text) => joinSpans([...matcher.spans(text), ...findCuts(text, lines)]),
    texts: [...matcher.texts, ...texts],
  };
};

/** This many units of a text before a `…` suffice to recognize it. */
const leastCut = 6;
/** Our subjects, titles and captured prompts are not longer where they are cut. */
const maxCut = 4096;

const findCuts = (text: string, lines: readonly string[]): readonly Span[] =>
  [...text.matchAll(/…/gu)].flatMap(({ index: end }) => {
    const lengths = lines.map((line) => cutLength(text, end, line));
    const longest = Math.max(0, ...lengths);
    return longest === 0 ? [] : [{ start: end - longest, end }];
  });

/** Returns how much of the beginning of `line` stands right before `end`; 0 if it is too little to recognize. */
const cutLength = (text: string, end: number, line: string): number => {
  const least = Math.max(leastLiteral, Math.min(leastCut, line.length - 1));
  for (let length = Math.min(line.length - 1, end); length >= least; length -= 1) {
    if (line[length - 1] === text[end - 1] && text.startsWith(line.slice(0, length), end - length)) return length;
  }
  return 0;
};

export type Replacement = { readonly text: string; readonly places: number };

export const replaceSpans = (text: string, spans: readonly Span[], mark: string = purgedMark): Replacement => {
  if (spans.length === 0) return { text, places: 0 };
  const kept = spans.map(({ start }, at) => text.slice(at === 0 ? 0 : spans[at - 1]?.end, start));
  return { text: `${kept.join(mark)}${mark}${text.slice(spans.at(-1)?.end)}`, places: spans.length };
};

export const purgeText = (text: string, matcher: TextMatcher | undefined): Replacement =>
  matcher === undefined ? { text, places: 0 } : replaceSpans(text, matcher.spans(text));

/** How to read bytes so that writing them back gives the same ones. */
export const encodingOf = (bytes: Buffer): 'utf8' | 'latin1' => (isUtf8(bytes) ? 'utf8' : 'latin1');

const joinSpans = (spans: readonly Span[]): readonly Span[] => {
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = joined.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
};

/** Returns the text as given, in NFC and in NFD. */
export const formsOf = (literal: string): readonly string[] => [
  ...new Set([literal, literal.normalize('NFC'), literal.normalize('NFD')]),
];

const findAll = (pattern: RegExp, text: string): Span[] => {
  const spans: Span[] = [];
  for (const found of text.matchAll(pattern)) {
    if (found[0] !== '') spans.push({ start: found.index, end: found.index + found[0].length });
  }
  return spans;
};

const escapeForPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** A text of 8 to 512 characters is also found where a line break splits a word. */
const maxBroken = 512;
const leastBroken = 8;

/** Matches one form, with any white space for its white space, and characters however JSON and YAML escape them. */
const patternOfForm = (form: string): string => {
  const count = [...form].length;
  const between = count >= leastBroken && count <= maxBroken ? lineBreak : '';
  return (form.match(/\s+|[^\s]/gu) ?? []).map((part) => (/\s/u.test(part) ? space : charPattern(part))).join(between);
};

const lineBreak = '(?:\\\\?\\r?\\n[ \\t]*)?';
const space = '(?:\\s|\\\\[nrt])+';

const charPattern = (char: string): string => {
  if (char === "'") return "''?";
  if (char === '\\') return '\\\\(?:\\\\|u005[cC]|x5[cC])?';
  const units = [...Array(char.length).keys()].map((at) => char.charCodeAt(at));
  const json = units.map((unit) => `\\\\u${anyCase(unit.toString(16).padStart(4, '0'))}`).join('');
  const plain = char === '"' || char === '/' ? `\\\\?${escapeForPattern(char)}` : escapeForPattern(char);
  if (/[a-z0-9 ]/i.test(char)) return plain;
  const short =
    units.length === 1 && (units[0] ?? 256) < 256
      ? `|\\\\x${anyCase((units[0] ?? 0).toString(16).padStart(2, '0'))}`
      : '';
  return `(?:${plain}|${json}${short})`;
};

const anyCase = (hex: string): string => hex.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
