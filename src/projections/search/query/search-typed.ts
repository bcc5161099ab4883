/** Searches for a typed query: as it was meant, or by its words alone if it is malformed or nothing matches it. */
import type { Ranking, SearchQuery } from '../search.js';
import type { KnownKeys } from './known-keys.js';
import { asWords, type ParsedQuery, parseQuery } from './parse-query.js';
import type { QueryRequirements } from './requirements.js';

export type Typed = Pick<SearchQuery, 'text' | 'asked'>;

export type TypedRanking = {
  readonly ranking: Ranking;
  /** The query that the ranking is for. */
  readonly typed: Typed;
  readonly readAs: string | undefined;
  /** Why its words alone were searched for, or why nothing was found. */
  readonly relaxed: string | undefined;
};

export const searchTyped = (text: string, run: (typed: Typed) => Ranking, known?: KnownKeys): TypedRanking => {
  const parsed = parseQuery(text, known);
  const { readAs, problem } = parsed;
  const typed = typedOf(parsed, known);
  const ranking = run(typed);
  if (parsed.isNothing) return { ranking, typed, readAs, relaxed: problem };
  if (ranking.total === 0 && isMoreThanFields(parsed)) {
    const asked = asWords(parsed);
    const words = typedOf(asked, known);
    const byWords = run(words);
    if (byWords.total > 0)
      return { ranking: byWords, typed: words, readAs, relaxed: forWords('no note matches all of it') };
    // Exclusions stay; it is worth saying that they are what leaves nothing.
    if (asked.without.length > 0 && run(typedOf({ ...asked, without: [] }, known)).total > 0)
      return { ranking, typed, readAs, relaxed: 'every note with these words also has what the query leaves out' };
  }
  if (problem !== undefined) return { ranking, typed, readAs, relaxed: forWords(problem) };
  const relaxed = ranking.total === 0 ? known?.missingTag(parsed.fields, []) : undefined;
  return { ranking, typed, readAs, relaxed };
};

const forWords = (why: string): string => `${why}: searched for its words`;

const isMoreThanFields = ({ text, structure, begun, without }: ParsedQuery): boolean =>
  structure !== undefined || begun.length > 0 || (without.length > 0 && text !== '');

const typedOf = (parsed: ParsedQuery, known: KnownKeys | undefined): Typed => ({
  text: parsed.text,
  asked: askedFor(parsed, known),
});

/** Undefined if words alone are asked for. */
const askedFor = (
  { structure, begun, without, fields }: ParsedQuery,
  known: KnownKeys | undefined,
): QueryRequirements | undefined =>
  structure === undefined && begun.length + without.length + fields.length === 0
    ? undefined
    : { structure, begun, without, ...(known?.conditionsOf(fields) ?? noConditions) };

const noConditions = { conditions: [], shown: [] };
