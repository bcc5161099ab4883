/** Finds the masks already in a text, which are never searched for secrets. No other module decides what is one. */
import { lastNotAfter, type Stretch } from './remaining-text.js';
import { markerStart, type Span } from './span.js';

/**
 * Returns sorted, disjoint stretches; marks that touch are one. A mark that is complete only without the marks inside
 * it counts with them (`[REDAC[REDACTED:x]TED:x]`), at any depth, so that cutting marks out never leaves one. Linear in
 * the text.
 */
export const findMarks = (text: string): readonly Stretch[] => {
  if (!text.includes(markerStart)) return [];
  const marks: Stretch[] = [];
  for (let close = text.indexOf(']'); close !== -1; close = text.indexOf(']', close + 1)) {
    const open = startOfMark(text, close, marks);
    if (open === undefined) continue;
    let start = open;
    while ((marks.at(-1)?.end ?? -1) >= open) start = Math.min(start, marks.pop()?.start ?? open);
    marks.push({ start, end: close + 1 });
  }
  return marks;
};

/**
 * Returns where the mark that the bracket closes begins, skipping the marks inside it. Its kind may be any lower-case
 * word of any length: no secret is one, and another version may have other kinds.
 */
const startOfMark = (text: string, close: number, marks: readonly Stretch[]): number | undefined => {
  let last = marks.length - 1;
  /** Characters of `markerStart` left to match, from its end; all of them while the kind is read. */
  let missing = markerStart.length;
  let hasKind = false;
  for (let at = close; at > 0; ) {
    const inner = marks[last];
    if (inner?.end === at) {
      at = inner.start;
      last -= 1;
      continue;
    }
    at -= 1;
    const sign = text.charAt(at);
    if (missing === markerStart.length && /[a-z-]/.test(sign)) hasKind = true;
    else if (hasKind && sign === markerStart.charAt(missing - 1)) missing -= 1;
    else return undefined;
    if (missing === 0) return at;
  }
  return undefined;
};

/** A mask is neither a secret nor part of one: without this, masking might never end. */
export const touchesMark = (marks: readonly Stretch[], starts: readonly number[], { start, end }: Span): boolean => {
  const last = marks[lastNotAfter(starts, end - 1)];
  return last !== undefined && last.start < end && last.end > start;
};
