/** Which words can be mistyped and put right: letters only, of a script whose words are spelt. Pure. */

/** A word with digits names one thing, and its neighbour another: `sha256` is not a slip for `sha512`. */
export const isCorrectable = (word: string): boolean =>
  word.length >= leastLetters && word.length <= mostLetters && (isAscii.test(word) ? plain : spelt).test(word);

const leastLetters = 3;
const mostLetters = 32;
/** Apart, since a search that needs no script but Latin's would spend a millisecond on making the classes of others. */
const isAscii = /^[\x00-\x7f]*$/;
const plain = /^[a-z]+$/;
const spelt = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+$/u;
