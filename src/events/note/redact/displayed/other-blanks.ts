/**
 * Normalises blanks other than U+0020, and letters and signs of full width: Word, web pages and French or Chinese
 * keyboards put them where a detector expects a blank, a colon or a name. As characters and as a text spells them.
 * Pure.
 */

/** U+2800 is a Braille cell without dots. */
const blanks = String.raw`\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000`;
const lineEnds = String.raw`\u2028\u2029`;
const colons = String.raw`\ufe30\ufe55\uff1a\u2236\ua789`;
const equalsSigns = String.raw`\ufe66\uff1d`;
const others = `${blanks}${lineEnds}${colons}${equalsSigns}`;
/** Full-width letters. A name has at least four in a row, since a sentence without blanks may contain a few. */
const wideLetters = String.raw`[\uff0d\uff21-\uff3a\uff3f\uff41-\uff5a]`;
const wideName = `${wideLetters}{4,1000}`;
/** Distance of a full-width letter from its ASCII form. */
const wideBy = 0xfee0;

const inString = String.raw`\\{1,8}(?:u(?:00[aA]0|200[0-9aA]|202[fF]|3000|[fF][fF]1[aAdD])|xa0)`;
const inAddress = '%[cC]2%[aA]0|%[eE]2%80%(?:8[0-9aA]|[aA][fF])|%[eE]3%80%80';
const spelled = `${inString}|${inAddress}`;

/** Has one group, which `blankOf` interprets. Linear. */
export const otherBlank = `([${others}]{1,1000}|${wideName}|${spelled})`;

const anyCharacter = new RegExp(`[${others}]|${wideName}`);
const anySpelled = new RegExp(spelled);

/** A quick test: false for a text that surely has none. */
export const mayHaveOtherBlank = (text: string): boolean =>
  anyCharacter.test(text) || ((text.includes('\\') || text.includes('%')) && anySpelled.test(text));

const everyBlank = new RegExp(`[${blanks}]`, 'g');
const everyOther = new RegExp(`[${lineEnds}${colons}${equalsSigns}]|${wideLetters}`, 'g');
const isWide = new RegExp(wideLetters);
const isColon = new RegExp(`[${colons}]`);
const isEqualsSign = new RegExp(`[${equalsSigns}]`);

/** Returns the replacement. Characters are replaced one for one, so that each keeps its place. */
export const blankOf = (found: string): string => {
  if (/^[%\\]./.test(found)) return /ff1a$/i.test(found) ? ':' : /ff1d$/i.test(found) ? '=' : ' ';
  return found.replace(everyBlank, ' ').replace(everyOther, narrowOf);
};
const narrowOf = (sign: string): string => {
  if (isWide.test(sign)) return String.fromCharCode(sign.charCodeAt(0) - wideBy);
  return isColon.test(sign) ? ':' : isEqualsSign.test(sign) ? '=' : '\n';
};
