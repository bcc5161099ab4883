/** Sentences and words of masked text. Pure. */
import { splitSentences } from '../../learn/sentences.js';

/** Like `splitSentences`, but no sentence ends inside `code ...`. */
export const sentencesOf = (text: string): readonly string[] => {
  const whole: string[] = [];
  let open = '';
  for (const piece of splitSentences(text)) {
    const joined = open === '' ? piece : `${open} ${piece}`;
    const isOpen = joined.length < maxOpenUnits && countOf(joined, '`') % 2 === 1;
    if (!isOpen) whole.push(joined);
    open = isOpen ? joined : '';
  }
  return open === '' ? whole : [...whole, open];
};

/** Beyond this length, a backtick that is not closed does not open code. */
const maxOpenUnits = 400;

const countOf = (text: string, sign: string): number => text.split(sign).length - 1;

/** In a script without spaces, two characters count as a word. */
export const countWords = (text: string): number => {
  const spaceless = text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/gu)?.length ?? 0;
  const spaced = text.match(
    /(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}])[\p{L}\p{N}])+(?:['’_./-][\p{L}\p{N}]+)*/gu,
  );
  return (spaced?.length ?? 0) + Math.ceil(spaceless / 2);
};
