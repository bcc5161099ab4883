/** How an event bears on the texts of the notes that it names. Pure. */
import type { EventKind } from './event.js';

/** `brings`: from elsewhere, which may bring a newer text later. */
export type TextEffect = 'edits' | 'brings' | 'keeps';

/** The reason of a `note.restored` says of when the text is. Any kind that this version doesn't know is an edit. */
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
  'conflict.recorded': 'edits',
  'conflict.resolved': 'edits',
  // Once a kind of ours, though nothing recorded it.
  'note.linked': 'keeps',
};
const effects: ReadonlyMap<string, TextEffect> = new Map(Object.entries(effectByKind));
