/**
 * The words of a text as the index's tokenizer sees them: lower case, Latin ones without diacritics. Of scripts without spaces
 * the pairs of neighbours, as the index has them beside the text. Pure.
 */
import { splitSpaceless } from '../spaceless.js';
import { composed, foldWord } from './fold-word.js';

/** Hands over each word in its order until `take` answers false. Linear. */
export const readWords = (text: string, take: (word: string) => boolean): void => {
  if (beyondPlain.test(text)) readAny(text, take);
  else readPlain(text, take);
};

/** Dashes, quotation marks and dots beyond ASCII separate words as those in it do. */
const beyondPlain = /[\x80-\u200f\u2028-\uffff]/;

/** ASCII characters that a word may have, in lower case. */
const isWordCode = Uint8Array.from({ length: 128 }, (_, code) => (/[a-z0-9]/.test(String.fromCharCode(code)) ? 1 : 0));

/** Most text has no letter beyond ASCII, and is read five times faster here. */
const readPlain = (text: string, take: (word: string) => boolean): void => {
  const lower = text.toLowerCase();
  let begin = -1;
  for (let at = 0; at <= lower.length; at += 1) {
    const code = at < lower.length ? lower.charCodeAt(at) : 0;
    if (code < 128 && isWordCode[code] === 1) {
      if (begin === -1) begin = at;
    } else if (begin !== -1) {
      if (!take(lower.slice(begin, at))) return;
      begin = -1;
    }
  }
};

const readAny = (text: string, take: (word: string) => boolean): void => {
  // Composed, as a query is.
  for (const [run] of composed(text).matchAll(/[\p{L}\p{N}\p{M}\p{Co}]+/gu))
    for (const word of splitSpaceless(run)) if (!take(foldWord(word))) return;
};
