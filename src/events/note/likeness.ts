/** Tells whether two texts say the same, the opposite, or something else: by words alone, without a model. Pure. */
import { normalForm } from '../normal-form.js';
import { splitSentences } from '../sentences.js';

type NoteText = { readonly title: string; readonly body: string };

/** True if only trailing white space, line ends, blank lines around the text or the Unicode form (NFC) differ. */
export const isSameText = (one: NoteText, other: NoteText): boolean =>
  plain(one.title.trim()) === plain(other.title.trim()) && plain(one.body) === plain(other.body);

const plain = (text: string): string => {
  const lines = normalForm(text)
    .split(/\r\n|\r|\n/)
    .map((line) => line.trimEnd());
  const first = lines.findIndex((line) => line !== '');
  const last = lines.findLastIndex((line) => line !== '');
  return lines.slice(Math.max(0, first), last + 1).join('\n');
};

/** `same`: the new text adds nothing. `opposite`: one rejects or forbids what the other says. `changed`: another value. */
export type Likeness = 'same' | 'opposite' | 'changed' | 'apart';

/** What a sentence says: its topic, the digits, paths and options in it, and what it sets aside. */
export type Statement = {
  /** Words and values that carry the topic. */
  readonly words: ReadonlySet<string>;
  /** Those of them that make another statement when they change: `8080`, `db/migrations`, `--force`. */
  readonly values: ReadonlySet<string>;
  /** `npm` in "pnpm instead of npm". */
  readonly rejected: ReadonlySet<string>;
  readonly denies: boolean;
};

/** Compares sentence by sentence. When in doubt the texts are `apart`, which costs a note too many. */
export const compareTexts = (fresh: string, known: string): Likeness => {
  const said = known.trim().slice(0, maxKnownUnits);
  if (normaliseText(fresh) === normaliseText(said)) return 'same';
  const others = parseStatements(said);
  const verdicts = parseStatements(fresh).map((one) => compareWithAll(one, others));
  const against = verdicts.find((verdict) => verdict === 'opposite' || verdict === 'changed');
  return against ?? (verdicts.length > 0 && verdicts.every((verdict) => verdict === 'same') ? 'same' : 'apart');
};

/** The sentences that say something, at most `most`: rules are at the beginning of a note. */
export const parseStatements = (text: string, most = Number.POSITIVE_INFINITY): readonly Statement[] =>
  splitSentences(text)
    .map(parseStatement)
    .filter(({ words }) => words.size > 0)
    .slice(0, most);

/** The nearest likeness to any of the others. */
export const compareWithAll = (fresh: Statement, others: readonly Statement[]): Likeness => {
  const verdicts = new Set(others.map((other) => compareStatements(fresh, other)));
  return (['same', 'opposite', 'changed'] as const).find((verdict) => verdicts.has(verdict)) ?? 'apart';
};

export const compareStatements = (fresh: Statement, known: Statement): Likeness => {
  const share = shareOf(fresh.words, known.words);
  if (setsAside(fresh, known) || setsAside(known, fresh)) return 'opposite';
  if (fresh.denies !== known.denies)
    return share >= leastShare && isTelling(share, fresh, known) ? 'opposite' : 'apart';
  const newValues = without(fresh.values, known.values);
  if (newValues.size > 0) {
    const [mine, yours] = [without(fresh.words, fresh.values), without(known.words, known.values)];
    const isOneSubject =
      shareOf(mine, yours) >= valueShare && !(without(mine, yours).size > 0 && without(yours, mine).size > 0);
    return isOneSubject && without(known.values, fresh.values).size > 0 ? 'changed' : 'apart';
  }
  const covered = countShared(fresh.words, known.words) / fresh.words.size;
  const isOneChoice = fresh.rejected.size > 0 && shareOf(fresh.rejected, known.rejected) === 1 && covered === 1;
  const isContained = fresh.words.size > 2 && covered >= 0.8 && share >= leastShare;
  return isOneChoice || share === 1 || isContained ? 'same' : 'apart';
};

/** Share of the words that both have, 0 to 1. */
export const shareOf = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  const both = countShared(a, b);
  return a.size + b.size === both ? 0 : both / (a.size + b.size - both);
};

/** The words and values that carry the topic, in order. */
export const contentWordsOf = (text: string): ReadonlySet<string> => new Set(termsOf(normaliseText(text)));

/** Returns the same for texts that differ only in case, white space, quotes and full stops. */
export const normaliseText = (text: string): string =>
  normalForm(text, 'NFKC')
    .toLowerCase()
    .replace(/[‘’‛`´]/g, "'")
    .replace(/\b(ca)n't\b|\bcannot\b/g, 'can not')
    .replace(/\bwon't\b/g, 'will not')
    .replace(/n't\b/g, ' not')
    .replace(/'(?:s|re|ve|ll|d|m)\b/g, '')
    .replace(/["“”„«»']/g, '')
    .replace(/\s+/g, ' ')
    // Tried only once per run: a text may be nothing but full stops.
    .replace(/(?<![\s.!;,])[\s.!;,]+$/, '')
    .trim();

/** Thresholds were set on the pairs of likeness.test.ts. */
const leastShare = 0.6;
const valueShare = 0.5;
const maxKnownUnits = 8000;

/** A single word in common says little, unless the sentences have no other. */
const isTelling = (share: number, a: Statement, b: Statement): boolean =>
  share === 1 || Math.min(a.words.size, b.words.size) > 1;

/** True if one rejects what the other is about: "pnpm instead of npm" against "npm". */
const setsAside = (a: Statement, b: Statement): boolean => {
  const dropped = [...a.rejected].some((word) => b.words.has(word) && !a.words.has(word));
  const isAboutMore = [...b.words].some((word) => !a.words.has(word) && !a.rejected.has(word));
  return dropped && !isAboutMore && !a.denies && !b.denies;
};

const countShared = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
  [...a].filter((one) => b.has(one)).length;

const without = (a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...a].filter((one) => !b.has(one)));

const parseStatement = (sentence: string): Statement => {
  const text = normaliseText(sentence);
  const { index = 0, 0: whole = '', groups } = rejection.exec(text) ?? {};
  const rejected = groups?.['rejected'] ?? '';
  const chosen = rejected === '' ? text : `${text.slice(0, index)} ${text.slice(index + whole.length)}`;
  const words = new Set(termsOf(chosen));
  return {
    words,
    values: new Set([...words].filter((word) => valueForm.test(word))),
    rejected: new Set(termsOf(rejected)),
    denies: chosen.split(/[^\p{L}]+/u).filter((word) => negations.has(word)).length % 2 === 1,
  };
};

/** "X instead of Y", "X, not Y", "prefer X over Y", "from Y to X"; common forms in German, French, Spanish. */
const rejection = new RegExp(
  String.raw`(?:\b(?:instead of|rather than|in place of|as opposed to|statt|anstatt|anstelle von|au lieu de|plutôt que|en vez de|en lugar de)|, (?:(?:and |but )?not|(?:und |aber )?nicht|(?:et |mais )?pas|(?:y |pero )no)|(?<=\b(?:prefer|prefers|preferred|choose|chose|chosen|favou?r)\b.{1,60}) over|\bfrom(?= \S{1,60}(?: \S{1,60})? to\b)) ` +
    // It ends where the sentence gives its purpose.
    String.raw`(?<rejected>\S+(?: (?!for\b|in\b|when\b|because\b|as\b|since\b|to\b|on\b|and\b|so\b)\S+){0,3})`,
);

const termsOf = (text: string): readonly string[] =>
  text.split(' ').flatMap((token) => {
    const bare = token.replace(/^[([{<*_=]+|(?<![)\]}>*_,;:!?.=])[)\]}>*_,;:!?.=]+$/g, '');
    if (valueForm.test(bare)) return [bare.replace(/^v(?=\d)/, '')];
    const words = bare.split(/[^\p{L}\p{M}\p{N}+#]+/u);
    return words.filter((word) => word !== '' && !stopWords.has(word) && !negations.has(word)).flatMap(keysOf);
  });

/** Digits, paths, options, dotted names. */
const valueForm = /\d|^--?[a-z]|[\\/@=]|[\p{L}_]\.[\p{L}_]/u;

const keysOf = (word: string): readonly string[] => {
  if (!unspaced.test(word)) return [stem(word)];
  // Languages that put no spaces between words are compared by pairs of characters.
  const chars = [...word];
  return chars.length < 2 ? chars : chars.slice(1).map((char, i) => `${chars[i]}${char}`);
};

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** Removes English endings only as far as it takes to see "test", "tests", "testing" and "tested" as one. */
const stem = (word: string): string => {
  if (word.length < 4 || /[^a-z]/.test(word)) return word;
  const single = word.replace(/ies$/, 'y').replace(/(?<=s|x|z|ch|sh)es$|(?<![su])s$/, '');
  const root = single.replace(/(?<=[a-z]{3})(?:ing|ed|er)$/, '');
  // "committed", "committing": the doubled letter belongs to the ending.
  return (root === single ? root : root.replace(/([bdgmnprt])\1$/, '$1')).replace(/(?<=[a-z]{3})e$/, '');
};

const setOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** English function words, and what people say around a rule without changing it. */
const stopWords = setOf(`a about all also although always am an and any are as at be because been being both but by
  can could did do does each else even ever every first for from had has have how i if in into is it its just like make
  may me might more most much must my of off ok on once only or other our out over own per please prefer same shall
  should since so some such than that the their them then there these they this those to too under until up us use used
  uses using very was we well were what when where which while who why will with would you your instead remember note
  let lets need want run runs running go goes choose keep decided old new now project repo repository`);

const negations = setOf(`not no never none neither nor without avoid stop dont nothing nobody
  nicht nie niemals kein keine keinen keinem keiner ohne pas jamais nunca jamás`);
