/** The FTS5 expression for a query: rare words choose the candidates, the full query scores them. Pure. */
import { quote } from './query/to-match.js';

/** A word of the query with the number of notes that hold its stem. */
export type CountedWord = {
  readonly word: string;
  readonly notes: number;
  /** Of another wording of the query: it counts half. */
  readonly isOther?: boolean;
};

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
  const choosing: CountedWord[] = [];
  const scoring: CountedWord[] = [];
  let candidates = 0;
  for (const counted of found) {
    const fits = choosing.length < maxChoosing && candidates + counted.notes <= candidateBudget;
    if (scoring.length === 0 && (choosing.length < leastChoosing || fits)) {
      choosing.push(counted);
      candidates += counted.notes;
    } else {
      scoring.push(counted);
    }
  }
  if (choosing.length === 0) return undefined;
  const chosen = choosing.map(({ word }) => word);
  const timesOf = found.some(({ isOther }) => isOther === true)
    ? ({ isOther }: CountedWord): number => (isOther === true ? 1 : 2)
    : (): number => 1;
  const all = plainExpression([...choosing, ...scoring].flatMap((counted) => repeat(counted, timesOf(counted))));
  if (scoring.length === 0) return { text: all, all, choosing: chosen };
  const scored = plainExpression([
    ...choosing.flatMap((counted) => repeat(counted, 2 * timesOf(counted) - 1)),
    ...scoring.flatMap((counted) => repeat(counted, 2 * timesOf(counted))),
  ]);
  return { text: `(${plainExpression(chosen)}) AND (${scored})`, all, choosing: chosen };
};

const repeat = ({ word }: CountedWord, times: number): readonly string[] => Array.from({ length: times }, () => word);

/** The plain query that scores every note with any of the words: what the expression above is measured against. */
export const plainExpression = (words: readonly string[]): string => words.map(quote).join(' OR ');
