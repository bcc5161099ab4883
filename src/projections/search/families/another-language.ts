/** Whether a query is in another language than the notes. Pure. */
import type { CountedForm } from '../expression.js';
import { isForeignFunctionWord } from '../words.js';

/** Its words are not slips then, and like words of the notes mean something else. */
export const isInAnotherLanguage = (words: readonly CountedForm[]): boolean =>
  words.some(({ word, notes }) => notes === 0 && isForeignFunctionWord(word));
