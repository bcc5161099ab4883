/** The words of a text that say most about it, for a search for similar notes. */

import type Database from 'better-sqlite3';
import { normalForm } from '../../events/normal-form.js';
import { countAllNotes } from '../index/rows.js';
import { lowerCase } from '../prints/read-words.js';
import { countWords } from './query-words.js';
import { dropStopWords, splitWords } from './words.js';

/** By how often they are in the text (a title counts three times) and how few notes contain them; at most 24. */
export const keyTerms = (
  database: Database.Database,
  { title, body }: { readonly title: string; readonly body: string },
): readonly string[] => {
  const times = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const [found] of text.slice(0, maxUnits).matchAll(runs)) {
      const word = normalForm(lowerCase(found));
      times.set(word, (times.get(word) ?? 0) + weight);
    }
  };
  add(title, 3);
  add(body, 1);
  const known = dropStopWords(splitWords([...times.keys()].join(' '), maxWords)).filter((word) => !counting.test(word));
  const total = countAllNotes(database);
  return countWords(database, known)
    .filter(({ notes }) => notes > 0)
    .map(({ word, notes }) => ({ word, weight: Math.log1p(times.get(word) ?? 0) * Math.log((total + 1) / notes) }))
    .toSorted((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1))
    .slice(0, maxTelling)
    .map(({ word }) => word);
};

/** Numbers like those of a numbered list, which any note may have. */
const counting = /^\p{N}{1,2}$/u;
const runs = /[\p{L}\p{N}\p{M}]+/gu;
/** The beginning says what a note is about; each further word costs an index lookup. */
const maxUnits = 8000;
const maxWords = 400;
const maxTelling = 24;
