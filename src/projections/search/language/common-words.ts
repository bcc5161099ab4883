/** Words that are spelt right although no note holds them: of common English, and of developers. Pure. */
import { stemWord } from '../../prints/print.js';
import { readWordList } from './word-list.js';

/** As the index folds it, in any inflection. The first call reads 140 kB. */
export const isCommonWord = (word: string): boolean => {
  stems ??= ` ${readWordList('common-words.txt').join(' ')} `;
  return stems.includes(` ${stemWord(word)} `);
};

/** Looking through the text takes less than making a set of it. */
let stems: string | undefined;
