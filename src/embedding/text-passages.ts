/** A note as passages of text, for a model that reads context. Pure; linear in the text. */
import type { NoteText } from './closeness.js';

/** Part of the vectors' identity. Raise its number whenever a change here makes other passages from the same texts. */
export const textRecipe = 'passages-1';

/** Words per passage, about 128 word pieces of English; a character of a script without spaces counts as one. */
const words = 96;
/** Characters of a word; a longer one was not written by hand and counts as several. */
const maxWord = 64;
const maxPassages = 32;
const maxTitle = 200;

/** Each passage includes the title; a note without text has one passage. */
export const textPassages = ({ title, body }: NoteText): readonly string[] => {
  const head = title.slice(0, maxTitle);
  const starts = partStarts(body, words, maxPassages + 1);
  return starts.slice(0, maxPassages).map((from, at) => {
    const text = body.slice(from, Math.min(starts[at + 1] ?? body.length, from + words * maxWord));
    return `${head}\n${text}`.trim();
  });
};

/** Where the passages of a body begin, in the order in which `textPassages` gives them. */
export const passageStarts = (body: string): readonly number[] => partStarts(body, words, maxPassages);

/** Returns where a text's parts of `wordsOfPart` words begin, at most `most` of them; the first begins at 0. */
export const partStarts = (text: string, wordsOfPart: number, most: number): readonly number[] => {
  const starts = [0];
  let count = 0;
  for (const { 0: word, index } of text.matchAll(aWord)) {
    if (count === wordsOfPart) {
      if (starts.length === most) break;
      starts.push(index);
      count = 0;
    }
    count = Math.min(wordsOfPart, count + Math.ceil(word.length / maxWord));
  }
  return starts;
};

const aWord =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu;
