/** Names from code and numbers in a prompt: a person who types `__dirname` or 429 means exactly that. Pure. */
import { splitWords } from '../search/words.js';

/** Returns them as words of the prompt. Leaves out names of several words, since each may occur anywhere. */
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

/** An HTTP status, a port or an error number; not a year or a round number. */
const isCode = (token: string): boolean =>
  /^(?:[45]\d\d|\d{4,5})$/.test(token) && Number(token) % 50 !== 0 && !/^(?:19|20)\d\d$/.test(token);
