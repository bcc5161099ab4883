/** A search for what somebody typed: as it was meant, and by its words alone where that is no query or nothing meets it. */
import type { Ranking, SearchQuery } from '../search.js';
import type { AskedFor } from './asked-for.js';
import type { KnownKeys } from './known-keys.js';
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
      return { ranking: byWords, typed: words, readAs, relaxed: forWords('no note has all of that') };
    // Exclusions stay; that they stand in the way is worth knowing.
    if (asked.without.length > 0 && run(typedOf({ ...asked, without: [] }, known)).total > 0)
      return { ranking, typed, readAs, relaxed: 'each note that has these words has what is to be left out too' };
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

/** Undefined where words alone are asked for. */
const askedFor = (
  { structure, begun, without, fields }: ParsedQuery,
  known: KnownKeys | undefined,
): AskedFor | undefined =>
  structure === undefined && begun.length + without.length + fields.length === 0
    ? undefined
    : { structure, begun, without, ...(known?.conditionsOf(fields) ?? noConditions) };

const noConditions = { conditions: [], shown: [] };
