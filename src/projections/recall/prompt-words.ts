/** Reads the words of a prompt: counts them in the notes, weighs them, and corrects those that are in no note. */
import type Database from 'better-sqlite3';
import type { Access } from '../index/query.js';
import { countAllNotes } from '../index/rows.js';
import type { CountedForm } from '../search/expression.js';
import { otherForms } from '../search/families/word-families.js';
import { joinWords } from '../search/fuzzy/compounds.js';
import { correctWord, isGuess, standsWithin } from '../search/fuzzy/corrections.js';
import { readLanguage } from '../search/language/word-list.js';
import { countNotesWith, formsInNotes, isInAnotherLanguage, readStems } from '../search/query-words.js';
import { splitWords } from '../search/words.js';
import { isEveryday, type PromptWord, type WeighedWord, weighWords, wordsOfPrompt } from './word-weights.js';

export type ReadPrompt = {
  readonly words: readonly WeighedWord[];
  /** Number of notes in the index. */
  readonly total: number;
};

type PromptQuery = { readonly text: string; readonly project: string; readonly access?: Access };

/** One word per stem, in the order of the prompt. */
export const readPrompt = (database: Database.Database, { text, project, access }: PromptQuery): ReadPrompt => {
  const total = countAllNotes(database);
  const { isEnglish } = readLanguage(splitWords(text));
  const count = (words: readonly string[]): readonly PromptWord[] => countWords(database, words, isEnglish);
  const typed = count(wordsOfPrompt(text));
  const filter = { project, user: access?.user, workspace: access?.workspace };
  const unknown = typed.filter(({ kind, notes }) => kind === 'topical' && notes === 0).slice(0, maxCorrected);
  const isForeign = unknown.length > 0 && isInAnotherLanguage(database, splitWords(text));
  const joined = unknown.length === 0 ? new Map<string, string>() : joinWords(database, splitWords(text));
  const corrected = new Map(
    unknown.flatMap(({ word }) => {
      const whole = joined.get(word);
      if (whole !== undefined && standsWithin(database, whole, filter)) return [[word, [whole]] as const];
      const instead = correctWord(database, word, { filter, isForeign });
      return instead === undefined ? [] : [[word, instead] as const];
    }),
  );
  if (corrected.size === 0) return { words: weighWords(typed, total), total };
  const guessed = new Set([...corrected].flatMap(([word, instead]) => (isGuess(word, instead) ? instead : [])));
  const own = new Set(typed.map(({ word }) => word));
  const words = count(typed.flatMap(({ word }) => corrected.get(word) ?? [word])).map((one) =>
    guessed.has(one.word) && !own.has(one.word) ? { ...one, isCorrected: true } : one,
  );
  return { words: weighWords(words, total), total };
};

/** Each costs a vocabulary lookup, and a text of many unknown words is not one that was mistyped. */
const maxCorrected = 8;

const countWords = (
  database: Database.Database,
  words: readonly string[],
  isEnglish: boolean,
): readonly PromptWord[] => {
  const stems = readStems(database, words);
  const asked = new Set(stems.map(({ stem }) => stem));
  const made = formsInNotes(database, words);
  return stems.map(({ stem, at }) => {
    const word = words[at] ?? '';
    const notes = countNotesWith(database, stem);
    if (isEveryday(stem, isEnglish)) return { kind: 'everyday', word, notes };
    const forms = countForms(database, [...otherForms(word), ...(made[at] ?? [])], asked);
    const most = forms.reduce((held, form) => Math.max(held, form.notes), notes);
    return {
      kind: 'topical',
      word,
      notes: most,
      ...(forms.length === 0 ? {} : { forms }),
    };
  });
};

/** The forms that are in notes and not asked for themselves. */
const countForms = (
  database: Database.Database,
  forms: readonly string[],
  asked: ReadonlySet<string>,
): readonly CountedForm[] =>
  forms.length === 0
    ? []
    : readStems(database, forms)
        .filter(({ stem }) => !asked.has(stem))
        .map(({ stem, at }) => ({ word: forms[at] ?? '', notes: countNotesWith(database, stem) }))
        .filter(({ notes }) => notes > 0);
