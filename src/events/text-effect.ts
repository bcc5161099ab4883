/** How an event affects the text of the notes that it names. Pure. */
import type { EventKind } from './event.js';

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
