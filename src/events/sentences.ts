/** Sentences and words of prose. Pure. */

/** Trimmed, without list marks. A line's end ends a sentence too: what people type often has no full stops. */
export const splitSentences = (text: string): readonly string[] =>
  text
    .split(/[\n\r\u2028\u2029]+/)
    .flatMap((line) => line.replace(listMark, '').split(sentenceEnd))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');

const listMark = /^\s{0,8}(?:[-*+•]|\d{1,3}[.)]|#{1,6}|>)\s{1,4}/;
/** A sentence continues after `e.g.` and similar abbreviations. */
const sentenceEnd =
  /(?<=[.!?][)"'”’]?)(?<!\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|no|st|dr|mr|ms)\.)\s+|(?<=[。！？])/i;

/** In a script without spaces, two characters count as a word. */
export const countWords = (text: string): number => {
  const spaceless = text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/gu)?.length ?? 0;
  const spaced = text.match(
    /(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}])[\p{L}\p{N}])+(?:['’_./-][\p{L}\p{N}]+)*/gu,
  );
  return (spaced?.length ?? 0) + Math.ceil(spaceless / 2);
};
