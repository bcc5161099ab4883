/**
 * Lists of words that stand beside the program as texts. Read when they are first needed, they cost a start nothing, and
 * their words are no code that has to be compiled. They are a part of the program and never change while it runs, so what
 * asks for them counts as pure; that is why node:fs is not imported, which would make an effect of it.
 */

/** Its lines, without those of comments. Throws if the program is not installed whole. */
export const readWordList = (name: string): readonly string[] =>
  process
    .getBuiltinModule('node:fs')
    .readFileSync(new URL(`./${name}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
