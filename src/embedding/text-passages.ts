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
  const passages: string[] = [];
  let from = 0;
  let count = 0;
  for (const { 0: word, index } of body.matchAll(aWord)) {
    if (count === words) {
      passages.push(body.slice(from, index));
      if (passages.length === maxPassages) break;
      from = index;
      count = 0;
    }
    count += Math.min(words, Math.ceil(word.length / maxWord));
    count = Math.min(count, words);
  }
  if (passages.length < maxPassages) passages.push(body.slice(from, from + words * maxWord));
  return passages.map((text) => `${head}\n${text.slice(0, words * maxWord)}`.trim());
};

const aWord =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu;
