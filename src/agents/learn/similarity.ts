/** Tells whether two texts say the same, the opposite, or something else. Pure, by words alone, without a model. */
import { splitSentences } from './sentences.js';
import { normaliseText, parseStatement, type Statement, type Term } from './statement.js';
import { choiceCues } from './words.js';

/** `same`: the new text adds nothing. `contradicts`: the same topic with another number, option or answer. */
export type Likeness = 'same' | 'contradicts' | 'apart';

/**
 * Compares sentence by sentence: one sentence that contradicts is enough for the whole text, but texts are the same
 * only if all their sentences are. When in doubt they are `apart`, which costs a note too many.
 */
export const compareTexts = (fresh: string, known: string): Likeness => {
  const said = known.trim().slice(0, maxKnownChars);
  if (normaliseText(fresh) === normaliseText(said)) return 'same';
  const parts = parseParts(fresh);
  const others = parseParts(said);
  const verdicts = parts.map((part) => verdictOf(part, others));
  if (verdicts.includes('contradicts')) return 'contradicts';
  if (verdicts.length > 0 && verdicts.every((verdict) => verdict === 'same')) return 'same';
  return verdictOf(parseStatement(fresh), [parseStatement(said)], wholeShare) === 'same' ? 'same' : 'apart';
};

/** Parses the sentences of a title and of a body, for `areAgainst`. */
export const rulesOf = (texts: readonly string[]): readonly Statement[] =>
  texts.flatMap((text) => parseParts(text.slice(0, maxRuleChars))).slice(0, maxRules);

/**
 * True if a sentence of the one rejects what a sentence of the other chooses, or forbids what it asks for. Numbers and
 * further choices don't count: handwritten notes say much, and each would contradict another.
 */
export const areAgainst = (fresh: readonly Statement[], known: readonly Statement[]): boolean =>
  fresh.some((one) => known.some((other) => isTurnedRound(one, other) || isForbidden(one, other)));

/** Rules are at the beginning of a note. */
const maxRuleChars = 1500;
const maxRules = 16;

/** True if one sentence denies, the other doesn't, and they are about the same thing. */
const isForbidden = (a: Statement, b: Statement): boolean => {
  if (a.denies === b.denies) return false;
  const [mine, yours] = [keysOf(a), keysOf(b)];
  return Math.min(mine.size, yours.size) > 1 && shareOf(mine, yours) >= forbiddenShare;
};

/** True for the same words, denied in one: "use tabs", "never use tabs". Only for short notes, which say no more. */
export const areOpposed = (fresh: readonly Statement[], known: readonly Statement[]): boolean =>
  fresh.some((one) => known.some((other) => one.denies !== other.denies && shareOf(keysOf(one), keysOf(other)) === 1));

/** Share of words and values that both texts have, 0 to 1. */
export const shareWords = (a: string, b: string): number => shareOf(wordsOf(a), wordsOf(b));

/** Returns the words and values of a text, for `shareOf`: parsing it is what takes time. */
export const wordsOf = (text: string): ReadonlySet<string> => keysOf(parseStatement(text));

export const compareStatements = (fresh: Statement, known: Statement, leastShare = sameShare): Likeness => {
  const [mine, yours] = [keysOf(fresh), keysOf(known)];
  if (isTurnedRound(fresh, known)) return 'contradicts';
  const both = countShared(mine, yours);
  if (both === 0) return 'apart';
  const share = shareOf(mine, yours);
  if (fresh.denies !== known.denies) return share >= deniedShare ? 'contradicts' : 'apart';
  const newValues = without(fresh.values, known.values);
  const oldValues = without(known.values, fresh.values);
  if (newValues.length > 0 && oldValues.length > 0) {
    const wordsShared = countShared(fresh.words, known.words);
    const isOneSubject = wordsShared > 0 && shareOf(fresh.words, known.words) >= valueShare;
    return isOneSubject && !haveBothOwn(fresh.words, known.words) ? 'contradicts' : 'apart';
  }
  if (isOtherChoice(fresh, known) || isOtherOrder(fresh, known)) return 'contradicts';
  if (newValues.length > 0) return 'apart';
  const covered = both / mine.size;
  // One choice between the same two things, with a reason or without.
  const isOneChoice = fresh.rejected.size > 0 && shareOf(fresh.rejected, known.rejected) === 1 && covered === 1;
  return isOneChoice ||
    share === 1 ||
    (mine.size > 2 && covered >= 0.8 && share >= leastShare) ||
    (mine.size > 4 && covered >= 0.95)
    ? 'same'
    : 'apart';
};

/** Thresholds were set on the pairs of similarity.test.ts. */
const sameShare = 0.6;
const wholeShare = 0.75;
const deniedShare = 0.55;
const forbiddenShare = 0.6;
const valueShare = 0.5;
const leastCommon = 2;

/** Limit for a note; the new text is a lesson and short. */
const maxKnownChars = 8000;

const parseParts = (text: string): readonly Statement[] =>
  splitSentences(text)
    .map(parseStatement)
    .filter(({ terms }) => terms.length > 0);

const verdictOf = (part: Statement, others: readonly Statement[], leastShare = sameShare): Likeness => {
  const verdicts = new Set(others.map((other) => compareStatements(part, other, leastShare)));
  if (verdicts.has('same')) return 'same';
  return verdicts.has('contradicts') ? 'contradicts' : 'apart';
};

const keysOf = ({ words, values }: Statement): ReadonlySet<string> => new Set([...words, ...values]);

const countShared = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
  [...a].filter((key) => b.has(key)).length;

export const shareOf = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  const both = countShared(a, b);
  return a.size + b.size === both ? 0 : both / (a.size + b.size - both);
};

const without = (a: ReadonlySet<string>, b: ReadonlySet<string>): readonly string[] =>
  [...a].filter((key) => !b.has(key));

const haveBothOwn = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  without(a, b).length > 0 && without(b, a).length > 0;

/** True if one rejects what the other chose: "pnpm instead of npm" against "npm", or against "npm instead of pnpm". */
const isTurnedRound = (a: Statement, b: Statement): boolean => setsAside(a, b) || setsAside(b, a);

const setsAside = (a: Statement, b: Statement): boolean => {
  const [mine, yours] = [keysOf(a), keysOf(b)];
  const dropped = without(a.rejected, mine).filter((key) => yours.has(key));
  const rest = without(yours, mine).filter((key) => !a.rejected.has(key));
  // If the other one has words of its own, it is about something else.
  return dropped.length > 0 && !a.denies && !b.denies && rest.length === 0;
};

/** True if the order is reversed: "migrate before the deployment" against "deploy before the migration". */
const isOtherOrder = (a: Statement, b: Statement): boolean => {
  const crosses = (from: ReadonlySet<string>, own: ReadonlySet<string>, to: ReadonlySet<string>): boolean =>
    [...from].some((key) => to.has(key) && !own.has(key));
  return crosses(a.sooner, a.later, b.later) && crosses(a.later, a.sooner, b.sooner);
};

/** True if the sentences differ in one place only, where each names another choice: "with vitest", "with jest". */
const isOtherChoice = (a: Statement, b: Statement): boolean => {
  const [start, end] = [countCommon(a.terms, b.terms), countCommon(a.terms.toReversed(), b.terms.toReversed())];
  if (start + end < leastCommon) return false;
  const [mine, yours] = [a.terms.slice(start, a.terms.length - end), b.terms.slice(start, b.terms.length - end)];
  const isChosen = (terms: readonly Term[]): boolean =>
    terms.length > 0 && terms.length <= 3 && choiceCues.has(terms[0]?.cue ?? '');
  return isChosen(mine) && isChosen(yours);
};

const countCommon = (a: readonly Term[], b: readonly Term[]): number => {
  const at = a.findIndex(({ key }, i) => key !== b[i]?.key);
  return at === -1 ? a.length : at;
};
