/**
 * From a typed query to what is searched for. Most queries are words, and stay words: a sentence that contains AND, a
 * pasted command or an error message must find the same as without a query language. Pure.
 */
import { dropStopWords, splitWords } from '../words.js';
import { allOf, readTree } from './expression-tree.js';
import type { Field } from './fields.js';
import type { KnownKeys } from './known-keys.js';
import { exclusionsOf, type Structure, showStructure, termsOf } from './structure.js';
import { plainOf, readTokens, type Term, type Token } from './tokens.js';

export type ParsedQuery = {
  /** The words that score: without fields, operators, beginnings and exclusions. */
  readonly text: string;
  /** All words but those of its fields: searched for if nothing matches the rest. */
  readonly allWords: string;
  /** A hit must match it. */
  readonly structure: Structure | undefined;
  /** Beginnings of words, which score like words. */
  readonly begun: readonly Term[];
  /** A hit must match none of these. */
  readonly without: readonly Structure[];
  readonly fields: readonly Field[];
  /** How it was understood, if it is more than words. */
  readonly readAs: string | undefined;
  /** Why a query that looks like more was read as words. */
  readonly problem: string | undefined;
  /** It asks for nothing, and finds nothing. */
  readonly isNothing?: true;
};

/** Nobody types a longer expression; longer text was pasted. */
const maxUnits = 1000;

/** Each beginning adds up to 64 words. */
const maxBegun = 8;

/** Without `known` there are no keys: `tag:infra` is words. */
export const parseQuery = (text: string, known?: KnownKeys): ParsedQuery => {
  if (text.length > maxUnits) return words(text);
  const read = readTokens(text);
  const isTyped = read.tokens.length <= maxWordsBeside;
  const tokens = read.tokens.map((token) => known?.read(token, isTyped) ?? plainOf(token));
  const isMore = tokens.some(({ kind }) => kind === 'field' || kind === 'operator');
  if (read.problem !== undefined)
    return isMore || tokens.length <= maxTyped ? malformed(tokens, read.problem) : words(text);
  if (tokens.filter(isBegun).length > maxBegun) return malformed(tokens, `more than ${maxBegun} words have a star`);
  if (!isExpression(tokens)) {
    const bag = readBag(text, tokens);
    const unread = read.tokens.length <= maxTyped ? problemOf(read.tokens, known) : undefined;
    // A hit should have none of its words.
    if (unread === onlyLeftOut) return { ...words(''), allWords: bag.allWords, problem: unread, isNothing: true };
    return { ...bag, problem: unread };
  }
  const tree = readTree(tokens);
  if (!tree.ok) return malformed(tokens, tree.problem);
  const { structure, without, fields } = tree.tree;
  const terms = structure === undefined ? [] : termsOf(structure);
  return withReadAs(tokens, { text: wordsOf(terms), structure, begun: [], without, fields });
};

/** The same query, requiring nothing of a hit but its fields. Exclusions stay. */
export const asWords = (parsed: ParsedQuery): ParsedQuery => {
  const { structure } = parsed;
  const without = [...parsed.without, ...(structure === undefined ? [] : exclusionsOf(structure))];
  const leftOut = new Set(without.flatMap(termsOf).flatMap(({ text }) => splitWords(text)));
  const wanted = splitWords(parsed.allWords).filter((word) => !leftOut.has(word));
  return { ...parsed, text: wanted.join(' '), structure: undefined, begun: [], without };
};

/** A typed query has at most this many tokens. In longer text, which was pasted, brackets and colons mean nothing. */
const maxTyped = 6;

const problemOf = (tokens: readonly Token[], known: KnownKeys | undefined): string | undefined => {
  const unread = known?.problemOf(tokens);
  if (unread !== undefined) return unread;
  const count = (kind: 'open' | 'close'): number => tokens.filter((token) => token.kind === kind).length;
  if (count('open') > count('close')) return 'a bracket is not closed';
  const isLeftOut = tokens.every((token, at) =>
    token.kind === 'term' ? token.isWithout || isNot(tokens[at - 1]) : isNot(token) || token.kind === 'noise',
  );
  return isLeftOut && tokens.some(({ kind }) => kind === 'term') ? onlyLeftOut : undefined;
};

const onlyLeftOut = 'the query says only what to leave out; to search for it literally, put it in quotation marks';

const isNot = (token: Token | undefined): boolean => token?.kind === 'operator' && token.operator === 'NOT';

const words = (text: string): ParsedQuery => ({
  text,
  allWords: text,
  structure: undefined,
  begun: [],
  without: [],
  fields: [],
  readAs: undefined,
  problem: undefined,
});

/** Its filters still apply, and what a minus leaves out stays out. */
const malformed = (tokens: readonly Token[], problem: string): ParsedQuery => {
  const terms = tokens.flatMap((token) => (token.kind === 'term' && !token.isWithout ? [token.term] : []));
  const without = leftOut(tokens, terms);
  const wanted = tokens.filter((token) => token.kind !== 'term' || !without.includes(token.term));
  const text = allWordsOf(wanted);
  return {
    ...withReadAs(tokens, { text, structure: undefined, begun: [], without, fields: fieldsOf(tokens) }),
    problem,
  };
};

/**
 * The filters of a query that is read without its operators. One after NOT, or in a bracket after NOT, is still
 * negated: without its NOT it would say the opposite.
 */
const fieldsOf = (given: readonly Token[]): readonly Field[] => {
  const fields: Field[] = [];
  const brackets: boolean[] = [];
  const tokens = given.filter(({ kind }) => kind !== 'noise');
  for (const [at, token] of tokens.entries()) {
    const isTurned = isNot(tokens[at - 1]) !== (brackets.at(-1) ?? false);
    if (token.kind === 'open') brackets.push(isTurned);
    else if (token.kind === 'close') brackets.pop();
    else if (token.kind === 'field')
      fields.push({ key: token.key, value: token.value, isWithout: token.isWithout !== isTurned });
  }
  return fields;
};

const isBegun = (token: Token): boolean => token.kind === 'term' && token.term.kind === 'prefix';

/** Leaves out beginnings, which are not words and must not be corrected. */
const wordsOf = (terms: readonly Term[]): string =>
  terms.flatMap(({ kind, text }) => (kind === 'prefix' ? [] : [text])).join(' ');

const allWordsOf = (tokens: readonly Token[]): string =>
  tokens
    .flatMap((token) =>
      token.kind === 'term' ? [token.term.text] : token.kind === 'operator' ? [token.operator.toLowerCase()] : [],
    )
    .join(' ');

/** More words than this in a row, without an operator between them, are a sentence. */
const maxSideBySide = 3;

/**
 * Operators make an expression if all the rest looks like one: no long runs of words, no stop words in a run, and no
 * message in capitals (`NOT NULL constraint failed`, `404 NOT FOUND`).
 */
const isExpression = (given: readonly Token[]): boolean => {
  const tokens = given.filter(({ kind }) => kind !== 'noise');
  if (!tokens.some(({ kind }) => kind === 'operator' || kind === 'near')) return false;
  let sideBySide = 0;
  let small = 0;
  return tokens.every((token, at) => {
    if (token.kind === 'operator') {
      const [before, after] = [isInCapitals(tokens[at - 1]), isInCapitals(tokens[at + 1])];
      if (token.operator === 'NOT' ? after || at === 0 : before && after) return false;
    }
    const isWord = token.kind === 'term' && token.term.kind === 'word';
    sideBySide = isWord ? sideBySide + 1 : 0;
    small = !isWord ? 0 : dropStopWords(splitWords(token.term.text)).length === 0 ? small + 1 : small;
    return sideBySide <= maxSideBySide && (sideBySide < 2 || small === 0);
  });
};

const isInCapitals = (token: Token | undefined): boolean =>
  token?.kind === 'term' && token.term.kind === 'word' && /^\P{Ll}*\p{Lu}\P{Ll}*$/u.test(token.term.text);

/** Words of which any may match; a phrase must. */
const readBag = (text: string, tokens: readonly Token[]): ParsedQuery => {
  const terms = tokens.flatMap((token) => (token.kind === 'term' ? [token] : []));
  const asked = terms.filter(({ isWithout }) => !isWithout).map(({ term }) => term);
  const fields = fieldsOf(tokens);
  const isPasted = asked.some(({ kind, text: one }) => kind === 'word' && ofMessages.test(one));
  const begun = asked.filter(({ kind }) => kind === 'prefix');
  const without = isPasted ? [] : leftOut(tokens, asked);
  // A message quotes names, and a log has colons.
  const phrases = isPasted ? [] : asked.filter(({ kind }) => kind === 'phrase');
  const holding = isPasted ? [] : fields;
  if (phrases.length + begun.length + without.length + holding.length === 0) return words(text);
  const kept = terms.flatMap(({ term }) => (without.includes(term) ? [] : [term]));
  return withReadAs(tokens, { text: wordsOf(kept), structure: allOf(phrases), begun, without, fields: holding });
};

const leftOut = (tokens: readonly Token[], asked: readonly Term[]): readonly Term[] => {
  // `-wal file keeps growing` is about a name, and a long text was pasted.
  const [first] = tokens;
  const isOnly = asked.length === 0 && !tokens.some(({ kind }) => kind === 'field');
  if (isOnly || asked.length > maxWordsBeside || (first?.kind === 'term' && first.isWithout && asked.length > 0))
    return [];
  if (asked.some(({ kind, text }) => kind === 'word' && ofCommands.test(text))) return [];
  // `java -jar app`: a word that is asked for as well is an option of a command.
  const present = new Set(asked.flatMap(({ text }) => splitWords(text)));
  return tokens.flatMap((token) => {
    if (token.kind !== 'term' || !token.isWithout) return [];
    const { kind, text } = token.term;
    return kind === 'word' && present.has(text.toLowerCase()) ? [] : [token.term];
  });
};

/** Beside more words, a minus or a `#` is more likely part of pasted text. */
const maxWordsBeside = 12;

/** The colon, comma and equals sign of messages and assignments, and signs of the shell. */
const ofMessages = /^[$|&;<>]|[:;,=]$|=/;
/** Options, paths, hosts and files. */
const ofCommands = /^-|[./:\\]/;

const withReadAs = (
  tokens: readonly Token[],
  parsed: Omit<ParsedQuery, 'readAs' | 'problem' | 'allWords'>,
): ParsedQuery => {
  const { structure, begun, without, fields } = parsed;
  const fieldOf = ({ key, value, isWithout }: Field): string =>
    `${isWithout ? 'not ' : ''}${key}:${/\s/.test(value) ? `"${value}"` : value}`;
  const parts = [
    ...(structure === undefined ? [] : [`with ${showStructure(structure)}`]),
    ...begun.map(showStructure),
    ...(without.length === 0 ? [] : [`without ${without.map(showStructure).join(', ')}`]),
    ...fields.map(fieldOf),
  ];
  const readAs = parts.length === 0 ? undefined : parts.join('; ');
  return { ...parsed, allWords: allWordsOf(tokens), readAs, problem: undefined };
};
