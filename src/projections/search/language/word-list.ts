/**
 * Lists of words in text files beside the program. Read when first needed, they cost nothing at start-up and need not
 * be compiled as code. They are part of the program and never change while it runs, so code that reads them counts as
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
