/**
 * Keeps masks within the strings that control a terminal, such as the address of a link: a mask over the end of one
 * would leave it open until the end of the next, and hide everything between them. Pure.
 */
import { lastNotAfter } from '../remaining-text.js';
import type { Span } from '../span.js';

export type CodeString = {
  readonly start: number;
  /** Where its text ends and its terminator begins. */
  readonly textEnd: number;
  readonly end: number;
};

/** The strings must be sorted and disjoint. A span across the end of one, but not its beginning, ends with its text. */
export const withinCodes = (strings: readonly CodeString[]): ((span: Span) => Span) => {
  const starts = strings.map(({ start }) => start);
  return (span) => {
    const string = strings[lastNotAfter(starts, span.start)];
    if (string === undefined || span.start <= string.start || span.start >= string.end || span.end <= string.textEnd)
      return span;
    // The lines of a key continue after the string.
    if (span.kind === 'private-key') return { ...span, start: string.start };
    if (span.start < string.textEnd) return { ...span, end: string.textEnd };
    return { ...span, start: Math.min(string.end, span.end) };
  };
};
