/** Tells when an imported note's text last changed; a move, for one, sets `updated_at` too. Pure. */
import type { Note } from '../../events/note/note.js';
import { parseTime } from '../../events/time.js';
import type { KnownNotes } from '../command.js';

type Known = Pick<KnownNotes, 'editedSinceImport' | 'broughtTexts'>;

/** Returns the time of the last imported version as long as the text is still that version's, else `updated_at`. */
export const textSetMs = (now: Note, known: Known): number =>
  lastBrought(now, known, ({ title, body }) => title === now.title && body === now.body) ?? updatedMs(now);

/** The same for a whole file: it must differ from the last imported version at most in its journal and `updated_at`. */
export const fileSetMs = (now: Note, known: Known): number =>
  lastBrought(now, known, (brought) => {
    const moved = { ...brought, scope: now.scope, updatedAt: now.updatedAt };
    return JSON.stringify(moved) === JSON.stringify(now);
  }) ?? updatedMs(now);

/** Parses `updated_at`; a value that is not a time counts as the oldest. */
export const updatedMs = ({ updatedAt }: Pick<Note, 'updatedAt'>): number => parseTime(updatedAt) ?? 0;

const lastBrought = (now: Note, known: Known, isNow: (brought: Note) => boolean): number | undefined => {
  if (known.editedSinceImport(now.id)) return undefined;
  const [last] = known.broughtTexts(now.id);
  return last === undefined || !isNow(last) ? undefined : Math.min(updatedMs(last), updatedMs(now));
};
