/** Signs that a text spells as an address, a string of a program or Markdown does: `%3D`, `\u003d`, `\x3d`, `\_`. Pure. */

/** The code of a blank or of a character of ASCII that is no letter and no digit; not of `%`, nor of a quote's backslash. */
const hexOfSign = '(?:2[0-46-9A-Fa-f]|3[A-Fa-f]|40|5[BDEFbdef]|60|7[B-Eb-e]|0[9AaDd])';

/**
 * With a group for the digits in an address, one for those in a string, and one for a sign inside of a word that
 * Markdown keeps from marking up. A percent sign may be spelled itself, as in an address within an address.
 */
export const escapedSign = [
  `%(?:25){0,2}(${hexOfSign})`,
  String.raw`\\{1,4}(?:u00|x)(${hexOfSign})`,
  String.raw`(?<=[\w-])\\{1,4}([_*.=+~#!-])`,
].join('|');

/** False of a text that surely has none. */
export const mayHaveEscapedSign = (text: string): boolean =>
  (text.includes('\\') && /\\(?:u00|x)[02-7]|[\w-]\\{1,4}[_*.=+~#!-]/.test(text)) ||
  (text.includes('%') && /%(?:25){0,2}[02-7][0-9A-Fa-f]/.test(text));

/** What the digits or the sign stand for. */
export const signOf = (digitsOrSign: string): string =>
  digitsOrSign.length === 1 ? digitsOrSign : String.fromCharCode(Number.parseInt(digitsOrSign, 16));
