/** Scripts without spaces between words, whose text is found by pairs of neighbouring characters. Pure. */

/** Whether the word begins in such a script. */
export const isSpaceless = (word: string): boolean => beyondAscii.test(word) && patterns().starts.test(word);

/** A quick check: false for a text that has no character of such a script. */
export const maySpaceless = (text: string): boolean => someSpaceless.test(text);

/** Runs of such characters without punctuation, at most 2,000 in each. */
export const spacelessRuns = (text: string): Iterable<string> => runsOf(text);

function* runsOf(text: string): Generator<string> {
  for (const [run] of text.matchAll(patterns().run)) yield run;
}

/**
 * Pairs of neighbours in a run, at most `most`; a single character is returned alone. Leaves out marks: the index's
 * tokenizer ends a word at them.
 */
export const pairsOfRun = (run: string, most = Number.POSITIVE_INFINITY): readonly string[] => {
  const letters = [...run.replace(/\p{M}/gu, '')];
  if (letters.length === 1) return letters;
  return letters.slice(1, most + 1).map((letter, at) => `${letters[at] ?? ''}${letter}`);
};

/**
 * The words by which a run of letters is found: the run itself, with each part in such a script replaced by its pairs.
 */
export const splitSpaceless = (word: string): readonly string[] =>
  maySpaceless(word)
    ? [...word.matchAll(patterns().runOrNot)].flatMap(([part]) => (isSpaceless(part) ? pairsOfRun(part) : [part]))
    : [word];

const beyondAscii = /[^\x00-\x7f]/;
const someSpaceless = /[\u0e00-\u11ff\u1780-\u17ff\u19e0-\u19ff\u2e80-\ud8ff\uf900-\ufaff\uff00-\uffef]/;

const scripts = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;

type Patterns = { readonly starts: RegExp; readonly run: RegExp; readonly runOrNot: RegExp };

/** Built on first use: compiling the Unicode classes takes half a millisecond. */
let made: Patterns | undefined;
const patterns = (): Patterns => {
  made ??= {
    starts: new RegExp(`^[${scripts}]`, 'u'),
    run: new RegExp(String.raw`(?:(?!\p{P})[${scripts}ー]){1,2000}`, 'gu'),
    runOrNot: new RegExp(`[${scripts}ー]+|[^${scripts}ー]+`, 'gu'),
  };
  return made;
};
