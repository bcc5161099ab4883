/**
 * Lists of words that stand beside the program as texts. Read when they are first needed, they cost a start nothing, and
 * their words are no code that has to be compiled. They are a part of the program and never change while it runs, so what
 * asks for them counts as pure.
 */
import { readFileSync } from 'node:fs';

/** Its lines, without those of comments. Throws if the program is not installed whole. */
export const readWordList = (name: string): readonly string[] =>
  readFileSync(new URL(`./${name}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
