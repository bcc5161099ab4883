/**
 * The codes that control a terminal, as control characters and as a text spells them; only this module says what counts
 * as one. Patterns as strings, all linear. If a match may not be a code, its group is the part that surely is not text:
 * a lone `\u009b` before a token must not consume the token's first letters. Pure.
 */

const parameters = '[0-?]{0,100}';
/** One-character commands after an escape character; only those with a meaning, since a word may follow. */
const command = String.raw`[6-9=>@-Z\]^_cno|}~]`;

/** Has a group each for the sure part of a string, of a short code and of one that begins with a C1 character. */
export const controlCode = [
  String.raw`\u001b\[${parameters}(?:[!-/]{0,2}[@-~]| [@-DTUqtu])`,
  // Selects a line-drawing alphabet or the ordinary one: `tput sgr0` ends in this.
  String.raw`\u001b[()*+][0B]`,
  // A string: a title, a link, a picture; ended by BEL or by ST.
  String.raw`(\u001b[P\]X^_]|[\u0090\u0098\u009d-\u009f])[^\n\u0007\u001b\u0080-\u009f]{0,1000}(?:\u0007|\u001b\\|\u009c)`,
  String.raw`(\u001b)(?:[#(-/][0-9<=>@-Z]|%[@G8]| [FGLMN]|${command}|\\)`,
  String.raw`(\u009b)${parameters}[@-~]`,
].join('|');

/** Nothing else is spelled like this, so these count even alone. */
const surelyEscape = String.raw`\\{1,4}(?:[uU](?:0000)?001[bB]|u\{0{0,4}1[bB]\}|x1[bB]|x\{1[bB]\}|0?33)`;
const anyEscape = String.raw`(?:${surelyEscape}|\\{1,4}e|\^\[|%1[bB]|&#(?:27|x1[bB]);|\u241b)`;
/** Begins a string. The other spellings never do, and each of them would be searched for a string's end. */
const beforeString = String.raw`(?:${surelyEscape}|\\{1,4}e|\^\[)`;
const writtenC1 = String.raw`\\{1,4}(?:[uU](?:0000)?009[bB]|u\{9[bB]\}|x9[bB])`;
const bell = String.raw`\\{1,4}(?:a|0?07|x07|u0007)|\^G`;

/** Has a group each for the sure part of a string, of a short code and of one that begins with a C1 character. */
export const writtenCode = [
  String.raw`${anyEscape}(?:\[|%5[bB])(?:[0-?]|%3[bB]){0,100}(?:[@-~]| q)`,
  `${anyEscape}[()*+][0B]`,
  // Resets a terminal or saves its cursor. `\echo` begins like this too, but it loses these letters only in a reading.
  String.raw`(?:\\{1,4}e|\^\[)[c78]`,
  String.raw`(${beforeString}[P\]X^_])[^\\^\u0000-\u001f\u241b]{0,200}(?:${bell}|${beforeString}\\{1,8})`,
  `(${surelyEscape})${command}?`,
  `(${writtenC1})(?:${parameters}[@-~])?`,
].join('|');

/** A quick test: false for a text that surely has no code spelled in it. */
export const mayHaveWrittenCode = (text: string): boolean =>
  (text.includes('\\') && /\\(?:[uU](?:00|\{)|[xX][1{9]|0?33|e[[()*+P\]X^_c78])/.test(text)) ||
  /\^\[[[()*+P\]X^_c78]|%1[bB]|&#(?:27|x1[bB]);|\u241b/.test(text);

const everyControlCode = new RegExp(controlCode, 'g');

/**
 * Removes the codes that a terminal would interpret, if they are control characters. Keeps a C1 character with one
 * letter, which may be a stray byte before a word.
 */
export const withoutTerminalCodes = (text: string): string =>
  text.replace(everyControlCode, (code) => (/^\u009b.$/.test(code) ? code : ''));
