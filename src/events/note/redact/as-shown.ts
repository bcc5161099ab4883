/** A text as its reader sees it, and where each of its characters stands in the text as it is. */
import { unseenMark } from '../plain-text.js';
import { cutAway, lastNotAfter } from './cut-away.js';
import type { Span } from './span.js';

export type Shown = { readonly text: string; readonly original: (span: Span) => Span };

const terminalCode = String.raw`\u001b(?:\[[0-9;?]{0,40}[ -/]{0,8}[@-~]|\][^\u0007\u001b]{0,200}(?:\u0007|\u001b\\)|[@-Z\\-_])`;
/** Made when first needed: the classes of Unicode take long. */
let marks: RegExp | undefined;
/**
 * The same characters, those beyond the first plane by their first half: emoji and the letters of most languages need no
 * second look.
 */
const mayHaveMarks = new RegExp(
  String.raw`[^\x20-\x7e\n\r\t\u00a0-\uffff]|[\xad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164]|` +
    String.raw`\u034f|[\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ud82f\ud834\udb40-\udb43]`,
);

/**
 * Without the marks that nobody sees and the codes of a terminal: a secret with such marks inside is whole again where
 * it is printed. Undefined for a text without any. A span of what is shown covers the marks inside of it, too.
 */
export const asShown = (text: string): Shown | undefined => {
  if (!mayHaveMarks.test(text)) return undefined;
  marks ??= new RegExp(`(?:${terminalCode}|(?![\\r])${unseenMark})+`, 'gu');
  const hidden = Array.from(text.matchAll(marks), ({ 0: run, index }) => ({ start: index, end: index + run.length }));
  const { pieces, leftStarts, starts, lastEnd } = cutAway(text, hidden);
  if (lastEnd === 0) return undefined;
  const placeOf = (place: number): number => {
    const piece = lastNotAfter(leftStarts, place);
    return (starts[piece] ?? 0) + place - (leftStarts[piece] ?? 0);
  };
  return {
    text: pieces.join(''),
    original: ({ kind, start, end }) => ({ kind, start: placeOf(start), end: placeOf(end - 1) + 1 }),
  };
};
