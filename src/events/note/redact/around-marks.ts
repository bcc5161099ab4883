/** Finds secrets beside a mask that is already in the text, which would hide them from the detectors. */
import { lastNotAfter, removeStretches, type Stretch } from './remaining-text.js';
import type { Span } from './span.js';

/** Characters that a secret could continue with. */
const maybeSecret = /[^\s"'`]/;

/**
 * Searches the text without its marks and returns the secrets that touch one, as in
 * `password=[REDACTED:x]Xk9mQ2vR7wLp`. A mark in the middle of a secret leaves two spans.
 */
export const findAroundMarks = (
  text: string,
  marks: readonly Stretch[],
  detect: (text: string) => readonly Span[],
): readonly Span[] => {
  if (!marks.some(({ start, end }) => maybeSecret.test(text.charAt(start - 1) + text.charAt(end)))) return [];
  const { pieces, leftStarts, starts, left, lastEnd } = removeStretches(text, marks);
  // A mark may also precede the first piece or follow the last one.
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
