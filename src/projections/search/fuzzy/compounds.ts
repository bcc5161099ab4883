/** Words that the notes have only as part of a longer word, or only apart: `busytimeout`, `Datenbank`. */
import type Database from 'better-sqlite3';
import { prepared, reverseText } from '../../prepared.js';
import { foldWord } from '../../prints/read-words.js';
import { isCommonWord } from '../language/word-list.js';

/** Two words of the notes that form this one, perhaps with a German linking letter; the most even split. */
export const splitWord = (database: Database.Database, word: string): readonly string[] | undefined => {
  if (word.length < leastToSplit) return undefined;
  const splits: { readonly head: string; readonly tail: string }[] = [];
  for (let at = leastPart; at <= word.length - leastPart; at += 1) {
    const head = word.slice(0, at);
    splits.push({ head, tail: word.slice(at) });
    for (const link of ['s', 'n', 'es', 'en']) {
      if (word.startsWith(link, at) && word.length - at - link.length >= leastPart)
        splits.push({ head, tail: word.slice(at + link.length) });
    }
  }
  const asked = JSON.stringify(splits.flatMap(({ head, tail }) => [...spellings(head), ...spellings(tail)]));
  const known = new Set(
    selectKnown(database)
      .all(asked)
      .map(({ word: one }) => one),
  );
  const evenness = ({ head, tail }: { readonly head: string; readonly tail: string }): number =>
    Math.min(head.length, tail.length);
  const asInNotes = (part: string): string | undefined => spellings(part).find((one) => known.has(one));
  const [best] = splits
    .flatMap(({ head, tail }) => {
      const [first, second] = [asInNotes(head), asInNotes(tail)];
      return first === undefined || second === undefined ? [] : [{ head: first, tail: second }];
    })
    .toSorted((a, b) => evenness(b) - evenness(a));
  return best === undefined ? undefined : [best.head, best.tail];
};

/** For each word, a word of the notes that it forms with a neighbour: `webhook` for `hook` after `web`. */
export const joinWords = (database: Database.Database, words: readonly string[]): ReadonlyMap<string, string> => {
  const pairs = words.slice(1).map((word, at) => [words[at] ?? '', word] as const);
  const joined = pairs.map(([first, second]) => foldWord(first + second));
  const known = new Set(
    selectKnown(database)
      .all(JSON.stringify(joined))
      .map(({ word }) => word),
  );
  return new Map(
    pairs.flatMap((pair, at) => {
      const one = joined[at] ?? '';
      return known.has(one) ? pair.map((word) => [word, one] as const) : [];
    }),
  );
};

/** German with and without its special letters: `strassenbahn`, `muelleimer`. The vocabulary has no umlaut dots. */
const spellings = (part: string): readonly string[] => {
  const others = [part.replaceAll('ss', 'ß'), part.replaceAll('ß', 'ss'), part.replace(/(?<=[aou])e/g, '')];
  return [part, ...others.filter((one) => one !== part)];
};

const leastToSplit = 8;
const leastPart = 4;

/** Words that begin with it, then some that end with it; not with a common word: `concurrency` is no `currency`. */
export const extendWord = (database: Database.Database, word: string): readonly string[] => {
  if (word.length < leastToExtend) return [];
  const beginning = selectBeginning(database).all(word, `${word}\uffff`);
  const reversed = reverseText(word);
  const ending = selectEnding(database).all(reversed, `${reversed}\uffff`);
  const found = ending.length === 0 || isCommonWord(word) ? beginning : [...beginning, ...ending];
  return found.map(({ word: one }) => one);
};

const leastToExtend = 5;
const maxExtended = 4;

type Known = { readonly word: string; readonly notes: number };

/** Those of a list of words, as JSON, that are in notes. */
export const selectKnown = prepared<[string], Known>(
  'SELECT word, notes FROM json_each(?) asked CROSS JOIN vocabulary ON word = asked.value',
);
const selectBeginning = prepared<[string, string], Known>(
  `SELECT word, notes FROM vocabulary WHERE word > ? AND word < ? ORDER BY notes DESC, word LIMIT ${maxExtended}`,
);
const selectEnding = prepared<[string, string], Known>(
  `SELECT word, notes FROM vocabulary WHERE reversed > ? AND reversed < ? ORDER BY notes DESC, word LIMIT ${maxExtended}`,
);
