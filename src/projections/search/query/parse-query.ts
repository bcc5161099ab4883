/**
 * From a typed query to what it means, or its words alone if it is malformed or matches nothing. Most queries are
 * words, and stay so: a pasted command or message must find the same as without a query language. Pure.
 */
import { splitWords } from '../words.js';
import { conditionsOf, type Field, type FieldConditions, isField, problemOfField } from './fields.js';
import { plainOf, readTokens, showTerm, type Term, type TermToken } from './tokens.js';

/** Conditions beside the words. */
export type QueryRequirements = Pick<ParsedQuery, 'phrases' | 'begun' | 'without'> & FieldConditions;

export type TypedQuery = { readonly text: string; readonly asked: QueryRequirements | undefined };

export type TypedRanking<Ranking> = {
  readonly ranking: Ranking;
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

const isMoreThanFields = ({ text, phrases, begun, without }: ParsedQuery): boolean =>
  phrases.length + begun.length > 0 || (without.length > 0 && text !== '');

/** Nothing beside the words is asked for if words alone were typed. */
const typedOf = ({ text, phrases, begun, without, fields }: ParsedQuery, nowSeconds: number): TypedQuery => ({
  text,
  asked:
    phrases.length + begun.length + without.length + fields.length === 0
      ? undefined
      : { phrases, begun, without, ...conditionsOf(fields, nowSeconds) },
});

export type ParsedQuery = {
  /** The words that score: without fields, beginnings and exclusions. */
  readonly text: string;
  /** All words but those of its fields: searched for if nothing matches the rest. */
  readonly allWords: string;
  /** A hit must have them all. */
  readonly phrases: readonly Term[];
  /** Beginnings of words, which score like words. */
  readonly begun: readonly Term[];
  /** A hit must have none of these. */
  readonly without: readonly Term[];
  readonly fields: readonly Field[];
  /** How it was understood, if it is more than words. */
  readonly readAs: string | undefined;
  /** Why a query that looks like more was read as words. */
  readonly problem: string | undefined;
  /** It asks for nothing, and finds nothing. */
  readonly isNothing?: true;
};

/** Nobody types a longer query; longer text was pasted. */
const maxUnits = 1000;
/** A typed query has at most this many tokens. In longer text, which was pasted, colons mean nothing. */
const maxTyped = 6;
/** Each beginning adds up to 64 words. */
const maxBegun = 8;

export const parseQuery = (text: string, nowSeconds: number): ParsedQuery => {
  if (text.length > maxUnits) return words(text);
  const read = readTokens(text);
  const fields = read.tokens.flatMap((token) => (token.kind === 'field' && isField(token, nowSeconds) ? [token] : []));
  const tokens = read.tokens.flatMap((token): readonly TermToken[] => {
    const one = token.kind === 'field' && !isField(token, nowSeconds) ? plainOf(token) : token;
    return one.kind === 'term' ? [one] : [];
  });
  const isTyped = read.tokens.length <= maxTyped;
  if (read.problem !== undefined)
    return fields.length > 0 || isTyped ? malformed(tokens, fields, read.problem) : words(text);
  if (tokens.filter(isBegun).length > maxBegun)
    return malformed(tokens, fields, `more than ${maxBegun} words have a star`);
  const bag = readBag(text, tokens, fields);
  if (!isTyped) return bag;
  // A hit should have none of its words.
  const saysOnlyWhatNot = tokens.length > 0 && tokens.every(({ isWithout }) => isWithout);
  if (fields.length === 0 && saysOnlyWhatNot)
    return { ...words('', onlyLeftOut), allWords: bag.allWords, isNothing: true };
  const [unread] = read.tokens.flatMap((token) =>
    token.kind === 'field' ? (problemOfField(token, nowSeconds) ?? []) : [],
  );
  return { ...bag, problem: unread };
};

/** The same query, requiring nothing of a hit but its fields. Exclusions stay. */
const asWords = (parsed: ParsedQuery): ParsedQuery => {
  const leftOut = new Set(parsed.without.flatMap(({ text }) => splitWords(text)));
  const wanted = splitWords(parsed.allWords).filter((word) => !leftOut.has(word));
  return { ...parsed, text: wanted.join(' '), phrases: [], begun: [] };
};

const onlyLeftOut = 'the query says only what to leave out; to search for it literally, put it in quotation marks';

const words = (text: string, problem?: string): ParsedQuery => ({
  text,
  allWords: text,
  phrases: [],
  begun: [],
  without: [],
  fields: [],
  readAs: undefined,
  problem,
});

/** Its filters still apply, and what a minus leaves out stays out. */
const malformed = (tokens: readonly TermToken[], fields: readonly Field[], problem: string): ParsedQuery => {
  const terms = tokens.filter(({ isWithout }) => !isWithout).map(({ term }) => term);
  const without = leftOut(tokens, terms, fields);
  const text = allWordsOf(tokens.filter(({ term }) => !without.includes(term)));
  const allWords = allWordsOf(tokens);
  return { ...understood({ text, allWords, phrases: [], begun: [], without, fields }), problem };
};

const isBegun = ({ term }: TermToken): boolean => term.kind === 'prefix';

/** Leaves out beginnings, which are not words and must not be corrected. */
const wordsOf = (terms: readonly Term[]): string =>
  terms.flatMap(({ kind, text }) => (kind === 'prefix' ? [] : [text])).join(' ');

const allWordsOf = (tokens: readonly TermToken[]): string => tokens.map(({ term }) => term.text).join(' ');

/** Words of which any may match; a phrase must. */
const readBag = (text: string, tokens: readonly TermToken[], given: readonly Field[]): ParsedQuery => {
  const asked = tokens.filter(({ isWithout }) => !isWithout).map(({ term }) => term);
  // A message quotes names, and a log has colons.
  const isPasted = asked.some(({ kind, text: one }) => kind === 'word' && ofMessages.test(one));
  const begun = asked.filter(({ kind }) => kind === 'prefix');
  const without = isPasted ? [] : leftOut(tokens, asked, given);
  const phrases = isPasted ? [] : asked.filter(({ kind }) => kind === 'phrase');
  const fields = isPasted ? [] : given;
  if (phrases.length + begun.length + without.length + fields.length === 0) return words(text);
  const kept = tokens.flatMap(({ term }) => (without.includes(term) ? [] : [term]));
  const allWords = allWordsOf(tokens);
  return understood({ text: wordsOf(kept), allWords, phrases, begun, without, fields });
};

const leftOut = (tokens: readonly TermToken[], asked: readonly Term[], fields: readonly Field[]): readonly Term[] => {
  // `-wal file keeps growing` is about a name, and a long text was pasted.
  const [first] = tokens;
  const isName = first?.isWithout === true && fields.length === 0;
  if (isName || asked.length > maxWordsBeside) return [];
  if (asked.some(({ kind, text }) => kind === 'word' && ofCommands.test(text))) return [];
  // `java -jar app`: a word that is asked for as well is an option of a command.
  const present = new Set(asked.flatMap(({ text }) => splitWords(text)));
  return tokens.flatMap(({ term, isWithout }) => {
    const isOption = term.kind === 'word' && present.has(term.text.toLowerCase());
    return isWithout && !isOption ? [term] : [];
  });
};

/** Beside more words, a minus is more likely part of pasted text. */
const maxWordsBeside = 12;

/** The colon, comma and equals sign of messages and assignments, and signs of the shell. */
const ofMessages = /^[$|&;<>]|[:;,=]$|=/;
/** Options, paths, hosts and files. */
const ofCommands = /^-|[./:\\]/;

const understood = (parsed: Omit<ParsedQuery, 'readAs' | 'problem'>): ParsedQuery => {
  const { phrases, begun, without, fields } = parsed;
  const parts = [
    ...(phrases.length === 0 ? [] : [`with ${phrases.map(showTerm).join(', ')}`]),
    ...begun.map(showTerm),
    ...(without.length === 0 ? [] : [`without ${without.map(showTerm).join(', ')}`]),
    ...fields.map(
      ({ key, value, isWithout }) => `${isWithout ? 'not ' : ''}${key}:${/\s/.test(value) ? `"${value}"` : value}`,
    ),
  ];
  return { ...parsed, readAs: parts.length === 0 ? undefined : parts.join('; '), problem: undefined };
};
