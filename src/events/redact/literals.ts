/**
 * Finds any of hundreds of words in one pass. A pattern of a hundred alternatives would try them at every character;
 * here three characters are one look into a table, and the words are compared only where these three may begin one.
 */

export type WordGroup<Group extends string> = {
  readonly group: Group;
  /** Two or more characters each; those of `anyCase` in lower case, if they are ASCII. */
  readonly words: readonly string[];
  readonly anyCase: boolean;
  /** What may follow a word of two characters; anything, if it isn't given. */
  readonly next?: string;
};

type Visit<Group extends string> = (group: Group, at: number, word: string) => void;

type Entry<Group extends string> = { readonly group: Group; readonly word: string; readonly anyCase: boolean };

const tableSize = 1 << 15;
/** Depends on the last three characters alone: what came before was shifted out. Upper and lower case are one. */
const step = (hash: number, code: number): number => ((hash << 5) ^ ((code & 255) | 32)) & (tableSize - 1);
const anything = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join('');

/** Visits in the order of the text; of words at one place, the longest first. */
export const wordScanner = <Group extends string>(
  groups: readonly WordGroup<Group>[],
): ((text: string, visit: Visit<Group>) => void) => {
  const table = new Uint16Array(tableSize);
  const buckets: Entry<Group>[][] = [[]];
  const add = (front: string, entry: Entry<Group>): void => {
    const hash = step(step(step(0, front.charCodeAt(0)), front.charCodeAt(1)), front.charCodeAt(2));
    if (table[hash] === 0) table[hash] = buckets.push([]) - 1;
    const bucket = buckets[table[hash] ?? 0] ?? [];
    if (!bucket.includes(entry)) bucket.push(entry);
  };
  for (const { group, words, anyCase, next = anything } of groups) {
    for (const word of new Set(words)) {
      const entry = { group, word, anyCase };
      if (word.length > 2) add(word.slice(0, 3), entry);
      else for (const char of next) add(word + char, entry);
    }
  }
  for (const bucket of buckets) bucket.sort((a, b) => b.word.length - a.word.length);
  const look = (text: string, at: number, bucket: readonly Entry<Group>[], visit: Visit<Group>): void => {
    for (const { group, word, anyCase } of bucket) if (stands(text, at, word, anyCase)) visit(group, at, word);
  };
  return (text, visit) => {
    // Bytes are read faster than characters. One beyond Latin-1 may look like another here, never in `stands`.
    const bytes = Buffer.from(text, 'latin1');
    let hash = 0;
    for (let i = 0; i < bytes.length; i++) {
      hash = step(hash, bytes[i] ?? 0);
      const index = table[hash] ?? 0;
      if (index !== 0) look(text, i - 2, buckets[index] ?? [], visit);
    }
  };
};

const lowerCode = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);

const stands = (text: string, at: number, word: string, anyCase: boolean): boolean => {
  if (at < 0) return false;
  if (!anyCase) return text.startsWith(word, at);
  for (let i = 0; i < word.length; i++) if (lowerCode(text.charCodeAt(at + i)) !== word.charCodeAt(i)) return false;
  return true;
};
