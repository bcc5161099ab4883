/** Reads a prompt's words: counts and corrects them, and weighs how much each says about the subject. */
import type Database from 'better-sqlite3';
import type { Access } from '../index/query.js';
import { countAllNotes } from '../index/rows.js';
import type { CountedForm } from '../search/expression.js';
import { otherForms } from '../search/families/word-families.js';
import { joinWords } from '../search/fuzzy/compounds.js';
import { correctWord, isGuess, standsWithin } from '../search/fuzzy/corrections.js';
import { readLanguage, readWordList } from '../search/language/word-list.js';
import { countNotesWith, formsInNotes, isInAnotherLanguage, readStems } from '../search/query-words.js';
import { dropStopWords, splitWords } from '../search/words.js';
import { splitSpaceless } from '../word-parts.js';

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
/** A word of the prompt. Everyday words are those used in talking with an agent, which say little about the subject. */
export type PromptWord = {
  readonly kind: 'everyday' | 'topical';
  readonly word: string;
  /** Number of notes that contain its stem, or that of its commonest other form. */
  readonly notes: number;
  /** Replaces a word that is in no note: alone, it says nothing. */
  readonly isCorrected?: boolean;
  /** Other forms of it that are in notes, which count as the word itself. */
  readonly forms?: readonly CountedForm[];
};

/** `weight` is 0 for a word in every note and 1 for a word in none. */
export type WeighedWord = PromptWord & { readonly weight: number };

/** Words in a row by which a longer prompt is judged: the question is in one place, and the rest may be anything. */
export const stretch = 12;

/** At most 48 distinct words. Of a long prompt the beginning and the end, where people ask, not what is pasted. */
export const wordsOfPrompt = (prompt: string): readonly string[] => {
  const text =
    prompt.length <= 2 * maxUnits ? prompt : `${prompt.slice(0, maxUnits)} ${prompt.slice(prompt.length - maxUnits)}`;
  const words = [...new Set(dropStopWords(splitWords(text, text.length)).flatMap(splitSpaceless))];
  return words.length <= maxWords ? words : [...words.slice(0, maxWords - fromTheEnd), ...words.slice(-fromTheEnd)];
};

const maxUnits = 4000;
const maxWords = 48;
const fromTheEnd = 16;

/** `stem` as the index's tokenizer leaves it; `isEnglish` is false if the prompt may be in another language. */
export const isEveryday = (stem: string, isEnglish = true): boolean =>
  stemsOfEveryDay().has(stem) ||
  everydayPairs.has(stem) ||
  (!isEnglish && articles.has(stem)) ||
  /^(?:\p{N}{1,2}|[a-z]|\p{Script=Hiragana}{1,2})$/u.test(stem);

/** Everyday words of Chinese; those of Japanese are in hiragana alone. */
const everydayPairs = new Set(
  '怎么 什么 为什 如何 我们 你们 他们 可以 一下 这个 那个 这些 那些 请帮 帮我 给我 需要 应该 能不 不能 是否 是不 没有 现在 之前 之后 然后 但是 因为 所以 时候 问题 哪里 哪个 告诉'.split(
    ' ',
  ),
);

export const weighWords = (words: readonly PromptWord[], total: number): readonly WeighedWord[] => {
  const rarity = rarityAmong(total);
  return words.map((word) => ({ ...word, weight: word.kind === 'everyday' ? everydayWeight : rarity(word.notes) }));
};

/** The same in any store: a note that says `test` where few others do is not about testing. */
const everydayWeight = 0.2;

/** BM25's idf over its maximum. In a store of a few notes every word is rare, so at least 1,000 notes are assumed. */
const rarityAmong = (total: number): ((notes: number) => number) => {
  const size = Math.max(total, 1000);
  const idf = (notes: number): number => Math.log(1 + (size - notes + 0.5) / (notes + 0.5));
  return (notes) => idf(notes) / idf(0);
};

let everydayStems: ReadonlySet<string> | undefined;

const stemsOfEveryDay = (): ReadonlySet<string> => {
  everydayStems ??= new Set(readWordList('everyday-stems.txt').flatMap((line) => line.split(' ')));
  return everydayStems;
};

/** Stems of foreign articles that mean something in English; alone, they don't show what language a text is in. */
const articles = new Set('da del des die el lo'.split(' '));
