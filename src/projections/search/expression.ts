/** The FTS5 expression for a query: rare words choose the candidates, the full query scores them. Pure. */

/** A word of the query with the number of notes that contain its stem. */
export type CountedWord = {
  readonly word: string;
  readonly notes: number;
  /** From another wording of the query: it counts half. */
  readonly isOther?: boolean;
  /** Other forms that occur in notes. Each counts half here; `formScores` corrects that for the first hits. */
  readonly forms?: readonly CountedForm[];
};

export type CountedForm = { readonly word: string; readonly notes: number };

/** FTS5 adds up repeated phrases, so the score is `times` that of a query with each word once. */
export type Expression = { readonly text: string; readonly times: number };

export type MatchExpression = {
  /** Requires a choosing word; all words score. */
  readonly chosen: Expression;
  /** Requires any word. */
  readonly all: Expression;
  /** Words that choose candidates; the others only score. */
  readonly choosing: readonly string[];
};

/**
 * Six while they find few candidates, and two in any case: a search takes as long as it has candidates. For 95.9 % of
 * the public queries (11,591 notes) the first 8 hits are as if every word chose; hit@8 and nDCG@10 are the same.
 */
const maxChoosing = 6;
const leastChoosing = 2;
const candidateBudget = 1200;

/** Undefined if no word is in any note. A candidate must contain one of the choosing words, or a form of it. */
export const buildExpression = (words: readonly CountedWord[]): MatchExpression | undefined => {
  const found = words.flatMap(asInNotes).toSorted((a, b) => heldBy(a) - heldBy(b));
  // Chosen separately: otherwise rare words of other wordings would keep the query's own from choosing.
  const own = choose(found.filter(({ isOther }) => isOther !== true));
  const other = choose(found.filter(({ isOther }) => isOther === true));
  const choosing = [...own.choosing, ...other.choosing];
  const scoring = [...own.scoring, ...other.scoring];
  if (choosing.length === 0) return undefined;
  const chosen = choosing.flatMap(({ word, forms = [] }) => [word, ...wordsOf(forms)]);
  const withHalves = found.some(({ isOther, forms }) => isOther === true || forms !== undefined);
  const timesInAll = withHalves ? 2 : 1;
  const all = { text: plainExpression(found.flatMap((counted) => repeat(counted, timesInAll))), times: timesInAll };
  if (scoring.length === 0) return { chosen: all, all, choosing: chosen };
  // Other wordings are on both sides of AND, so that a note with nothing else is found too. Forms need not be.
  const times = found.some(({ isOther }) => isOther === true) ? 4 : 2;
  const scored = plainExpression([
    ...choosing.flatMap((counted) => repeat(counted, times, 1)),
    ...scoring.flatMap((counted) => repeat(counted, times)),
  ]);
  return { chosen: { text: `(${plainExpression(chosen)}) AND (${scored})`, times }, all, choosing: chosen };
};

/** Splits words, the rarest first, into those that choose and those that only score. */
const choose = (words: readonly CountedWord[]): Record<'choosing' | 'scoring', readonly CountedWord[]> => {
  let candidates = 0;
  const at = words.findIndex((counted, place) => {
    candidates += heldBy(counted);
    return place >= leastChoosing && (place >= maxChoosing || candidates > candidateBudget);
  });
  return at === -1 ? { choosing: words, scoring: [] } : { choosing: words.slice(0, at), scoring: words.slice(at) };
};

/** A word that no note contains is replaced by its commonest form, or left out if it has none. */
export const asInNotes = (counted: CountedWord): readonly CountedWord[] => {
  if (counted.notes > 0) return [counted];
  const { forms, ...rest } = counted;
  const [first, ...others] = forms ?? [];
  if (first === undefined) return [];
  return [{ ...rest, ...first, ...(others.length === 0 ? {} : { forms: others }) }];
};

/** The most notes that a word and its forms can find. */
const heldBy = ({ notes, forms = [] }: CountedWord): number => forms.reduce((sum, form) => sum + form.notes, notes);

/** Repeats a word, `less` the times that it is among the choosing ones; forms and other wordings half as often. */
const repeat = ({ word, isOther, forms = [] }: CountedWord, times: number, less = 0): readonly string[] => [
  ...timesOf(word, (isOther === true ? times / 2 : times) - less),
  ...forms.flatMap((form) => timesOf(form.word, times / 2 - less)),
];

const timesOf = (word: string, times: number): readonly string[] => Array.from({ length: times }, () => word);

const wordsOf = (forms: readonly CountedForm[]): readonly string[] => forms.map(({ word }) => word);

/** The plain query that scores every note with any of the words; `buildExpression` is measured against it. */
export const plainExpression = (words: readonly string[]): string => words.map(quote).join(' OR ');

/** Replaces NUL, at which SQLite ends a text. */
export const quote = (text: string): string => `"${text.replaceAll('\0', ' ').replaceAll('"', '""')}"`;
