/**
 * Cuts a query into words, "phrases", word*, key:value, exclusions with a minus, brackets and operators, and reads
 * `auth AND (token OR "session key") NOT redis` as a tree: AND and words side by side bind closer than OR. Pure, linear.
 */
import { splitWords } from '../words.js';

/** One thing that a note may contain. */
export type Term = {
  readonly kind: 'word' | 'phrase' | 'prefix';
  /** As it was typed, without its quotes or its star; it contains a letter or a digit. */
  readonly text: string;
};

type Operator = 'AND' | 'OR' | 'NOT';

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
export type Structure =
  | Term
  | { readonly kind: 'all' | 'any'; readonly of: readonly Structure[] }
  | { readonly kind: 'but'; readonly of: Structure; readonly without: Structure };

/** Formats it as it could be typed. */
export const showStructure = (node: Structure): string => {
  switch (node.kind) {
    case 'word':
      return node.text;
    case 'phrase':
      return `"${node.text}"`;
    case 'prefix':
      return `${node.text}*`;
    case 'all':
      return node.of.map(inBrackets).join(' AND ');
    case 'any':
      return node.of.map(inBrackets).join(' OR ');
    case 'but':
      return `${inBrackets(node.of)} NOT ${inBrackets(node.without)}`;
  }
};

const inBrackets = (node: Structure): string =>
  node.kind === 'all' || node.kind === 'any' || node.kind === 'but' ? `(${showStructure(node)})` : showStructure(node);

/** Its words in order, without those that it excludes. */
export const termsOf = (node: Structure): readonly Term[] => {
  switch (node.kind) {
    case 'word':
    case 'phrase':
    case 'prefix':
      return [node];
    case 'all':
    case 'any':
      return node.of.flatMap(termsOf);
    case 'but':
      return termsOf(node.of);
  }
};

/** The exclusions inside its brackets. */
export const exclusionsOf = (node: Structure): readonly Structure[] => {
  switch (node.kind) {
    case 'word':
    case 'phrase':
    case 'prefix':
      return [];
    case 'all':
    case 'any':
      return node.of.flatMap(exclusionsOf);
    case 'but':
      return [node.without, ...exclusionsOf(node.of)];
  }
};
type ExpressionTree = {
  /** Undefined if there are only exclusions. */
  readonly structure: Structure | undefined;
  readonly without: readonly Structure[];
};

type TreeReading =
  | { readonly tree: ExpressionTree; readonly problem?: undefined }
  | { readonly tree?: undefined; readonly problem: string };

/** Fields and noise must have been taken out. */
export const readTree = (tokens: readonly Token[]): TreeReading => {
  const reader: Reader = { tokens, at: 0, without: [], depth: 0 };
  try {
    const { of, without } = readAny(reader);
    if (reader.at < tokens.length) throw new Malformed('a closing bracket has no opening one');
    return { tree: { structure: of, without: [...without, ...reader.without] } };
  } catch (error) {
    if (error instanceof Malformed) return { problem: error.message };
    throw error;
  }
};

/** Thrown and caught within this file only. */
class Malformed extends Error {}

type Reader = {
  readonly tokens: readonly Token[];
  /** After a minus: a hit has none of these, wherever they stand. */
  readonly without: Structure[];
  at: number;
  depth: number;
};

/** Terms side by side: what is asked for, and what must not be there. */
type Group = { readonly of: Structure | undefined; readonly without: readonly Structure[] };

/** FTS5's parser accepts 31 nested brackets, and ours are inside two more. */
const maxDepth = 16;

const readAny = (reader: Reader): Group => {
  const first = readAll(reader);
  const sides = [first];
  while (takeOperator(reader, 'OR')) sides.push(readAll(reader));
  return sides.length === 1 ? first : { of: { kind: 'any', of: sides.map(closed) }, without: [] };
};

const closed = ({ of, without }: Group): Structure => {
  if (of === undefined) throw new Malformed('OR joins words, phrases and brackets');
  return without.length === 0 ? of : { kind: 'but', of, without: anyOf(without) };
};

export const allOf = (of: readonly Structure[]): Structure | undefined => (of.length > 1 ? { kind: 'all', of } : of[0]);

const anyOf = (of: readonly Structure[]): Structure => {
  const [only, ...others] = of;
  return only !== undefined && others.length === 0 ? only : { kind: 'any', of };
};

const readAll = (reader: Reader): Group => {
  const of: Structure[] = [];
  const without: Structure[] = [];
  for (let isBegun = false; ; isBegun = true) {
    const token = reader.tokens[reader.at];
    if (token === undefined || token.kind === 'close' || isOperator(token, 'OR')) {
      if (!isBegun) throw new Malformed('an operator or a bracket has nothing to join');
      return { of: allOf(of), without };
    }
    if (takeOperator(reader, 'AND') && !isBegun) throw new Malformed('there is nothing before AND');
    const isWithout = takeOperator(reader, 'NOT');
    const { of: operand, without: more } = readOperand(reader);
    if (operand === undefined && isWithout)
      throw new Malformed('NOT cannot be before something that is already left out');
    if (operand === undefined) without.push(...more);
    else (isWithout ? without : of).push(closed({ of: operand, without: more }));
  }
};

const readOperand = (reader: Reader): Group => {
  const token = reader.tokens[reader.at];
  reader.at += 1;
  if (token?.kind === 'open') return readBracket(reader);
  if (token?.kind !== 'term') throw new Malformed('there is nothing after an operator');
  if (!token.isWithout) return { of: token.term, without: [] };
  reader.without.push(token.term);
  return { of: undefined, without: [] };
};

const readBracket = (reader: Reader): Group => {
  reader.depth += 1;
  if (reader.depth > maxDepth) throw new Malformed('brackets are nested too deep');
  const group = readAny(reader);
  if (reader.tokens[reader.at]?.kind !== 'close') throw new Malformed('a bracket is not closed');
  reader.at += 1;
  reader.depth -= 1;
  return group;
};

const takeOperator = (reader: Reader, operator: Operator): boolean => {
  const isThere = isOperator(reader.tokens[reader.at], operator);
  if (isThere) reader.at += 1;
  return isThere;
};

export const isOperator = (token: Token | undefined, operator: Operator): boolean =>
  token?.kind === 'operator' && token.operator === operator;
