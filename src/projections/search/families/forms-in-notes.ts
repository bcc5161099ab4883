/** Forms of words with other endings that occur in notes. */
import type Database from 'better-sqlite3';
import { printWordOf, stemOf } from '../../prints/print.js';
import { selectKnown } from '../fuzzy/compounds.js';
import { likelyForms } from './word-endings.js';

/**
 * For each word, one form for each stem other than its own. One lookup for all: .4 us for each likely form, of which a
 * word has about 15.
 */
export const formsInNotes = (database: Database.Database, words: readonly string[]): readonly (readonly string[])[] => {
  const likely = words.map(likelyForms);
  const known = selectKnown(database)
    .all(JSON.stringify(likely.flat()))
    .map(({ word }) => word);
  return likely.map((forms, at) => {
    const byStem = new Map(
      known.filter((form) => forms.includes(form)).map((form) => [stemOf(printWordOf(form)), form]),
    );
    byStem.delete(stemOf(printWordOf(words[at] ?? '')));
    return [...byStem.values()];
  });
};
