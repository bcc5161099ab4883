/** Which words can be mistyped and corrected: letters only, of a script whose words are spelt. Pure. */

/** A word with digits names one thing and its neighbour another: `sha256` is no typo for `sha512`. */
export const isCorrectable = (word: string): boolean =>
  word.length >= leastLetters && word.length <= mostLetters && (isAscii.test(word) ? plain : spelt).test(word);

const leastLetters = 3;
const mostLetters = 32;
/** Apart, since compiling the classes of other scripts would cost a search in Latin letters a millisecond. */
const isAscii = /^[\x00-\x7f]*$/;
const plain = /^[a-z]+$/;
const spelt = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+$/u;
