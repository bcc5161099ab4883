/**
 * Lists of words in text files, and the words that only hold sentences together, in seven languages. Many foreign ones
 * mean something in English ("die", "son"), so other words decide. The lists never change, so their readers count as
 * pure.
 */
import { readFileSync } from 'node:fs';
import { stemWord } from '../../prints/print.js';

/** Returns its lines without comments. Throws if the installation is incomplete. */
export const readWordList = (name: string): readonly string[] =>
  readFileSync(new URL(`./${name}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

/** Takes a word as the index folds it, in any inflection. The first call reads 140 kB. */
export const isCommonWord = (word: string): boolean => {
  stems ??= ` ${readWordList('common-words.txt').join(' ')} `;
  return stems.includes(` ${stemWord(word)} `);
};

/** Searching the text takes less time than making a set of it. */
let stems: string | undefined;
const kinds: readonly string[] = ['own', 'names', 'english', 'cues'];
const [own, names, english, cues] = [1, 2, 4, 8] as const;
const languages: readonly string[] = ['de', 'fr', 'es', 'it', 'pt', 'nl', 'en'];
const inLanguage = (bits: number, at: number): number => bits << (at * kinds.length);
const ownInEnglish = inLanguage(own, languages.indexOf('en'));
const ownInAnother = languages.reduce((bits, one, at) => (one === 'en' ? bits : bits | inLanguage(own, at)), 0);

/** Whether it is a function word of a language other than English, and no English word, name or abbreviation. */
export const isForeignFunctionWord = (word: string): boolean => (bitsOf(word) & ownInAnother) !== 0;

export type Reading = {
  /** Words that say nothing about the subject. */
  readonly functionWords: ReadonlySet<string>;
  /** False if no word decides, as in "worker die". */
  readonly isEnglish: boolean;
};

/** Takes distinct words in lower case. */
export const readLanguage = (words: readonly string[]): Reading => {
  const found = words.map((word) => ({ word, bits: bitsOf(word) }));
  const scores = languages.map((_, at) => scoreOf(found, at));
  const best = Math.max(...scores);
  // "la" and "de" alone belong to several languages.
  const dropped = scores.reduce(
    (bits, score, at) => (best > 0 && score === best ? bits | inLanguage(own | names | english, at) : bits),
    ownInEnglish | ownInAnother,
  );
  const functionWords = new Set(found.flatMap(({ word, bits }) => ((bits & dropped) === 0 ? [] : [word])));
  return { functionWords, isEnglish: best === 0 && found.some(({ bits }) => (bits & ownInEnglish) !== 0) };
};

/** Whether the word is used beside the names of months: "in May". */
export const standsByMonths = (word: string): boolean =>
  (bitsOf(word) & inLanguage(cues, languages.indexOf('en'))) !== 0;

type LanguageWord = { readonly word: string; readonly bits: number };

/** The number of the language's words; 0 if the text is not in that language, and for English. */
const scoreOf = (found: readonly LanguageWord[], at: number): number => {
  let [certain, shared, stops, others, hints] = [0, 0, 0, 0, 0];
  let isNamed = false;
  for (const { word, bits } of found) {
    const kind = bits >> (at * kinds.length);
    const isStop = (bits & ownInEnglish) !== 0;
    if (kind & own) certain += 1;
    else if (kind & names || (kind & english && !isStop)) shared += 1;
    else if (kind & english) stops += 1;
    else if (isStop) others += 1;
    isNamed ||= (kind & names) !== 0;
    if (kind & cues || lettersOf[at]?.test(word) === true) hints += 1;
  }
  const isSpoken = certain > 0 || (hints > 0 && shared > 0) || (others === 0 && isNamed && shared > 1);
  const spoken = certain + shared + stops;
  return languages[at] !== 'en' && isSpoken && spoken > others ? spoken + hints : 0;
};

/** Letters that words of each language have, and hardly any English ones. */
const lettersOf: readonly (RegExp | undefined)[] = [
  /[äöüß]/,
  /[àâçéèêëîïôœùû]/,
  /[áéíñóú]/,
  /[àèéìòù]/,
  /[áâãçéêíóõú]/,
];

/** The kinds of each word, four bits for each language. */
let bitsByWord: ReadonlyMap<string, number> | undefined;

const bitsOf = (word: string): number => {
  bitsByWord ??= parseBits(readWordList('function-words.txt'));
  return bitsByWord.get(word) ?? 0;
};

const parseBits = (lines: readonly string[]): ReadonlyMap<string, number> => {
  const byWord = new Map<string, number>();
  for (const line of lines) {
    const [language = '', kind = '', ...words] = line.split(' ');
    const bits = inLanguage(1 << kinds.indexOf(kind), languages.indexOf(language));
    for (const word of words) byWord.set(word, (byWord.get(word) ?? 0) | bits);
  }
  return byWord;
};
