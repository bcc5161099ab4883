/** A search for what somebody typed: as it was meant, and by its words alone where that is no query or nothing meets it. */
import type { Ranking, SearchQuery } from '../search.js';
import type { AskedFor } from './asked-for.js';
import { conditionsOf } from './fields.js';
import { asWords, type ParsedQuery, parseQuery } from './parse-query.js';

export type Typed = Pick<SearchQuery, 'text' | 'asked'>;

export type TypedRanking = {
  readonly ranking: Ranking;
  /** That which the ranking is of. */
  readonly typed: Typed;
  readonly readAs: string | undefined;
  /** Why it was searched for its words alone, or why nothing is found. */
  readonly relaxed: string | undefined;
};

export const searchTyped = (text: string, nowSeconds: number, run: (typed: Typed) => Ranking): TypedRanking => {
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
      return { ranking: byWords, typed: words, readAs, relaxed: forWords('no note has all of that') };
    // Exclusions stay; that they stand in the way is worth knowing.
    if (asked.without.length > 0 && run(typedOf({ ...asked, without: [] }, nowSeconds)).total > 0)
      return { ranking, typed, readAs, relaxed: 'each note that has these words has what is to be left out too' };
  }
  return { ranking, typed, readAs, relaxed: problem === undefined ? undefined : forWords(problem) };
};

const forWords = (why: string): string => `${why}: searched for its words`;

const isMoreThanFields = ({ text, structure, begun, without }: ParsedQuery): boolean =>
  structure !== undefined || begun.length > 0 || (without.length > 0 && text !== '');

const typedOf = (parsed: ParsedQuery, nowSeconds: number): Typed => ({
  text: parsed.text,
  asked: askedFor(parsed, nowSeconds),
});

/** Undefined where words alone are asked for. */
const askedFor = ({ structure, begun, without, fields }: ParsedQuery, nowSeconds: number): AskedFor | undefined =>
  structure === undefined && begun.length + without.length + fields.length === 0
    ? undefined
    : { structure, begun, without, ...conditionsOf(fields, nowSeconds) };
