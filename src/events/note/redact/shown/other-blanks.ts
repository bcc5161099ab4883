/**
 * Blanks that are no U+0020, and signs of full width: Word, a web page and a keyboard for French or Chinese put them
 * where a pattern of a detector has a blank, a colon or an equals sign. As characters and as a text spells them. Pure.
 */

/** U+2800 is a cell of Braille without dots. */
const blanks = String.raw`\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000`;
const lineEnds = String.raw`\u2028\u2029`;
const signByWide: Readonly<Record<string, string>> = { '：': ':', '﹕': ':', '＝': '=', '﹦': '=' };
const wideSigns = Object.keys(signByWide).join('');
const entity = '&(?:amp;)?(?:(?:nb|en|em|thin|hair|num|punc)sp|#(?:160|8239|12288|[xX](?:[aA]0|202[fF]|3000)));';
const escaped = String.raw`\\{1,4}(?:u(?:00[aA]0|200[0-9aA]|202[fF]|3000|[fF][fF]1[aAdD])|xa0)`;

/** With one group; what it matched is for `blankOf`. Linear. */
export const otherBlank = `([${blanks}${lineEnds}${wideSigns}]{1,1000}|${entity}|${escaped})`;

const anyCharacter = new RegExp(`[${blanks}${lineEnds}${wideSigns}]`);
const anyEntity = new RegExp(entity);
const anyEscaped = new RegExp(escaped);

/** False of a text that surely has none. */
export const mayHaveOtherBlank = (text: string): boolean =>
  anyCharacter.test(text) ||
  (text.includes('&') && anyEntity.test(text)) ||
  (text.includes('\\') && anyEscaped.test(text));

const everyBlank = new RegExp(`[${blanks}]`, 'g');
const everyOther = new RegExp(`[${lineEnds}${wideSigns}]`, 'g');

/** What it is read as; of characters as many, so that each keeps its place. */
export const blankOf = (found: string): string => {
  if (/^[&\\]/.test(found)) return /ff1a$/i.test(found) ? ':' : /ff1d$/i.test(found) ? '=' : ' ';
  return found.replace(everyBlank, ' ').replace(everyOther, (sign) => signByWide[sign] ?? '\n');
};
