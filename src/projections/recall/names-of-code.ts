/** Names from code and numbers in a prompt: whoever types `__dirname` or 429 means just that. Pure. */
import { splitWords } from '../search/words.js';

/** As words of the prompt. A name of several words is left out, since each of them may stand anywhere. */
export const namesOfCode = (text: string): ReadonlySet<string> => {
  const tokens = text.slice(0, maxRead).split(/[\s"'`()<>[\]{},;:=|/]+/, maxTokens);
  return new Set(
    tokens.flatMap((token) => {
      const name = token.replace(/(?<![.!?])[.!?]+$/, '');
      const words = isName(name) ? splitWords(name) : [];
      return words.length === 1 ? words : [];
    }),
  );
};

const maxRead = 4000;
const maxTokens = 400;

const isName = (token: string): boolean =>
  token.length <= maxName && (/^_+[a-z]{3,}|^[a-z]{2,}[A-Z][a-z]|^(?:[A-Z][a-z]+){3,}$/.test(token) || isCode(token));

const maxName = 40;

/** An HTTP status, a port or the number of an error; no year or round number. */
const isCode = (token: string): boolean =>
  /^(?:[45]\d\d|\d{4,5})$/.test(token) && Number(token) % 50 !== 0 && !/^(?:19|20)\d\d$/.test(token);
