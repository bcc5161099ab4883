/** What a mask that stands in a text already would hide from the detectors: a secret that begins or ends beside it. */
import { lastNotAfter } from './as-shown.js';
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
  const pieces: string[] = [];
  /** Where each piece begins, without the masks and with them. */
  const shownStarts: number[] = [];
  const starts: number[] = [];
  let at = 0;
  let shown = 0;
  const add = (end: number): void => {
    if (end === at) return;
    pieces.push(text.slice(at, end));
    shownStarts.push(shown);
    starts.push(at);
    shown += end - at;
  };
  for (const { 0: whole, index } of text.matchAll(mark)) {
    add(index);
    at = index + whole.length;
  }
  const last = at;
  add(text.length);
  // Before the first piece or behind the last one there may be a mask, too.
  const isJoint = (place: number, piece: number): boolean =>
    place === 0 ? starts[0] !== 0 : place === shown ? last === text.length : shownStarts[piece] === place;
  return detect(pieces.join('')).flatMap(({ kind, start, end }) => {
    const first = lastNotAfter(shownStarts, start);
    const final = lastNotAfter(shownStarts, end - 1);
    if (first === final && !isJoint(start, first) && !isJoint(end, final + 1)) return [];
    const found: Span[] = [];
    for (let piece = first; piece <= final; piece += 1) {
      const [from = 0, shownFrom = 0, length = 0] = [starts[piece], shownStarts[piece], pieces[piece]?.length];
      const span = {
        kind,
        start: from + Math.max(0, start - shownFrom),
        end: from + Math.min(length, end - shownFrom),
      };
      if (/[A-Za-z0-9]/.test(text.slice(span.start, span.end))) found.push(span);
    }
    return found;
  });
};
