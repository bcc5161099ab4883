/**
 * Quick tests of whether a sentence can contain a secret and the words that lead to it. Each reader takes increasing
 * positions and reads no character twice, because names and logins follow each other closely in some texts.
 */

/** A cheap test that is false for most words. */
export const mayBeSecret = /\d|[a-z][A-Z]/;

/** Makes a reader that returns where the next match of the global pattern begins; the end of the text if none does. */
const nextReader = (text: string, sign: RegExp): ((start: number) => number) => {
  let from = 0;
  let next = -1;
  return (start) => {
    if (start < from || next < start) {
      from = start;
      sign.lastIndex = start;
      next = sign.exec(text)?.index ?? text.length;
    }
    return next;
  };
};

/** Makes a reader that tells whether the rest of the line may contain a secret. */
export const signReader = (text: string): ((start: number) => boolean) => {
  const next = nextReader(text, /\d|[a-z][A-Z]|\n/g);
  return (start) => {
    const at = next(start);
    return at < text.length && text.charCodeAt(at) !== 10;
  };
};

/** Makes a reader that tells whether a digit follows within `most` characters, before the end of the word or line. */
export const digitReader = (text: string, most: number, digitOrEnd: RegExp): ((start: number) => boolean) => {
  const next = nextReader(text, digitOrEnd);
  return (start) => {
    const at = next(start);
    return at - start <= most && isDigit(text.charCodeAt(at));
  };
};

/** How far before a name a value is searched, in UTF-16 units. */
export const maxBefore = 160;

/**
 * Makes a reader that tells whether the line has, before the position, a digit and after it a linking word. Takes
 * increasing positions, so that nothing is read twice.
 */
export const linkReader = (text: string): ((start: number) => boolean) => {
  const nextDigit = nextReader(text, /\d/g);
  let read = 0;
  let digit = -1;
  /** The last digit that a linking word follows. */
  let linked = -1;
  return (start) => {
    if (nextDigit(Math.max(0, start - maxBefore)) >= start) return false;
    if (start - read > maxBefore) {
      read = start - maxBefore;
      digit = linked = -1;
    }
    for (; read < start; read++) {
      const code = text.charCodeAt(read);
      if (isDigit(code)) digit = read;
      else if (code === 10) digit = linked = -1;
      else if (digit > linked && isBlank(code) && endsLink(text, read)) linked = digit;
    }
    return linked >= 0 && start - linked <= maxBefore;
  };
};
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isBlank = (code: number): boolean => code === 32 || code === 9;
const endsLink = (text: string, end: number): boolean => {
  const last = text.charCodeAt(end - 1) | 32;
  return (last === 114 || last === 115) && link.test(text.slice(Math.max(0, end - 4), end));
};
const link = /[ \t](?:is|was|as|for)$/i;
