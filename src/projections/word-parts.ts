/**
 * What a text's words are found by besides themselves: parts of identifiers, identifiers written as one word, letters that
 * people type in two ways, and neighbouring characters of scripts without spaces. Notes and queries are read alike. Pure.
 */

/** Of a note, in their order, with repetitions. Linear. */
export const wordParts = (text: string): readonly string[] => readParts(text, true, maxParts);

/** Of a query, at most `most`: no identifier as one word, since its words are asked for and stand in the notes' parts. */
export const queryParts = (text: string, most: number): readonly string[] => readParts(text, false, most);

const readParts = (text: string, withJoined: boolean, most: number): readonly string[] => {
  const parts: string[] = [];
  const whole = beyondAscii.test(text) ? text.normalize('NFKC') : text;
  readCompounds(whole, (compound) => {
    parts.push(...partsOfCompound(compound, withJoined));
    return parts.length < most;
  });
  if (whole !== text || beyondAscii.test(whole)) {
    for (const [word] of whole.matchAll(twoWays)) parts.push(...otherSpellings(word.toLowerCase()));
    for (const [run] of whole.matchAll(spacelessRun)) pushPairs(run, parts, most);
  }
  return parts.slice(0, most);
};

/** Whether it is of a script that puts no spaces between words. */
export const isSpaceless = (word: string): boolean => beyondAscii.test(word) && startsSpaceless.test(word);

/** A note of more is found by its beginning. */
const maxParts = 20_000;

const beyondAscii = /[^\x00-\x7f]/;
const spacelessRun =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]{1,2000}/gu;
const startsSpaceless =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Marks are left out: the index's tokenizer ends a word at them. */
const pushPairs = (run: string, parts: string[], most: number): void => {
  const letters = [...run.replace(/\p{M}/gu, '')];
  if (letters.length === 1) parts.push(...letters);
  for (let at = 1; at < letters.length && parts.length < most; at += 1)
    parts.push(`${letters[at - 1] ?? ''}${letters[at] ?? ''}`);
};

/** Words with a letter that has another spelling without it. */
const twoWays = /(?<!\p{L})\p{L}{0,40}[ßæœøłđäöüẞÆŒØŁĐÄÖÜ]\p{L}{0,40}/gu;

const otherSpellings = (word: string): readonly string[] => {
  const folded = word.replace(/[ßæœøłđ]/g, (letter) => plainLetters[letter] ?? letter);
  const written = folded.replace(/[äöü]/g, (letter) => `${letter.normalize('NFD')[0] ?? ''}e`);
  return [...new Set([folded, written])].filter((one) => one !== word);
};
const plainLetters: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd' };

/** Letters and digits in ASCII, joined by single marks: handed over where there is more to them than one plain word. */
const readCompounds = (text: string, take: (compound: string) => boolean): void => {
  let begin = -1;
  let last: Kind = other;
  let capitals = 0;
  let isCompound = false;
  for (let at = 0; at <= text.length; at += 1) {
    const kind = kindAt(text, at);
    const goesOn = kind === joint ? begin !== -1 && kindAt(text, at + 1) > joint && last !== joint : kind > joint;
    if (!goesOn) {
      if (isCompound && !take(text.slice(begin, at))) return;
      begin = -1;
      isCompound = false;
      last = other;
      continue;
    }
    if (begin === -1) begin = at;
    else if (changesWithin(last, kind, capitals)) isCompound = true;
    capitals = kind === upper ? capitals + 1 : 0;
    last = kind;
  }
};

/** `fooBar`, `HTTPServer`, `sha256`, `busy_timeout`. */
const changesWithin = (last: Kind, kind: Kind, capitals: number): boolean =>
  last === joint ||
  (last === lower && kind === upper) ||
  (kind === lower && capitals > 2) ||
  (kind !== joint && (last === digit) !== (kind === digit));

type Kind = 0 | 1 | 2 | 3 | 4;
const other = 0;
const joint = 1;
const lower = 2;
const upper = 3;
const digit = 4;

const kinds: readonly Kind[] = Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code);
  if (/[a-z]/.test(letter)) return lower;
  if (/[A-Z]/.test(letter)) return upper;
  if (/[0-9]/.test(letter)) return digit;
  return /[-_.]/.test(letter) ? joint : other;
});
const kindAt = (text: string, at: number): Kind => kinds[text.charCodeAt(at)] ?? other;

const partsOfCompound = (compound: string, withJoined: boolean): readonly string[] => {
  if (compound.length > maxCompound) return [];
  const joined = compound.split(/[-_.]/);
  const wordsOf = joined.map((one) => one.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g) ?? []);
  // Hashes and tables of numbers have none.
  if (wordsOf.flat().length > maxWordsOfOne || !/[A-Za-z]{2}/.test(compound)) return [];
  const inner = wordsOf.flatMap((words) => (words.length > 1 ? words.filter((word) => word.length > 1) : []));
  return [...(withJoined && joined.length > 1 ? [joined.join('')] : []), ...inner].map((part) => part.toLowerCase());
};

const maxCompound = 64;
const maxWordsOfOne = 8;
