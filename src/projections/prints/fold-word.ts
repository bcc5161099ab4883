/**
 * A word as the index's tokenizer folds it (FTS5's unicode61 with remove_diacritics 2): in lower case, Latin letters without
 * their marks. Letters of other scripts keep theirs: й is not и. Pure.
 */

/** Linear. */
export const foldWord = (word: string): string => {
  if (!beyondAscii.test(word)) return word.toLowerCase();
  let folded = '';
  for (const letter of word) folded += foldLetter(letter);
  return folded;
};

/** What stays where people leave marks out as they type: ё as е, ή as η. Both words of a comparison are to be folded. */
export const withoutMarks = (word: string): string =>
  beyondAscii.test(word) ? word.normalize('NFD').replace(/\p{M}/gu, '') : word;

const beyondAscii = /[^\x00-\x7f]/;

/** Texts repeat their letters, and a letter's case and parts take far longer than a look-up. */
const known: (string | undefined)[] = [];

const foldLetter = (letter: string): string => {
  // A pair of surrogates: few letters beyond the first plane have a case.
  if (letter.length > 1) return letter.toLowerCase();
  const code = letter.charCodeAt(0);
  const found = known[code];
  if (found !== undefined) return found;
  const folded = foldUnknown(letter);
  known[code] = folded;
  return folded;
};

const foldUnknown = (letter: string): string => {
  if (/\p{M}/u.test(letter)) return '';
  if (letter === 'İ') return 'i';
  if (unfolded.test(letter)) return letter;
  // By way of the upper case ς becomes σ, and the long s the usual one.
  const lower = single(single(letter, letter.toUpperCase()), single(letter, letter.toUpperCase()).toLowerCase());
  const [base = '', ...marks] = lower.normalize('NFD');
  return marks.length > 0 && /[a-z]/.test(base) && !keptWhole.test(lower) ? base : lower;
};

/** ß stays one letter though it has two in upper case. */
const single = (letter: string, changed: string): string => (changed.length === 1 ? changed : letter);

/** Capitals that came into Unicode after SQLite's tables were made, and the dotless i, which has no other case there. */
const unfolded = /[\u0131\u037f\u0528-\u052f\u13a0-\u13ff\u1c80-\u1cbf\u2c2f\ua698-\ua69b\ua796-\ua79f\ua7ab-\ua7ff]/;

/** The tables don't have it, whereas other letters with two marks are in them. */
const keptWhole = /\u01e1/;
