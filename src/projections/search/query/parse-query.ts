/**
 * From a typed query to what is searched for, as it was meant, or by its words alone if it is malformed or nothing
 * matches it. Most queries are words, and stay words: a sentence that contains AND, a pasted command or an error message
 * must find the same as without a query language. Pure.
 */
import { dropStopWords, splitWords } from '../words.js';
import {
  allOf,
  exclusionsOf,
  isOperator,
  plainOf,
  readTokens,
  readTree,
  type Structure,
  showStructure,
  type Term,
  type Token,
  termsOf,
} from './expression-tree.js';
import { conditionsOf, type Field, type FieldConditions, isField, problemOfField } from './fields.js';

/** Conditions beside the words. */
export type QueryRequirements = Pick<ParsedQuery, 'structure' | 'begun' | 'without'> & FieldConditions;

export type TypedQuery = { readonly text: string; readonly asked: QueryRequirements | undefined };

export type TypedRanking<Ranking> = {
  readonly ranking: Ranking;
  /** The query that the ranking is for. */
  readonly typed: TypedQuery;
  readonly readAs: string | undefined;
  /** Why its words alone were searched for, or why nothing was found. */
  readonly relaxed: string | undefined;
};

export const searchTyped = <Ranking extends { readonly total: number }>(
  text: string,
  nowSeconds: number,
  run: (typed: TypedQuery) => Ranking,
): TypedRanking<Ranking> => {
  const parsed = parseQuery(text, nowSeconds);
  const { readAs, problem } = parsed;
  const typed = typedOf(parsed, nowSeconds);
  const ranking = run(typed);
  if (parsed.isNothing) return { ranking, typed, readAs, relaxed: problem };
  if (ranking.total === 0 && isMoreThanFields(parsed)) {
    const asked = asWords(parsed);
    const words = typedOf(asked, nowSeconds);
    const byWords = run(words);
    if (byWords.total > 0)
      return { ranking: byWords, typed: words, readAs, relaxed: forWords('no note matches all of it') };
    // Exclusions stay; it is worth saying that they are what leaves nothing.
    if (asked.without.length > 0 && run(typedOf({ ...asked, without: [] }, nowSeconds)).total > 0)
      return { ranking, typed, readAs, relaxed: 'every note with these words also has what the query leaves out' };
  }
  return { ranking, typed, readAs, relaxed: problem === undefined ? undefined : forWords(problem) };
};

const forWords = (why: string): string => `${why}: searched for its words`;

const isMoreThanFields = ({ text, structure, begun, without }: ParsedQuery): boolean =>
  structure !== undefined || begun.length > 0 || (without.length > 0 && text !== '');

/** Nothing beside the words is asked for if words alone were typed. */
const typedOf = ({ text, structure, begun, without, fields }: ParsedQuery, nowSeconds: number): TypedQuery => ({
  text,
  asked:
    structure === undefined && begun.length + without.length + fields.length === 0
      ? undefined
      : { structure, begun, without, ...conditionsOf(fields, nowSeconds) },
});
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
/** A typed query has at most this many tokens. In longer text, which was pasted, brackets and colons mean nothing. */
const maxTyped = 6;
/** Each beginning adds up to 64 words. */
const maxBegun = 8;

export const parseQuery = (text: string, nowSeconds: number): ParsedQuery => {
  if (text.length > maxUnits) return words(text);
  const read = readTokens(text);
  const { tokens, fields } = takeFields(
    read.tokens
      .map((token) => (token.kind === 'field' && !isField(token, nowSeconds) ? plainOf(token) : token))
      .filter(({ kind }) => kind !== 'noise'),
  );
  const isTyped = read.tokens.length <= maxTyped;
  const isMore = fields.length > 0 || tokens.some(({ kind }) => kind === 'operator');
  if (read.problem !== undefined) return isMore || isTyped ? malformed(tokens, fields, read.problem) : words(text);
  if (tokens.filter(isBegun).length > maxBegun)
    return malformed(tokens, fields, `more than ${maxBegun} words have a star`);
  if (isExpression(tokens)) {
    const { tree, problem } = readTree(tokens);
    if (tree === undefined) return malformed(tokens, fields, problem);
    const terms = tree.structure === undefined ? [] : termsOf(tree.structure);
    return understood({ ...tree, text: wordsOf(terms), allWords: allWordsOf(tokens), begun: [], fields });
  }
  const bag = readBag(text, tokens, fields);
  if (!isTyped) return bag;
  // A hit should have none of its words.
  if (fields.length === 0 && saysOnlyWhatNot(tokens))
    return { ...words('', onlyLeftOut), allWords: bag.allWords, isNothing: true };
  return { ...bag, problem: problemOf(read.tokens, nowSeconds) };
};

/** The same query, requiring nothing of a hit but its fields. Exclusions stay. */
const asWords = (parsed: ParsedQuery): ParsedQuery => {
  const { structure } = parsed;
  const without = [...parsed.without, ...(structure === undefined ? [] : exclusionsOf(structure))];
  const leftOut = new Set(without.flatMap(termsOf).flatMap(({ text }) => splitWords(text)));
  const wanted = splitWords(parsed.allWords).filter((word) => !leftOut.has(word));
  return { ...parsed, text: wanted.join(' '), structure: undefined, begun: [], without };
};

/**
 * Each field applies to the whole query, wherever it stands; one after NOT, or in a bracket after NOT, is negated. The
 * operator that joined it goes with it.
 */
const takeFields = (
  given: readonly Token[],
): { readonly tokens: readonly Token[]; readonly fields: readonly Field[] } => {
  const fields: Field[] = [];
  const tokens: Token[] = [];
  const brackets: boolean[] = [];
  for (const [at, token] of given.entries()) {
    const isTurned = isOperator(given[at - 1], 'NOT') !== (brackets.at(-1) ?? false);
    if (token.kind === 'open') brackets.push(isTurned);
    if (token.kind === 'close') brackets.pop();
    if (token.kind === 'field') {
      fields.push({ key: token.key, value: token.value, isWithout: token.isWithout !== isTurned });
      while (isOperator(tokens.at(-1), 'NOT') || isOperator(tokens.at(-1), 'AND')) tokens.pop();
    } else if (!isOperator(token, 'AND') || given[at - 1]?.kind !== 'field' || tokens.length > 0) tokens.push(token);
  }
  return { tokens, fields };
};

const problemOf = (typed: readonly Token[], nowSeconds: number): string | undefined => {
  const count = (kind: 'open' | 'close'): number => typed.filter((token) => token.kind === kind).length;
  const [unread] = typed.flatMap((token) => (token.kind === 'field' ? (problemOfField(token, nowSeconds) ?? []) : []));
  return unread ?? (count('open') > count('close') ? 'a bracket is not closed' : undefined);
};

const saysOnlyWhatNot = (tokens: readonly Token[]): boolean =>
  tokens.some(({ kind }) => kind === 'term') &&
  tokens.every((token, at) =>
    token.kind === 'term' ? token.isWithout || isOperator(tokens[at - 1], 'NOT') : isOperator(token, 'NOT'),
  );

const onlyLeftOut = 'the query says only what to leave out; to search for it literally, put it in quotation marks';

const words = (text: string, problem?: string): ParsedQuery => ({
  text,
  allWords: text,
  structure: undefined,
  begun: [],
  without: [],
  fields: [],
  readAs: undefined,
  problem,
});

/** Its filters still apply, and what a minus leaves out stays out. */
const malformed = (tokens: readonly Token[], fields: readonly Field[], problem: string): ParsedQuery => {
  const terms = tokens.flatMap((token) => (token.kind === 'term' && !token.isWithout ? [token.term] : []));
  const without = leftOut(tokens, terms, fields);
  const text = allWordsOf(tokens.filter((token) => token.kind !== 'term' || !without.includes(token.term)));
  const allWords = allWordsOf(tokens);
  return { ...understood({ text, allWords, structure: undefined, begun: [], without, fields }), problem };
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
const isExpression = (tokens: readonly Token[]): boolean => {
  if (!tokens.some(({ kind }) => kind === 'operator')) return false;
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
const readBag = (text: string, tokens: readonly Token[], given: readonly Field[]): ParsedQuery => {
  const terms = tokens.flatMap((token) => (token.kind === 'term' ? [token] : []));
  const asked = terms.filter(({ isWithout }) => !isWithout).map(({ term }) => term);
  // A message quotes names, and a log has colons.
  const isPasted = asked.some(({ kind, text: one }) => kind === 'word' && ofMessages.test(one));
  const begun = asked.filter(({ kind }) => kind === 'prefix');
  const without = isPasted ? [] : leftOut(tokens, asked, given);
  const phrases = isPasted ? [] : asked.filter(({ kind }) => kind === 'phrase');
  const fields = isPasted ? [] : given;
  if (phrases.length + begun.length + without.length + fields.length === 0) return words(text);
  const kept = terms.flatMap(({ term }) => (without.includes(term) ? [] : [term]));
  const allWords = allWordsOf(tokens);
  return understood({ text: wordsOf(kept), allWords, structure: allOf(phrases), begun, without, fields });
};

const leftOut = (tokens: readonly Token[], asked: readonly Term[], fields: readonly Field[]): readonly Term[] => {
  // `-wal file keeps growing` is about a name, and a long text was pasted.
  const [first] = tokens;
  const isName = first?.kind === 'term' && first.isWithout && fields.length === 0;
  if (isName || asked.length > maxWordsBeside) return [];
  if (asked.some(({ kind, text }) => kind === 'word' && ofCommands.test(text))) return [];
  // `java -jar app`: a word that is asked for as well is an option of a command.
  const present = new Set(asked.flatMap(({ text }) => splitWords(text)));
  return tokens.flatMap((token) => {
    if (token.kind !== 'term' || !token.isWithout) return [];
    const { kind, text } = token.term;
    return kind === 'word' && present.has(text.toLowerCase()) ? [] : [token.term];
  });
};

/** Beside more words, a minus is more likely part of pasted text. */
const maxWordsBeside = 12;

/** The colon, comma and equals sign of messages and assignments, and signs of the shell. */
const ofMessages = /^[$|&;<>]|[:;,=]$|=/;
/** Options, paths, hosts and files. */
const ofCommands = /^-|[./:\\]/;

const understood = (parsed: Omit<ParsedQuery, 'readAs' | 'problem'>): ParsedQuery => {
  const { structure, begun, without, fields } = parsed;
  const parts = [
    ...(structure === undefined ? [] : [`with ${showStructure(structure)}`]),
    ...begun.map(showStructure),
    ...(without.length === 0 ? [] : [`without ${without.map(showStructure).join(', ')}`]),
    ...fields.map(
      ({ key, value, isWithout }) => `${isWithout ? 'not ' : ''}${key}:${/\s/.test(value) ? `"${value}"` : value}`,
    ),
  ];
  return { ...parsed, readAs: parts.length === 0 ? undefined : parts.join('; '), problem: undefined };
};
