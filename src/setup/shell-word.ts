/** Quotes a word for a shell. Pure. */

/** Adds quotes only if the word needs them. */
export const quoteForShell = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
