/** Which words can be mistyped and put right: letters only, of a script whose words are spelt. Pure. */

/** A word with digits names one thing, and its neighbour another: `sha256` is not a slip for `sha512`. */
export const isCorrectable = (word: string): boolean =>
  word.length >= leastLetters && word.length <= mostLetters && spelt.test(word);

const leastLetters = 3;
const mostLetters = 32;
const spelt = /^(?:[a-z]+|[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+)$/u;
