/** What an event did to a note that it names: whether it changed it, and whether it changed its text. Pure. */
import type { EventKind } from './event.js';
import type { NoteId } from './note/note.js';
import { parseTime } from './time.js';
import { timeOfUlid } from './ulid-form.js';

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

/** A note's id has its event's time; if the clock had gone back, that event's id has a later second. */
const isMadeIn = ({ id, at }: { readonly id: string; readonly at: string }, note: NoteId): boolean => {
  const [madeMs, idMs, atMs] = [timeOfUlid(note), timeOfUlid(id), parseTime(at)];
  return madeMs === idMs || (secondOf(idMs) * 1000 !== atMs && secondOf(madeMs) * 1000 === atMs);
};

const secondOf = (epochMs: number): number => Math.floor(epochMs / 1000);

/** `brings`: the text comes from outside, which may supply a newer one later. */
export type TextEffect = 'edits' | 'brings' | 'keeps';

/** A `note.restored` with a reason brings back an older text; the reason says from when. An unknown kind is an edit. */
export const textEffectOf = ({
  kind,
  reason,
}: {
  readonly kind: string;
  readonly reason?: string | undefined;
}): TextEffect => {
  if (kind === 'note.restored' && reason !== undefined) return 'edits';
  return effects.get(kind) ?? 'edits';
};

const effectByKind: Readonly<Record<EventKind | 'note.linked', TextEffect>> = {
  'note.written': 'edits',
  'note.edited': 'edits',
  'note.superseded': 'keeps',
  'note.forgotten': 'keeps',
  'note.restored': 'keeps',
  'note.tagged': 'keeps',
  'note.moved': 'keeps',
  'note.confirmed': 'keeps',
  'session.captured': 'brings',
  'notes.imported': 'brings',
  'notes.purged': 'edits',
  'notes.migrated': 'keeps',
  'proposal.made': 'keeps',
  'proposal.settled': 'keeps',
  'event.undone': 'edits',
  'hand.adopted': 'edits',
  'machines.merged': 'edits',
  'conflict.recorded': 'edits',
  'conflict.resolved': 'edits',
  // Defined by an older version, though nothing recorded it.
  'note.linked': 'keeps',
};
const effects: ReadonlyMap<string, TextEffect> = new Map(Object.entries(effectByKind));
