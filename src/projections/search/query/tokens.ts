/**
 * Cuts a query into words, "phrases", word*, key:value, exclusions with a minus, brackets and operators. Pure, linear.
 */
import { splitWords } from '../words.js';

/** One thing that a note may contain. */
export type Term = {
  readonly kind: 'word' | 'phrase' | 'prefix';
  /** As it was typed, without its quotes or its star; it contains a letter or a digit. */
  readonly text: string;
};

export type Operator = 'AND' | 'OR' | 'NOT';

export type Token =
  | { readonly kind: 'term'; readonly term: Term; readonly isWithout: boolean }
  | { readonly kind: 'field'; readonly key: string; readonly value: string; readonly isWithout: boolean }
  | { readonly kind: 'operator'; readonly operator: Operator }
  | { readonly kind: 'open' | 'close' }
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
    } else if (text[at] === '(' || text[at] === ')') {
      tokens.push({ kind: text[at] === '(' ? 'open' : 'close' });
      at += 1;
    } else {
      const quoted = readQuoted(text, at);
      if (quoted === 'open') problem = 'a quotation mark is not closed';
      const taken = quoted === undefined || quoted === 'open' ? readRun(text, at) : quoted;
      tokens.push(...taken.tokens);
      at = taken.end;
    }
  }
  return problem === undefined ? { tokens } : { tokens, problem };
};

type ReadTokens = { readonly tokens: readonly Token[]; readonly end: number };

const space = /\s/;

/** `"…"`, `-"…"` or `key:"…"`, with straight or typographic quotation marks. Undefined if none begins here. */
const readQuoted = (text: string, from: number): ReadTokens | 'open' | undefined => {
  opening.lastIndex = from;
  const [whole = '', minus = '', key, mark = '"'] = opening.exec(text) ?? [];
  if (whole === '') return undefined;
  const begin = from + whole.length;
  const end = text.indexOf(mark === '“' ? '”' : mark, begin);
  if (end === -1) return 'open';
  const inside = text.slice(begin, end);
  const isWithout = minus !== '';
  if (key !== undefined)
    return { tokens: [{ kind: 'field', key: key.toLowerCase(), value: inside.trim(), isWithout }], end: end + 1 };
  return { tokens: [termOf('phrase', inside, isWithout)], end: end + 1 };
};

const opening = /(-?)(?:([a-z]{2,9}):)?(["“])/iy;

/** Reads up to the next space, or to a bracket that closes one opened before the run. */
const readRun = (text: string, from: number): ReadTokens => {
  let end = from;
  let depth = 0;
  while (end < text.length && !space.test(text.charAt(end))) {
    if (text[end] === '(' && end === from + 1 && text[from] === '-') break;
    if (text[end] === '(') depth += 1;
    if (text[end] === ')') depth -= 1;
    if (depth < 0) break;
    end += 1;
  }
  const run = text.slice(from, end);
  const isNot = run === '-' && text[end] === '(';
  return { tokens: [isNot ? { kind: 'operator', operator: 'NOT' } : tokenOf(run)], end: Math.max(end, from + 1) };
};

const tokenOf = (run: string): Token => {
  if (run === 'AND' || run === 'OR' || run === 'NOT') return { kind: 'operator', operator: run };
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
