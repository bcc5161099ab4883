/** Search without an index: each word as a fixed string, the note with the most matches first. Pure. */
import { contentWords, splitWords } from '../search/words.js';

export type GreppedNote = { readonly id: string; readonly project: string; readonly text: string };

/** Ignores case. Ties go to the smaller id. */
export const openGrep = (
  notes: readonly GreppedNote[],
): ((query: string, project: string | undefined, k: number) => readonly string[]) => {
  const lowered = notes.map(({ id, project, text }) => ({ id, project, text: text.toLowerCase() }));
  return (query, project, k) => {
    const words = contentWords(splitWords(query));
    return lowered
      .flatMap((note) => {
        if (project !== undefined && note.project !== project) return [];
        const count = words.reduce((sum, word) => sum + countIn(note.text, word), 0);
        return count === 0 ? [] : [{ id: note.id, count }];
      })
      .toSorted((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1))
      .slice(0, k)
      .map(({ id }) => id);
  };
};

const countIn = (text: string, word: string): number => {
  let count = 0;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) count += 1;
  return count;
};
