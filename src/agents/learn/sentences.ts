/** Splits prose into sentences. Pure. */

/**
 * Returns the sentences in order, trimmed and without list marks. The end of a line also ends a sentence: what people
 * type to an agent often has no full stops.
 */
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
