/** Makes a typo in one word of each query, the same ones for the same seed. Pure. */
import { randomFrom } from '../projections/eval/compare.js';
import { dropStopWords } from '../projections/search/words.js';

/** Changes a word of four letters or more that is not a stop word; a query without one stays unchanged. */
export const withTypo = (query: string, seed: number, at: number): string => {
  const next = randomFrom(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(at + 1, 0x85ebca6b));
  const pick = (count: number): number => Math.floor(next() * count);
  const words = [...query.matchAll(/(?<![\p{L}\p{N}])[a-zA-Z]{4,}(?![\p{L}\p{N}])/gu)].filter(
    ([word]) => dropStopWords([word.toLowerCase()]).length > 0,
  );
  const chosen = words[pick(words.length)];
  if (chosen === undefined) return query;
  const [word] = chosen;
  const before = query.slice(0, chosen.index);
  const after = query.slice(chosen.index + word.length);
  // A swap of equal letters changes nothing.
  for (;;) {
    const slipped = slip(word, pick);
    if (slipped !== word) return before + slipped + after;
  }
};

const slip = (word: string, pick: (count: number) => number): string => {
  const letter = 'abcdefghijklmnopqrstuvwxyz'[pick(26)] ?? '';
  const at = pick(word.length);
  const head = word.slice(0, at);
  const tail = word.slice(at);
  switch (pick(4)) {
    case 0:
      return head + tail.slice(1);
    case 1:
      return head + letter + tail;
    case 2:
      return head + letter + tail.slice(1);
    default:
      return head + tail.slice(1, 2) + tail.slice(0, 1) + tail.slice(2);
  }
};
