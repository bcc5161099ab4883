/** Decodes signs as URLs, strings and Markdown spell them: `%3D`, `\u003d`, `\x3d`, `\_`, `\\"`, `\u200b`. Pure. */

/** The code of a blank or of an ASCII character that is neither letter nor digit, except `%` and the backslash. */
const hexOfSign = '(?:2[0-46-9A-Fa-f]|3[A-Fa-f]|40|5[BDEFbdef]|60|7[B-Eb-e]|0[9AaDd])';

/**
 * Has a group each for the digits in a URL, the digits in a string, a sign that Markdown escapes inside a word, a quote
 * of JSON within JSON, and a plus sign, which `plusReader` interprets. A percent sign may itself be spelled, as in a
 * URL within a URL.
 */
export const escapedSign = [
  `%(?:25){0,4}(${hexOfSign})`,
  String.raw`\\{1,8}(?:u00|x)(${hexOfSign})`,
  String.raw`(?<=[\w-])\\{1,8}([_*.=+~#!-])|\\{2,15}(["'])`,
  String.raw`(\+)`,
].join('|');

/** A word after a plus sign that separates two words of a query; generated text continues differently. Sticky. */
const wordOfQuery = /(?:[A-Za-z]?[a-z]{1,20}|\d{1,4}|[a-z]{1,10}\d{1,2})(?![\w/=~-])/y;

export type PlusReader = { readonly spelled: (end: number) => void; readonly isBlank: (at: number) => boolean };

/**
 * Tells whether a plus sign is a blank, as in the query of a URL: beside a sign that the URL spells, or before a word.
 * Takes plus signs in text order; only in words with an earlier spelled sign is the answer true. Linear in the text.
 */
export const plusReader = (text: string): PlusReader => {
  /** How far the current word has been read, and where the last spelled sign ends. */
  let known = -1;
  let sign = -1;
  return {
    spelled: (end) => {
      known = sign = end;
    },
    isBlank: (at) => {
      if (known === -1) return false;
      const isSameWord = !/[\s"'`<>]/.test(text.slice(known, at));
      known = isSameWord ? at + 1 : -1;
      if (!isSameWord) return false;
      wordOfQuery.lastIndex = at + 1;
      return sign === at || wordOfQuery.test(text);
    },
  };
};

/** A quick test: false for a text that surely has none. */
export const mayHaveEscapedSign = (text: string): boolean =>
  (text.includes('\\') && /\\(?:u00|x)[02-7]|[\w-]\\{1,8}[_*.=+~#!-]|\\\\["']/.test(text)) ||
  (text.includes('%') && /%(?:25){0,4}[02-7][0-9A-Fa-f]/.test(text));

const unseenCode = '(?:200[b-fB-F]|202[a-eA-E]|206[0-9a-fA-F]|[fF][eE][fF]{2}|034[fF]|061[cC]|180[eE])';
const unseenInString = String.raw`\\{1,8}(?:u${unseenCode}|u\{${unseenCode}\}|u00[aA][dD]|x[aA][dD])`;
const unseenInAddress = '%[eE]2%80%8[b-fB-F]|%[eE]2%81%[aA]0|%[cC]2%[aA][dD]|%[eE][fF]%[bB]{2}%[bB][fF]';

/** An invisible mark, as one group. */
export const escapedMark = `(${unseenInString}|${unseenInAddress})`;

const anyEscapedMark = new RegExp(escapedMark);
/** A quick test: false for a text that surely has none. */
export const mayHaveEscapedMark = (text: string): boolean =>
  (text.includes('\\') || text.includes('%')) && anyEscapedMark.test(text);

/** Returns the sign that the digits, or the sign itself, stand for. */
export const signOf = (digitsOrSign: string): string =>
  digitsOrSign.length === 1 ? digitsOrSign : String.fromCharCode(Number.parseInt(digitsOrSign, 16));
