/** Words that are spelt right even if no note contains them: common English words and developers' words. Pure. */
import { stemWord } from '../../prints/print.js';
import { readWordList } from './word-list.js';

/** Takes a word as the index folds it, in any inflection. The first call reads 140 kB. */
export const isCommonWord = (word: string): boolean => {
  stems ??= ` ${readWordList('common-words.txt').join(' ')} `;
  return stems.includes(` ${stemWord(word)} `);
};

/** Searching the text takes less time than making a set of it. */
let stems: string | undefined;
