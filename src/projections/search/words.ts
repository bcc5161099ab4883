/** Splits what a person types into words that FTS5 can search for. Pure. */
import { composed, lowerCase } from '../prints/read-words.js';
import { readLanguage, standsByMonths } from './language/word-list.js';

/** Distinct runs of letters, digits and marks in lower case, in the order of the text; at most `most`. */
export const splitWords = (text: string, most = maxWords): readonly string[] => {
  const words = new Set<string>();
  // ASCII needs no Unicode classes, which cost the first search half a millisecond.
  const lower = lowerCase(text);
  const found = /[^\x00-\x7f]/.test(lower)
    ? composed(lower).matchAll(/[\p{L}\p{N}\p{M}\p{Co}]+/gu)
    : lower.matchAll(/[a-z0-9]+/g);
  for (const [word] of found) {
    words.add(word.slice(0, maxWordLength).replace(/[\ud800-\udbff]$/, ''));
    if (words.size === most) break;
  }
  return [...words];
};

/** Without stop words; all words if nothing else is left. */
export const contentWords = (words: readonly string[]): readonly string[] => {
  const content = dropStopWords(words);
  return content.length === 0 ? words : content;
};

/** Drops stop words of English, and of another language if the words are in it. Returns none if all are stop words. */
export const dropStopWords = (words: readonly string[]): readonly string[] => {
  const { functionWords } = readLanguage(words);
  return words.filter((word, at) => !functionWords.has(word) || (word === 'may' && isMonth(words, at)));
};

/** Judged by its neighbours: "12 May", "since May", "May release notes". "May I" and "it may fail" are no months. */
const isMonth = (words: readonly string[], at: number): boolean => {
  const [before = '', after = ''] = [words[at - 1], words[at + 1]];
  if (/^\d/.test(before) || /^\d/.test(after) || standsByMonths(before)) return true;
  return at === 0 ? after !== '' && dropStopWords([after]).length > 0 : after === '';
};

/** A prompt may be pages long; the first words say what it is about, and each further one costs time. */
const maxWords = 64;
const maxWordLength = 100;
