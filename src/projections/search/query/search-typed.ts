/** Searches for a typed query: as it was meant, or by its words alone if it is malformed or nothing matches it. */
import type { Ranking, SearchQuery } from '../search.js';
import { conditionsOf } from './fields.js';
import { asWords, type ParsedQuery, parseQuery } from './parse-query.js';

export type TypedQuery = Pick<SearchQuery, 'text' | 'asked'>;

export type TypedRanking = {
  readonly ranking: Ranking;
  /** The query that the ranking is for. */
  readonly typed: TypedQuery;
  readonly readAs: string | undefined;
  /** Why its words alone were searched for, or why nothing was found. */
  readonly relaxed: string | undefined;
};

export const searchTyped = (text: string, nowSeconds: number, run: (typed: TypedQuery) => Ranking): TypedRanking => {
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
