/** Signs as an address, a string literal or Markdown spells them: `%3D`, `\u003d`, `\x3d`, `\_`, `\\"`, `\u200b`. Pure. */

/** The code of a blank or of a character of ASCII that is no letter and no digit; not of `%`, nor of a backslash. */
const hexOfSign = '(?:2[0-46-9A-Fa-f]|3[A-Fa-f]|40|5[BDEFbdef]|60|7[B-Eb-e]|0[9AaDd])';

/**
 * With a group for the digits in an address, one for those in a string, and one for a sign inside of a word that
 * Markdown keeps from marking up, one for a quote of JSON within JSON, and one for a plus sign, which `plusReader` tells of. A percent sign may be spelled
 * itself, as in an address within an address.
 */
export const escapedSign = [
  `%(?:25){0,4}(${hexOfSign})`,
  String.raw`\\{1,8}(?:u00|x)(${hexOfSign})`,
  String.raw`(?<=[\w-])\\{1,8}([_*.=+~#!-])|\\{2,15}(["'])`,
  String.raw`(\+)`,
].join('|');

/** Behind a plus sign that parts two words of a query; what a generator made reads on otherwise. Sticky. */
const wordOfQuery = /(?:[A-Za-z]?[a-z]{1,20}|\d{1,4}|[a-z]{1,10}\d{1,2})(?![\w/=~-])/y;

export type PlusReader = { readonly spelled: (end: number) => void; readonly isBlank: (at: number) => boolean };

/**
 * Whether a plus sign is a blank, as it is in the query of an address: beside a sign that the address spells, or before a
 * word. Asked of one after another; true in words alone that have spelled a sign before. Linear in the text.
 */
export const plusReader = (text: string): PlusReader => {
  /** Where what is known of the word ends, and whether a spelled sign ends there. */
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

/** False of a text that surely has none. */
export const mayHaveEscapedSign = (text: string): boolean =>
  (text.includes('\\') && /\\(?:u00|x)[02-7]|[\w-]\\{1,8}[_*.=+~#!-]|\\\\["']/.test(text)) ||
  (text.includes('%') && /%(?:25){0,4}[02-7][0-9A-Fa-f]/.test(text));

const unseenCode = '(?:200[b-fB-F]|202[a-eA-E]|206[0-9a-fA-F]|[fF][eE][fF]{2}|034[fF]|061[cC]|180[eE])';
const unseenInString = String.raw`\\{1,8}(?:u${unseenCode}|u\{${unseenCode}\}|u00[aA][dD]|x[aA][dD])`;
const unseenInAddress = '%[eE]2%80%8[b-fB-F]|%[eE]2%81%[aA]0|%[cC]2%[aA][dD]|%[eE][fF]%[bB]{2}%[bB][fF]';

/** A mark that nobody sees, with one group. */
export const escapedMark = `(${unseenInString}|${unseenInAddress})`;

const anyEscapedMark = new RegExp(escapedMark);
/** False of a text that surely has none. */
export const mayHaveEscapedMark = (text: string): boolean =>
  (text.includes('\\') || text.includes('%')) && anyEscapedMark.test(text);

/** What the digits or the sign stand for. */
export const signOf = (digitsOrSign: string): string =>
  digitsOrSign.length === 1 ? digitsOrSign : String.fromCharCode(Number.parseInt(digitsOrSign, 16));
