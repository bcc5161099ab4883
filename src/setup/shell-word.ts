/** A word as a shell reads it again. Pure. */

/** In quotes only where it needs them. */
export const quoteForShell = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
