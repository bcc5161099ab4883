/** Finds secrets beside a mask that is already in the text, which would hide them from the detectors. */
import { cutAway, lastNotAfter } from './cut-away.js';
import { markerStart, type Span } from './span.js';

/** A mask with something beside it that a secret could go on in. */
const glued = /[^\s"'`]\[REDACTED:[a-z-]{1,40}\]|\[REDACTED:[a-z-]{1,40}\][^\s"'`]/;
const mark = /\[REDACTED:[a-z-]{1,40}\]/g;

/**
 * The secrets of the text without its masks, as far as they reach to one: `password=[REDACTED:x]Xk9mQ2vR7wLp` has one. A
 * mask in the middle of a secret leaves two spans.
 */
export const findAroundMarks = (text: string, detect: (text: string) => readonly Span[]): readonly Span[] => {
  if (!text.includes(markerStart) || !glued.test(text)) return [];
  const { pieces, leftStarts, starts, left, lastEnd } = cutAway(text, mark);
  // Before the first piece or behind the last one there may be a mask, too.
  const isJoint = (place: number, piece: number): boolean =>
    place === 0 ? starts[0] !== 0 : place === left ? lastEnd === text.length : leftStarts[piece] === place;
  return detect(pieces.join('')).flatMap(({ kind, start, end }) => {
    const first = lastNotAfter(leftStarts, start);
    const final = lastNotAfter(leftStarts, end - 1);
    if (first === final && !isJoint(start, first) && !isJoint(end, final + 1)) return [];
    const found: Span[] = [];
    for (let piece = first; piece <= final; piece += 1) {
      const [from = 0, leftFrom = 0, length = 0] = [starts[piece], leftStarts[piece], pieces[piece]?.length];
      const span = {
        kind,
        start: from + Math.max(0, start - leftFrom),
        end: from + Math.min(length, end - leftFrom),
      };
      if (/[A-Za-z0-9]/.test(text.slice(span.start, span.end))) found.push(span);
    }
    return found;
  });
};
