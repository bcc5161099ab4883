/**
 * From what somebody typed to what is looked for. Most queries are words, and stay words: a sentence that contains AND, a
 * pasted command or an error message must find the same as before there was a language. Pure.
 */
import { dropStopWords, splitWords } from '../words.js';
import { allOf, readTree } from './expression-tree.js';
import { type Field, isField } from './fields.js';
import { type Structure, showStructure, termsOf } from './structure.js';
import { readTokens, type Term, type Token } from './tokens.js';

export type ParsedQuery = {
  /** The words that score, without fields, operators and what is left out. */
  readonly text: string;
  /** A hit has it. */
  readonly structure: Structure | undefined;
  /** Beginnings of words, which score as words do. */
  readonly begun: readonly Term[];
  /** A hit has none of it. */
  readonly without: readonly Structure[];
  readonly fields: readonly Field[];
  /** How it was understood, where it is more than words. */
  readonly readAs: string | undefined;
  /** Why a query that looks like more was taken as words. */
  readonly problem: string | undefined;
};

/** Nobody types more than this as an expression; what is longer was pasted. */
const maxUnits = 1000;

/** `nowSeconds` is what `after:7d` counts from. */
export const parseQuery = (text: string, nowSeconds: number): ParsedQuery => {
  if (text.length > maxUnits) return words(text);
  const read = readTokens(text);
  const tokens = read.tokens.map((token) => plainUnlessField(token, nowSeconds));
  if (read.problem !== undefined) return words(text, isMoreThanWords(tokens) ? read.problem : undefined);
  if (!isExpression(tokens)) return readBag(text, tokens);
  const tree = readTree(tokens);
  if (!tree.ok) return words(text, tree.problem);
  const { structure, without, fields } = tree.tree;
  const scoring =
    structure === undefined
      ? ''
      : termsOf(structure)
          .map((term) => term.text)
          .join(' ');
  return said({ text: scoring, structure, begun: [], without, fields });
};

/** The same, with nothing that a hit must have but what its fields say. */
export const asWords = (parsed: ParsedQuery): ParsedQuery => ({ ...parsed, structure: undefined });

const words = (text: string, problem?: string): ParsedQuery => ({
  text,
  structure: undefined,
  begun: [],
  without: [],
  fields: [],
  readAs: undefined,
  problem,
});

const plainUnlessField = (token: Token, nowSeconds: number): Token => {
  if (token.kind !== 'field' || isField(token, nowSeconds)) return token;
  const text = `${token.key}:${token.value}`;
  return splitWords(text, 1).length === 0
    ? { kind: 'noise', text }
    : { kind: 'term', term: { kind: 'word', text }, isWithout: false };
};

const isMoreThanWords = (tokens: readonly Token[]): boolean =>
  tokens.some(
    (token) =>
      token.kind === 'field' || token.kind === 'operator' || (token.kind === 'term' && token.term.kind !== 'word'),
  );

/** More words than this side by side, without an operator between them, are a sentence. */
const maxSideBySide = 3;

/** Operators make an expression where all the rest looks like one: no long runs of words, and no small words in a run. */
const isExpression = (tokens: readonly Token[]): boolean => {
  if (!tokens.some(({ kind }) => kind === 'operator' || kind === 'near')) return false;
  let sideBySide = 0;
  let small = 0;
  return tokens.every((token) => {
    if (token.kind === 'noise') return true;
    const isWord = token.kind === 'term' && token.term.kind === 'word';
    sideBySide = isWord ? sideBySide + 1 : 0;
    small = !isWord ? 0 : dropStopWords(splitWords(token.term.text)).length === 0 ? small + 1 : small;
    return sideBySide <= maxSideBySide && (sideBySide < 2 || small === 0);
  });
};

/** Words of which any may match; a phrase has to. */
const readBag = (text: string, tokens: readonly Token[]): ParsedQuery => {
  const terms = tokens.flatMap((token) => (token.kind === 'term' ? [token] : []));
  const asked = terms.filter(({ isWithout }) => !isWithout).map(({ term }) => term);
  const fields = tokens.flatMap((token) => (token.kind === 'field' ? [token] : []));
  const present = new Set(asked.flatMap((term) => splitWords(term.text)));
  // `java -jar app.jar`: what is asked for as well is an option of a command.
  const isOption = ({ kind, text: one }: Term): boolean => kind === 'word' && present.has(one.toLowerCase());
  // `-wal file keeps growing` is about a name, and a long text was pasted.
  const mayLeaveOut = asked.length <= maxWordsBeside && !(tokens[0]?.kind === 'term' && tokens[0].isWithout);
  const left = terms.filter(({ term, isWithout }) => isWithout && mayLeaveOut && !isOption(term));
  const isCommand = asked.some(({ kind, text: one }) => kind === 'word' && ofCommands.test(one));
  const without = isCommand || (asked.length === 0 && fields.length === 0) ? [] : left.map(({ term }) => term);
  const phrases = asked.filter(({ kind }) => kind === 'phrase');
  const begun = asked.filter(({ kind }) => kind === 'prefix');
  if (phrases.length + begun.length + without.length + fields.length === 0) return words(text);
  const kept = terms.filter(({ term }) => !without.includes(term)).map(({ term }) => term.text);
  return said({ text: kept.join(' '), structure: allOf(phrases), begun, without, fields });
};

/** Beside more of them, a minus is more likely a part of what was pasted. */
const maxWordsBeside = 12;

/** Options, signs of the shell, and the colon and equals sign of messages and assignments. */
const ofCommands = /^--?\w{1,2}$|^--|^[$|&;<>]|[:;,=]$|=/;

const said = (parsed: Omit<ParsedQuery, 'readAs' | 'problem'>): ParsedQuery => {
  const { structure, begun, without, fields } = parsed;
  const fieldOf = ({ key, value, isWithout }: Field): string =>
    `${isWithout ? 'not ' : ''}${key}:${/\s/.test(value) ? `"${value}"` : value}`;
  const parts = [
    ...(structure === undefined ? [] : [`with ${showStructure(structure)}`]),
    ...begun.map(showStructure),
    ...(without.length === 0 ? [] : [`without ${without.map(showStructure).join(', ')}`]),
    ...fields.map(fieldOf),
  ];
  return { ...parsed, readAs: parts.length === 0 ? undefined : parts.join('; '), problem: undefined };
};
