/**
 * Strings that steer a terminal, such as the address of a link: a mask that takes the end of one along leaves a beginning
 * whose end is the next one's, and everything between them would be no part of the text. Pure.
 */
import { lastNotAfter } from '../cut-away.js';
import type { Span } from '../span.js';

export type CodeString = {
  readonly start: number;
  /** Where its text ends, and what ends it begins. */
  readonly textEnd: number;
  readonly end: number;
};

/** The strings are in order and apart. A span that goes over the end of one, but not its beginning, ends with its text. */
export const withinCodes = (strings: readonly CodeString[]): ((span: Span) => Span) => {
  const starts = strings.map(({ start }) => start);
  return (span) => {
    const string = strings[lastNotAfter(starts, span.start)];
    if (string === undefined || span.start <= string.start || span.start >= string.end || span.end <= string.textEnd)
      return span;
    // The lines of a key go on behind it.
    if (span.kind === 'private-key') return { ...span, start: string.start };
    if (span.start < string.textEnd) return { ...span, end: string.textEnd };
    return { ...span, start: Math.min(string.end, span.end) };
  };
};
