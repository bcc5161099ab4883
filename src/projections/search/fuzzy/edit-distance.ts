/** How far one word is from another, in typos and in shared trigrams. Pure. */

/** Optimal string alignment: inserted, deleted or changed letters, swapped neighbours. `most + 1` if it is greater. */
export const editDistance = (a: string, b: string, most: number): number => {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row];
    let least = row;
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwap) cost = Math.min(cost, (before[column - 2] ?? 0) + 1);
      next.push(cost);
      if (cost < least) least = cost;
    }
    // A swap reaches back two rows.
    if (least > most && Math.min(...last) > most) return most + 1;
    before = last;
    last = next;
  }
  return Math.min(last[b.length] ?? 0, most + 1);
};

/** Shared trigrams over all, 0 to 1, with two spaces before a word and one after, as PostgreSQL counts them. */
export const trigramSimilarity = (a: string, b: string): number => {
  const first = trigramsOf(a);
  const second = trigramsOf(b);
  let shared = 0;
  for (const trigram of first) if (second.has(trigram)) shared += 1;
  return shared / (first.size + second.size - shared);
};

const trigramsOf = (word: string): ReadonlySet<string> => {
  const padded = `  ${word} `;
  const trigrams = new Set<string>();
  for (let at = 0; at + 3 <= padded.length; at += 1) trigrams.add(padded.slice(at, at + 3));
  return trigrams;
};

/** All texts of plain letters that are one typo away, without the word itself. */
export const oneEditAway = (word: string): ReadonlySet<string> => {
  const edited = new Set<string>();
  for (let at = 0; at <= word.length; at += 1) {
    const head = word.slice(0, at);
    const tail = word.slice(at);
    for (const letter of letters) {
      edited.add(head + letter + tail);
      edited.add(head + letter + tail.slice(1));
    }
    edited.add(head + tail.slice(1));
    if (tail.length > 1) edited.add(head + (tail[1] ?? '') + (tail[0] ?? '') + tail.slice(2));
  }
  edited.delete(word);
  return edited;
};

const letters = 'abcdefghijklmnopqrstuvwxyz';
