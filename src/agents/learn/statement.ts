/** Parses a sentence by its words: its topic, its values, whether it denies, what it rejects. Pure. */
import { normalForm } from '../../events/normal-form.js';
import { articles, isOpposite, negations, opposites, stopWords, synonyms } from './words.js';

export type Term = {
  /** Normalised: lower case, without endings. */
  readonly key: string;
  /** Digits, paths, options, dotted names: another value makes another statement. */
  readonly isValue: boolean;
  /** The word before it in the sentence, ignoring articles. */
  readonly cue: string;
};

export type Statement = {
  readonly terms: readonly Term[];
  readonly words: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
  /** Terms of what it rejects: `npm` in "pnpm instead of npm". They are in no other field. */
  readonly rejected: ReadonlySet<string>;
  /** If it says what comes before what: the terms of each. */
  readonly sooner: ReadonlySet<string>;
  readonly later: ReadonlySet<string>;
  readonly denies: boolean;
};

export const parseStatement = (sentence: string): Statement => {
  const { chosen, rejected } = splitChoice(normaliseText(sentence));
  const terms = parseTerms(chosen);
  const keys = (isValue: boolean): ReadonlySet<string> =>
    new Set(terms.filter((term) => term.isValue === isValue).map(({ key }) => key));
  return {
    terms,
    words: keys(false),
    values: keys(true),
    rejected: keySetOf(rejected),
    ...splitOrder(chosen),
    denies: countDenials(chosen) % 2 === 1,
  };
};

/** Returns the distinct words and values that carry the topic, in order. */
export const contentWordsOf = (text: string): readonly string[] => [
  ...new Set(parseTerms(normaliseText(text)).map(({ key }) => key)),
];

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

const keySetOf = (text: string): ReadonlySet<string> => new Set(parseTerms(text).map(({ key }) => key));

const splitOrder = (text: string): Pick<Statement, 'sooner' | 'later'> => {
  const found = /\b(?:before|after)\b/.exec(text);
  if (found === null) return { sooner: new Set(), later: new Set() };
  const [left, right] = [keySetOf(text.slice(0, found.index)), keySetOf(text.slice(found.index + found[0].length))];
  return found[0] === 'before' ? { sooner: left, later: right } : { sooner: right, later: left };
};

/** Splits "X instead of Y", "X, not Y", "prefer X over Y", "from Y to X"; common forms in German, French, Spanish. */
const splitChoice = (text: string): { readonly chosen: string; readonly rejected: string } => {
  const found = setAside.exec(text) ?? fromTo.exec(text);
  const rejected = found?.groups?.['rejected'];
  if (found === null || rejected === undefined) return { chosen: text, rejected: '' };
  const at = found.index + found[0].indexOf(rejected, found[0].indexOf(found.groups?.['mark'] ?? ''));
  const before = text.slice(0, found.index);
  return { chosen: `${before} ${text.slice(at + rejected.length)}`, rejected };
};

/** The rejected part ends where the sentence gives its purpose. */
const rejectedForm = String.raw`(?<rejected>\S+(?: (?!for\b|in\b|when\b|because\b|as\b|since\b|to\b|on\b|and\b|so\b)\S+){0,3})`;
const setAside = new RegExp(
  String.raw`(?<mark>\b(?:instead of|rather than|in place of|as opposed to|statt|anstatt|anstelle von|au lieu de|plutôt que|en vez de|en lugar de)|, (?:(?:and |but )?not|(?:und |aber )?nicht|(?:et |mais )?pas|(?:y |pero )no)|(?<=\b(?:prefer|prefers|preferred|choose|chose|chosen|favou?r)\b.{1,60}) over) ${rejectedForm}`,
);
const fromTo = /(?<mark>\bfrom) (?<rejected>\S+(?: \S+)?) (?=to\b)/;

const countDenials = (text: string): number =>
  text.split(/[^\p{L}]+/u).filter((word) => negations.has(word) || isOpposite(word)).length;

const parseTerms = (text: string): readonly Term[] => {
  const terms: Term[] = [];
  let cue = '';
  for (const token of text.split(' ')) {
    const bare = token.replace(/^[([{<*_=]+|(?<![)\]}>*_,;:!?.=])[)\]}>*_,;:!?.=]+$/g, '');
    if (bare === '') continue;
    if (isValueForm(bare)) {
      terms.push({ key: bare.replace(/^v(?=\d)/, ''), isValue: true, cue });
      cue = bare;
      continue;
    }
    for (const word of bare.split(/[^\p{L}\p{M}\p{N}+#]+/u)) {
      if (word === '') continue;
      if (!stopWords.has(word) && !negations.has(word)) {
        for (const key of keysOf(word)) terms.push({ key, isValue: false, cue });
      }
      if (!articles.has(word)) cue = word;
    }
  }
  return terms;
};

const isValueForm = (token: string): boolean =>
  /\d/.test(token) || /^--?[a-z]/.test(token) || /[\\/@=]/.test(token) || /[\p{L}_]\.[\p{L}_]/u.test(token);

const keysOf = (word: string): readonly string[] => {
  if (!unspaced.test(word)) return [stem(opposites.get(word) ?? synonyms.get(word) ?? word)];
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
