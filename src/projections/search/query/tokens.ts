/** Cuts a query into words, "phrases", word*, key:value, and exclusions with a minus. Pure, linear. */
import { splitWords } from '../words.js';

export type Term = {
  readonly kind: 'word' | 'phrase' | 'prefix';
  /** As it was typed, without its quotes or its star; it contains a letter or a digit. */
  readonly text: string;
};

export type TermToken = { readonly kind: 'term'; readonly term: Term; readonly isWithout: boolean };

export type Token =
  | TermToken
  | { readonly kind: 'field'; readonly key: string; readonly value: string; readonly isWithout: boolean }
  /** Punctuation that stands alone. */
  | { readonly kind: 'noise'; readonly text: string };

export type Tokens = { readonly tokens: readonly Token[]; readonly problem?: string };

/** A quotation mark that is not closed is a problem, and counts as noise. */
export const readTokens = (text: string): Tokens => {
  const tokens: Token[] = [];
  let problem: string | undefined;
  let at = 0;
  while (at < text.length) {
    if (space.test(text.charAt(at))) {
      at += 1;
    } else {
      const quoted = readQuoted(text, at);
      if (quoted === 'open') problem = 'a quotation mark is not closed';
      const { token, end } = quoted === undefined || quoted === 'open' ? readRun(text, at) : quoted;
      tokens.push(token);
      at = end;
    }
  }
  return problem === undefined ? { tokens } : { tokens, problem };
};

type ReadToken = { readonly token: Token; readonly end: number };

const space = /\s/;

/** `"…"`, `-"…"` or `key:"…"`, with straight or typographic quotation marks. Undefined if none begins here. */
const readQuoted = (text: string, from: number): ReadToken | 'open' | undefined => {
  opening.lastIndex = from;
  const [whole = '', minus = '', key, mark = '"'] = opening.exec(text) ?? [];
  if (whole === '') return undefined;
  const begin = from + whole.length;
  const end = text.indexOf(mark === '“' ? '”' : mark, begin);
  if (end === -1) return 'open';
  const inside = text.slice(begin, end);
  const isWithout = minus !== '';
  if (key !== undefined)
    return { token: { kind: 'field', key: key.toLowerCase(), value: inside.trim(), isWithout }, end: end + 1 };
  return { token: termOf('phrase', inside, isWithout), end: end + 1 };
};

const opening = /(-?)(?:([a-z]{2,9}):)?(["“])/iy;

const readRun = (text: string, from: number): ReadToken => {
  const [run = ''] = /\S+/.exec(text.slice(from)) ?? [];
  return { token: tokenOf(run), end: from + run.length };
};

const tokenOf = (run: string): Token => {
  const field = /^(-?)([a-z]{2,9}):([^:].*)$/i.exec(run);
  if (field !== null) {
    const [, minus, key = '', value = ''] = field;
    return { kind: 'field', key: key.toLowerCase(), value, isWithout: minus !== '' };
  }
  // Options of commands are short or have two minuses; arithmetic and dates have digits.
  const isWithout = run.startsWith('-') && /^-(?:[A-Za-z][^\s]{2}|(?![\x00-\x7f])\p{L}[^\s])/u.test(run);
  const text = isWithout ? run.slice(1) : run;
  const begun = text.endsWith('*') ? /^([\p{L}\p{N}\p{M}]{2,})\*$/u.exec(text) : null;
  return begun?.[1] === undefined ? termOf('word', text, isWithout) : termOf('prefix', begun[1], isWithout);
};

const termOf = (kind: Term['kind'], text: string, isWithout: boolean): Token =>
  splitWords(text, 1).length === 0 ? { kind: 'noise', text } : { kind: 'term', term: { kind, text }, isWithout };

/** A field as the words that were typed; any other token unchanged. */
export const plainOf = (token: Token): Token =>
  token.kind === 'field' ? termOf('word', `${token.key}:${token.value}`, false) : token;

/** As it could be typed. */
export const showTerm = ({ kind, text }: Term): string =>
  kind === 'phrase' ? `"${text}"` : kind === 'prefix' ? `${text}*` : text;
