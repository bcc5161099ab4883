/** A note as passages of text, for a model that reads context. Pure; linear in the text. */
import type { NoteText } from './closeness.js';

/** Stands for this file in the identity of the vectors: raised whenever a change here makes other passages of the same texts. */
export const textRecipe = 'passages-1';

/** About 128 word pieces of English; a character of a script without spaces counts as one. */
const words = 96;
/** Of a word nobody wrote. */
const maxWord = 64;
const maxPassages = 32;
const maxTitle = 200;

/** Each has the title in it; one where there is no text. */
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

/** Where a text's parts of so many words begin, at most `most` of them; the first begins at 0. */
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
