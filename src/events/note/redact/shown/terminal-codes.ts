/**
 * The codes that steer a terminal, as control characters and as a text spells them: one place says what counts as one.
 * Patterns as text, all linear. Where a code may be none, its group is what surely is no part of the text behind it: a
 * lone `\u009b` before a token must not take the token's first letters along. Pure.
 */

const parameters = '[0-?]{0,100}';
/** Commands of one character behind an escape character: those that have a meaning, as the next may be a word. */
const command = String.raw`[6-9=>@-Z\]^_cno|}~]`;

/** With groups for what is sure of a string, of a short code and of one that begins with a C1 character. */
export const controlCode = [
  String.raw`\u001b\[${parameters}(?:[!-/]{0,2}[@-~]| [@-DTUqtu])`,
  // A line-drawing alphabet and the ordinary one: `tput sgr0` ends in this.
  String.raw`\u001b[()*+][0B]`,
  // A string: a title, a link, a picture; ended by BEL or by ST.
  String.raw`(\u001b[P\]X^_]|[\u0090\u0098\u009d-\u009f])[^\n\u0007\u001b\u0080-\u009f]{0,1000}(?:\u0007|\u001b\\|\u009c)`,
  String.raw`(\u001b)(?:[#(-/][0-9<=>@-Z]|%[@G8]| [FGLMN]|${command}|\\)`,
  String.raw`(\u009b)${parameters}[@-~]`,
].join('|');

/** Spelled so by nothing else: these count alone, too. */
const surelyEscape = String.raw`\\{1,4}(?:[uU](?:0000)?001[bB]|u\{0{0,4}1[bB]\}|x1[bB]|x\{1[bB]\}|0?33)`;
const anyEscape = String.raw`(?:${surelyEscape}|\\{1,4}e|\^\[|%1[bB]|&#(?:27|x1[bB]);|\u241b)`;
/** Of a string; the others don't write one, and each would look for its end. */
const beforeString = String.raw`(?:${surelyEscape}|\\{1,4}e|\^\[)`;
const writtenC1 = String.raw`\\{1,4}(?:[uU](?:0000)?009[bB]|u\{9[bB]\}|x9[bB])`;
const bell = String.raw`\\{1,4}(?:a|0?07|x07|u0007)|\^G`;

/** With a group for what is sure of a string, of a short code and of one that begins with a C1 character. */
export const writtenCode = [
  String.raw`${anyEscape}(?:\[|%5[bB])(?:[0-?]|%3[bB]){0,100}(?:[@-~]| q)`,
  `${anyEscape}[()*+][0B]`,
  // Resets a terminal, or saves its cursor. `\echo` begins so too, but only in a reading are these letters missing.
  String.raw`(?:\\{1,4}e|\^\[)[c78]`,
  String.raw`(${beforeString}[P\]X^_])[^\\^\u0000-\u001f\u241b]{0,200}(?:${bell}|${beforeString}\\{1,8})`,
  `(${surelyEscape})${command}?`,
  `(${writtenC1})(?:${parameters}[@-~])?`,
].join('|');

/** False of a text that surely has no code spelled in it. */
export const mayHaveWrittenCode = (text: string): boolean =>
  (text.includes('\\') && /\\(?:[uU](?:00|\{)|[xX][1{9]|0?33|e[[()*+P\]X^_c78])/.test(text)) ||
  /\^\[[[()*+P\]X^_c78]|%1[bB]|&#(?:27|x1[bB]);|\u241b/.test(text);

const everyControlCode = new RegExp(controlCode, 'g');

/**
 * Without the codes that a terminal would take, as far as they are control characters. A C1 character and a letter may be
 * no code but a stray byte before a word.
 */
export const withoutTerminalCodes = (text: string): string =>
  text.replace(everyControlCode, (code) => (/^\u009b.$/.test(code) ? code : ''));
