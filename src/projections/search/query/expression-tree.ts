/**
 * `auth AND (token OR "session key") NOT redis`, as a tree. NEAR binds closest, then AND and words side by side, then
 * OR. Pure; linear in the number of tokens.
 */
import type { Field } from './fields.js';
import type { Near, Structure } from './structure.js';
import type { Term, Token } from './tokens.js';

/** `structure` is undefined if there are only fields and exclusions. */
export type Tree = {
  readonly structure: Structure | undefined;
  readonly without: readonly Structure[];
  readonly fields: readonly Field[];
};

export type ReadTree = { readonly ok: true; readonly tree: Tree } | { readonly ok: false; readonly problem: string };

export const readTree = (tokens: readonly Token[]): ReadTree => {
  const left = tokens.filter(({ kind }) => kind !== 'noise');
  try {
    const reader: Reader = { tokens: left, at: 0, fields: [], without: [], depth: 0 };
    const { of, without } = readAny(reader);
    if (reader.at < left.length) throw new Malformed('a closing bracket has no opening one');
    return { ok: true, tree: { structure: of, without: [...without, ...reader.without], fields: reader.fields } };
  } catch (error) {
    if (error instanceof Malformed) return { ok: false, problem: error.message };
    throw error;
  }
};

/** Thrown and caught within this file only. */
class Malformed extends Error {}

type Reader = {
  readonly tokens: readonly Token[];
  readonly fields: Field[];
  /** After a minus: a hit has none of these, whichever side of an OR they are on. */
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
  if (!isOperator(reader, 'OR')) return first;
  const sides = [closed(first)];
  while (isOperator(reader, 'OR')) {
    reader.at += 1;
    sides.push(closed(readAll(reader)));
  }
  return { of: { kind: 'any', of: sides }, without: [] };
};

const closed = ({ of, without }: Group): Structure => {
  if (of === undefined)
    throw new Malformed('OR joins words, phrases and brackets; a filter such as tag:x applies to all of them');
  return but(of, without);
};

const but = (of: Structure, without: readonly Structure[]): Structure =>
  without.length === 0 ? of : { kind: 'but', of, without: anyOf(without) };

export const allOf = (of: readonly Structure[]): Structure | undefined => (of.length > 1 ? { kind: 'all', of } : of[0]);

const anyOf = (of: readonly Structure[]): Structure => {
  const [only, ...others] = of;
  return only !== undefined && others.length === 0 ? only : { kind: 'any', of };
};

const readAll = (reader: Reader): Group => {
  const of: Structure[] = [];
  const without: Structure[] = [];
  let isBegun = false;
  for (;;) {
    const token = reader.tokens[reader.at];
    if (token === undefined || token.kind === 'close' || isOperator(reader, 'OR')) break;
    if (isOperator(reader, 'AND')) {
      if (!isBegun) throw new Malformed('there is nothing before AND');
      reader.at += 1;
    }
    const isWithout = isOperator(reader, 'NOT');
    if (isWithout) reader.at += 1;
    readOperand(reader, isWithout, { of, without });
    isBegun = true;
  }
  if (!isBegun) throw new Malformed('an operator or a bracket has nothing to join');
  return { of: allOf(of), without };
};

const readOperand = (
  reader: Reader,
  isWithout: boolean,
  into: { readonly of: Structure[]; readonly without: Structure[] },
): void => {
  const token = reader.tokens[reader.at];
  if (token === undefined || token.kind === 'operator' || token.kind === 'close')
    throw new Malformed('there is nothing after an operator');
  if (token.kind === 'field') {
    reader.at += 1;
    reader.fields.push({ key: token.key, value: token.value, isWithout: token.isWithout !== isWithout });
    return;
  }
  if (token.kind === 'open') {
    const group = readBracket(reader);
    if (group.of === undefined && isWithout)
      throw new Malformed('NOT cannot be before something that is already left out');
    if (group.of === undefined) into.without.push(...group.without);
    else if (isWithout) into.without.push(but(group.of, group.without));
    else into.of.push(but(group.of, group.without));
    return;
  }
  if (token.kind === 'near') {
    into[isWithout ? 'without' : 'of'].push(readNearCall(reader, token.distance));
    return;
  }
  if (token.kind !== 'term') return;
  if (token.isWithout && !isWithout && reader.depth === 0) {
    reader.at += 1;
    reader.without.push(token.term);
    return;
  }
  into[token.isWithout !== isWithout ? 'without' : 'of'].push(readNearChain(reader, token.term));
};

const readBracket = (reader: Reader): Group => {
  reader.at += 1;
  reader.depth += 1;
  if (reader.depth > maxDepth) throw new Malformed('brackets are nested too deep');
  const fieldsBefore = reader.fields.length;
  const group = readAny(reader);
  if (reader.tokens[reader.at]?.kind !== 'close') throw new Malformed('a bracket is not closed');
  if (reader.fields.length > fieldsBefore) throw new Malformed('a filter such as tag:x cannot be in brackets');
  reader.at += 1;
  reader.depth -= 1;
  return group;
};

/** `a NEAR b`, `a NEAR/3 b NEAR/3 c`: all of them within the greatest distance given. */
const readNearChain = (reader: Reader, first: Term): Structure => {
  reader.at += 1;
  const of = [first];
  let distance = 0;
  for (let token = reader.tokens[reader.at]; token?.kind === 'near'; token = reader.tokens[reader.at]) {
    const next = reader.tokens[reader.at + 1];
    if (next?.kind !== 'term' || next.isWithout) throw new Malformed('NEAR joins two words or phrases');
    distance = Math.max(distance, token.distance ?? usualDistance);
    of.push(next.term);
    reader.at += 2;
  }
  return of.length === 1 ? first : near(of, distance);
};

/** `NEAR(a b c)` and, as FTS5 has it, `NEAR(a b, 5)`, also without the space. */
const readNearCall = (reader: Reader, distance: number | undefined): Structure => {
  reader.at += 1;
  if (reader.tokens[reader.at]?.kind !== 'open') throw new Malformed('there is nothing before NEAR');
  reader.at += 1;
  const of: Term[] = [];
  for (let token = reader.tokens[reader.at]; token?.kind === 'term'; token = reader.tokens[reader.at]) {
    of.push(...withoutDistance(token.term));
    reader.at += 1;
  }
  if (reader.tokens[reader.at]?.kind !== 'close')
    throw new Malformed('NEAR( needs words or phrases and a closing bracket');
  reader.at += 1;
  const last = of.at(-1);
  const before = of.at(-2);
  const isNumbered = of.length > 2 && before?.text.endsWith(',') === true && /^\d{1,2}$/.test(last?.text ?? '');
  const terms = (isNumbered ? of.slice(0, -1) : of).map((term) => ({ ...term, text: term.text.replace(/,$/, '') }));
  if (terms.length < 2) throw new Malformed('NEAR joins two words or phrases');
  return near(terms, isNumbered ? Number(last?.text) : (distance ?? usualDistance));
};

/** Splits `registry,5` into a word with its comma and a number. */
const withoutDistance = (term: Term): readonly Term[] => {
  const [, word, digits] = term.kind === 'word' ? (/^(.+,)(\d{1,2})$/.exec(term.text) ?? []) : [];
  if (word === undefined || digits === undefined) return [term];
  return [
    { kind: 'word', text: word },
    { kind: 'word', text: digits },
  ];
};

/** FTS5's default. */
const usualDistance = 10;

const near = (of: readonly Term[], distance: number): Near => ({
  kind: 'near',
  // FTS5 does not allow prefixes in NEAR.
  of: of.map((term) => (term.kind === 'prefix' ? { kind: 'word', text: term.text } : term)),
  distance,
});

const isOperator = ({ tokens, at }: Reader, operator: 'AND' | 'OR' | 'NOT'): boolean => {
  const token = tokens[at];
  return token?.kind === 'operator' && token.operator === operator;
};
