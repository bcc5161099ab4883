/** The FTS5 expression for a query: rare words choose the candidates, the full query scores them. Pure. */

/** A word of the query with the number of notes that hold its stem. */
export type CountedWord = { readonly word: string; readonly notes: number };

export type MatchExpression = {
  readonly text: string;
  /** The query in which every word chooses. */
  readonly all: string;
  /** Words that choose candidates; the others only score. */
  readonly choosing: readonly string[];
};

/** Words that choose: as many as six, as long as they bring few candidates; two in any case. */
const maxChoosing = 6;
const leastChoosing = 2;
const candidateBudget = 1200;

/**
 * Undefined when no word stands in any note. A candidate must hold one of the choosing words; each word then counts
 * twice in the score (FTS5 adds up repeated phrases), so the order is that of the plain OR over the candidates.
 */
export const buildExpression = (words: readonly CountedWord[]): MatchExpression | undefined => {
  const found = words.filter(({ notes }) => notes > 0).toSorted((a, b) => a.notes - b.notes);
  const choosing: string[] = [];
  const scoring: string[] = [];
  let candidates = 0;
  for (const { word, notes } of found) {
    const fits = choosing.length < maxChoosing && candidates + notes <= candidateBudget;
    if (scoring.length === 0 && (choosing.length < leastChoosing || fits)) {
      choosing.push(word);
      candidates += notes;
    } else {
      scoring.push(word);
    }
  }
  if (choosing.length === 0) return undefined;
  const chosen = choosing.map(quote);
  const all = plainExpression([...choosing, ...scoring]);
  if (scoring.length === 0) return { text: all, all, choosing };
  const scored = scoring.map(quote).flatMap((word) => [word, word]);
  return { text: `(${chosen.join(' OR ')}) AND (${[...chosen, ...scored].join(' OR ')})`, all, choosing };
};

/** The plain query that scores every note with any of the words: what the expression above is measured against. */
export const plainExpression = (words: readonly string[]): string => words.map(quote).join(' OR ');

const quote = (word: string): string => `"${word.replaceAll('"', '""')}"`;
