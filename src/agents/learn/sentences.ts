/** Sentences of prose. Pure. */

/**
 * In their order and trimmed, without the marks of lists. A line ends a sentence too: what people type to an agent
 * often has no full stops.
 */
export const splitSentences = (text: string): readonly string[] =>
  text
    .split(/[\n\r\u2028\u2029]+/)
    .flatMap((line) => line.replace(listMark, '').split(sentenceEnd))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');

const listMark = /^\s{0,8}(?:[-*+•]|\d{1,3}[.)]|#{1,6}|>)\s{1,4}/;
/** After `e.g.` and its kind the sentence goes on. */
const sentenceEnd =
  /(?<=[.!?][)"'”’]?)(?<!\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|no|st|dr|mr|ms)\.)\s+|(?<=[。！？])/i;
