/**
 * Finds any of hundreds of words in one pass. A pattern of a hundred alternatives would try them at every character;
 * here three characters are one table lookup, and words are compared only where these three may begin one.
 */

export type WordGroup<Group extends string> = {
  readonly group: Group;
  /** Two or more characters each; with `anyCase`, in lower case if they are ASCII. */
  readonly words: readonly string[];
  readonly anyCase: boolean;
  /** Characters that may follow a word of two characters; any, if not given. */
  readonly next?: string;
};

/** Receives the groups that have a word, its position and the word. */
type Visit<Group extends string> = (groups: readonly Group[], at: number, word: string) => void;

type Entry<Group extends string> = {
  readonly groups: Group[];
  readonly word: string;
  readonly anyCase: boolean;
  /** Code of the last character, which is compared first, since the words at one place mostly begin alike. */
  readonly lastCode: number;
};

const tableSize = 1 << 15;
/** Hashes the last three characters; earlier ones are shifted out. Upper and lower case hash alike. */
const step = (hash: number, code: number): number => ((hash << 5) ^ ((code & 255) | 32)) & (tableSize - 1);
/** One character for each value that `step` tells apart. */
const anything = Array.from({ length: 256 }, (_, code) => code)
  .filter((code) => (code & 32) !== 0)
  .map((code) => String.fromCharCode(code))
  .join('');

/** Visits words in text order; those at one place, longest first. */
export const wordScanner = <Group extends string>(
  groups: readonly WordGroup<Group>[],
): ((text: string, visit: Visit<Group>) => void) => {
  const table = new Uint16Array(tableSize);
  const buckets: Entry<Group>[][] = [[]];
  const add = (front: number, code: number, entry: Entry<Group>): void => {
    const hash = step(front, code);
    const index = table[hash] ?? 0;
    const bucket = buckets[index];
    if (index === 0 || bucket === undefined) table[hash] = buckets.push([entry]) - 1;
    else if (!bucket.includes(entry)) bucket.push(entry);
  };
  const entryByWord = { exact: new Map<string, Entry<Group>>(), anyCase: new Map<string, Entry<Group>>() };
  for (const { group, words, anyCase, next = anything } of groups) {
    const entries = anyCase ? entryByWord.anyCase : entryByWord.exact;
    for (const word of words) {
      const known = entries.get(word);
      if (known?.groups.includes(group)) continue;
      known?.groups.push(group);
      const entry = known ?? { groups: [group], word, anyCase, lastCode: word.charCodeAt(word.length - 1) };
      if (known === undefined) entries.set(word, entry);
      const front = step(step(0, word.charCodeAt(0)), word.charCodeAt(1));
      if (word.length > 2) add(front, word.charCodeAt(2), entry);
      else for (let i = 0; i < next.length; i++) add(front, next.charCodeAt(i), entry);
    }
  }
  for (const bucket of buckets) if (bucket.length > 1) bucket.sort((a, b) => b.word.length - a.word.length);
  const visitMatches = (text: string, at: number, bucket: readonly Entry<Group>[], visit: Visit<Group>): void => {
    for (const entry of bucket) if (matchesAt(text, at, entry)) visit(entry.groups, at, entry.word);
  };
  return (text, visit) => {
    // Bytes are read faster than characters. One beyond Latin-1 may look like another here, never in `matchesAt`.
    const bytes = Buffer.from(text, 'latin1');
    let hash = 0;
    for (let i = 0; i < bytes.length; i++) {
      hash = step(hash, bytes[i] ?? 0);
      const index = table[hash] ?? 0;
      if (index !== 0) visitMatches(text, i - 2, buckets[index] ?? [], visit);
    }
  };
};

const lowerCode = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);

const matchesAt = (text: string, at: number, { word, anyCase, lastCode }: Entry<string>): boolean => {
  if (at < 0) return false;
  const last = text.charCodeAt(at + word.length - 1);
  if (!anyCase) return last === lastCode && text.startsWith(word, at);
  if (lowerCode(last) !== lastCode) return false;
  for (let i = 0; i < word.length; i++) if (lowerCode(text.charCodeAt(at + i)) !== word.charCodeAt(i)) return false;
  return true;
};
