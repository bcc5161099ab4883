/** What an event says of a note that it names: most change its file, some only tell of it. Pure. */
import type { NoteId } from './note/note.js';
import { parseTime } from './time.js';
import { timeOfUlid } from './ulid-time.js';

/** `either`: the event names two notes, and does not say which of them it changed. */
export type Mention = 'changes' | 'names' | 'either';

/** Any kind that this version doesn't know changes what it names. */
export const mentionOf = (
  event: { readonly id: string; readonly kind: string; readonly at: string; readonly by?: NoteId | undefined },
  note: NoteId,
): Mention => {
  switch (event.kind) {
    case 'note.superseded':
    case 'proposal.made':
      // The text of a further file may have become a note of its own in it.
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

/** A note has the time of the event that made it; where the clock had gone back, the id of that is from a later second. */
const isMadeIn = ({ id, at }: { readonly id: string; readonly at: string }, note: NoteId): boolean => {
  const [madeMs, idMs, atMs] = [timeOfUlid(note), timeOfUlid(id), parseTime(at)];
  return madeMs === idMs || (secondOf(idMs) * 1000 !== atMs && secondOf(madeMs) * 1000 === atMs);
};

const secondOf = (epochMs: number): number => Math.floor(epochMs / 1000);
