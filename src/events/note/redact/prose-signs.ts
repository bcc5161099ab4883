/**
 * Whether a sentence has at all what its value and the way to it are made of. Each reader is asked for one place after
 * another and reads no character twice: names and logins follow each other closely in some texts.
 */

/** Cheap, and false of words, which are the most of what comes by. */
export const mayBeSecret = /\d|[a-z][A-Z]/;

/** Where the next match of the global pattern begins, from one place after another; the end of the text for none. */
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

/** Whether the rest of the line may have a secret in it. */
export const signReader = (text: string): ((start: number) => boolean) => {
  const next = nextReader(text, /\d|[a-z][A-Z]|\n/g);
  return (start) => {
    const at = next(start);
    return at < text.length && text.charCodeAt(at) !== 10;
  };
};

/** Whether a digit stands at most so far behind the place, and before what ends its word or its line. */
export const digitReader = (text: string, most: number, digitOrEnd: RegExp): ((start: number) => boolean) => {
  const next = nextReader(text, digitOrEnd);
  return (start) => {
    const at = next(start);
    return at - start <= most && isDigit(text.charCodeAt(at));
  };
};

/** So far before the name it is looked for. */
export const maxBefore = 160;

/**
 * Tells of one place after another, each behind the last, whether its line has a digit and a linking word behind that
 * digit. Names follow each other closely in some texts, so nothing is read twice.
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
