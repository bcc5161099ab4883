/** A text in which some stretches read otherwise, and where each of its characters stands in the text as it is. Pure. */
import { lastNotAfter, type Stretch } from '../cut-away.js';

/** What stands for a stretch: nothing, a blank, the sign that it spells. */
export type Rewriting = Stretch & { readonly as: string };

export type Rewritten = {
  readonly text: string;
  /** Where something was taken out: what stands there was no neighbour of what is before it. In order. */
  readonly joints: readonly number[];
  /** The same stretch of the text as it is, with what was rewritten inside of it. */
  readonly original: <Part extends Stretch>(part: Part) => Part;
};

/** The rewritings are in order and apart. Linear in the text. */
export const rewrite = (text: string, rewritings: readonly Rewriting[]): Rewritten => {
  const pieces: string[] = [];
  /** Where each piece begins in what is read, and where in the text; the end of one that stands for another. */
  const readStarts: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const joints: number[] = [];
  let read = 0;
  let at = 0;
  const add = (piece: string, start: number, end: number): void => {
    pieces.push(piece);
    readStarts.push(read);
    starts.push(start);
    ends.push(end);
    read += piece.length;
  };
  for (const { start, end, as } of rewritings) {
    if (start > at) add(text.slice(at, start), at, start);
    if (as !== '') add(as, start, end);
    else if (joints.at(-1) !== read) joints.push(read);
    at = end;
  }
  if (at < text.length) add(text.slice(at), at, text.length);
  const isSame = (piece: number): boolean => (ends[piece] ?? 0) - (starts[piece] ?? 0) === (pieces[piece]?.length ?? 0);
  const startOf = (place: number): number => {
    const piece = lastNotAfter(readStarts, place);
    return (starts[piece] ?? 0) + (isSame(piece) ? place - (readStarts[piece] ?? 0) : 0);
  };
  const endOf = (place: number): number => {
    const piece = lastNotAfter(readStarts, place);
    return isSame(piece) ? (starts[piece] ?? 0) + place + 1 - (readStarts[piece] ?? 0) : (ends[piece] ?? 0);
  };
  return {
    text: pieces.join(''),
    joints,
    original: (part) => ({ ...part, start: startOf(part.start), end: endOf(part.end - 1) }),
  };
};
