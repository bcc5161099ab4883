/** Makes foreign text safe to show to a person or a model: nothing hidden, and no control characters. Pure. */

/** Scripts in which a joiner or a non-joiner between two letters changes the word. */
const joining =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}';
const emoji = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}';

/** Zero-width characters, direction marks, tags, variation selectors and fillers all have this Unicode property. */
const hiddenClass = '[\\p{Default_Ignorable_Code_Point}\\u180e\\ufff9-\\ufffb]';
const controlClass = '[^\\P{Cc}\\n\\t]';

/** Marks without a shape that modify the character before: it must stay, or cleaning twice would remove more. */
const shaping = [
  `(?<=[${emoji}]\\ufe0f?)\\u200d(?=\\p{Extended_Pictographic})`,
  `(?<=(?!${hiddenClass})[${joining}])[\\u200c\\u200d]`,
  `(?<=[${emoji}\\p{Sm}\\p{So}\\p{Po}\\p{Nd}])[\\ufe0e\\ufe0f]`,
  `(?<=(?!${hiddenClass})\\p{Script=Mongolian})[\\u180b-\\u180d\\u180f]`,
].join('|');

/** Any mark that may be invisible, including those that shape a letter. */
const unseenMark = `(?:${hiddenClass}|${controlClass})`;

/** Compiled on first use: Unicode classes add some milliseconds to a start, and most texts have nothing hidden. */
let hidden: RegExp | undefined;
let unseen: RegExp | undefined;
const hiddenPattern = `(?!${shaping})${unseenMark}`;
const makeHidden = (): RegExp => {
  hidden ??= new RegExp(hiddenPattern, 'gu');
  return hidden;
};
const makeUnseen = (): RegExp => {
  unseen ??= new RegExp(`(?!\\r)${hiddenPattern}`, 'gu');
  return unseen;
};
/** False for a text that surely has nothing hidden, even with dashes, umlauts or arrows: then no class is compiled. */
const mayHide =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\uffff\ud82f\ud834\udb40-\udb43]|\u034f|\u115f|\u1160|\u17b4|\u17b5|[\u180b-\u180f]|[\ufe00-\ufe0f]/;

/** Removes control and invisible characters. Keeps line breaks, tabs, emoji sequences and joiners that scripts need. */
export const withoutHidden = (text: string): string =>
  mayHide.test(text) ? text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n').replace(makeHidden(), '') : text;

/** The same, but keeps the line ends, for a value that may be sent back and recorded. */
export const withoutUnseen = (text: string): string => (mayHide.test(text) ? text.replace(makeUnseen(), '') : text);

/** Puts the text on one line. A mark that changes the writing direction becomes a space, as white space does. */
export const inOneLine = (text: string): string =>
  withoutHidden(text.replace(/[\s\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')).trim();

const escaped = /[\x7f-\x9f\u2028\u2029\ufff9-\ufffb]|\p{Default_Ignorable_Code_Point}/gu;

/** Escapes every hidden mark in JSON; its meaning stays the same. */
export const escapeHidden = (json: string): string =>
  json.replace(escaped, (mark) =>
    mark.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
