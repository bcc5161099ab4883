/** Replaces stretches of a text and maps positions back to the original. Pure. */
import { lastNotAfter, type Stretch } from '../remaining-text.js';

/** `as` replaces the stretch: nothing, a blank, or the sign that it spells. */
export type Rewriting = Stretch & { readonly as: string };

export type Rewritten = {
  readonly text: string;
  /** Where something was removed, so that the characters on either side were not neighbours; sorted. */
  readonly joints: readonly number[];
  /** Maps a stretch back to the original, including what was rewritten inside it. */
  readonly original: <Part extends Stretch>(part: Part) => Part;
};

/** The rewritings must be sorted and disjoint. Linear in the text. */
export const rewrite = (text: string, rewritings: readonly Rewriting[]): Rewritten => {
  const pieces: string[] = [];
  /** Where each piece begins in the new text, and where it begins and ends in the original. */
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
