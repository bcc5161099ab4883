/** `auth AND (token OR "session key") NOT redis`, as a tree. AND and words side by side bind closer than OR. Pure, linear. */
import type { Structure } from './structure.js';
import type { Operator, Token } from './tokens.js';

export type ExpressionTree = {
  /** Undefined if there are only exclusions. */
  readonly structure: Structure | undefined;
  readonly without: readonly Structure[];
};

export type TreeReading =
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
