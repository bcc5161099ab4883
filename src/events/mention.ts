/** Whether an event changed a note that it names: most do, some only mention it. Pure. */
import type { NoteId } from './note/note.js';
import { parseTime } from './time.js';
import { timeOfUlid } from './ulid-time.js';

/** `either`: the event names two notes without saying which of them it changed. */
export type Mention = 'changes' | 'names' | 'either';

/** An unknown kind counts as a change to every note that it names. */
export const mentionOf = (
  event: { readonly id: string; readonly kind: string; readonly at: string; readonly by?: NoteId | undefined },
  note: NoteId,
): Mention => {
  switch (event.kind) {
    case 'note.superseded':
    case 'proposal.made':
      // The event may also have made a note from the text of another file.
      return event.by === note || isMadeIn(event, note) ? 'changes' : 'names';
    case 'proposal.settled':
      if (event.by === undefined || isMadeIn(event, note)) return 'either';
      return event.by === note ? 'changes' : 'names';
    case 'conflict.resolved':
      return 'either';
    default:
      return 'changes';
  }
};

/**
 * A note's id has the time of the event that made it; if the clock had gone back, that event's id has a later second.
 */
const isMadeIn = ({ id, at }: { readonly id: string; readonly at: string }, note: NoteId): boolean => {
  const [madeMs, idMs, atMs] = [timeOfUlid(note), timeOfUlid(id), parseTime(at)];
  return madeMs === idMs || (secondOf(idMs) * 1000 !== atMs && secondOf(madeMs) * 1000 === atMs);
};

const secondOf = (epochMs: number): number => Math.floor(epochMs / 1000);
