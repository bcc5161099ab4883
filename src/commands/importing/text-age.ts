/** When the text of an imported note was last changed; a move and a tag set `updated_at`, too. Pure. */
import type { Note } from '../../events/note/note.js';
import { parseTime } from '../../events/time.js';
import type { KnownNotes } from '../command.js';

type Known = Pick<KnownNotes, 'editedSinceImport' | 'broughtTexts'>;

/** The time of the import's version, as long as the text is the one that the last import brought. */
export const textSetMs = (now: Note, known: Known): number =>
  lastBrought(now, known, ({ title, body }) => title === now.title && body === now.body) ?? updatedMs(now);

/** Of a whole file: as long as nothing but its journal is another than what the last import brought. */
export const fileSetMs = (now: Note, known: Known): number =>
  lastBrought(now, known, (brought) => {
    const moved = { ...brought, scope: now.scope, updatedAt: now.updatedAt };
    return JSON.stringify(moved) === JSON.stringify(now);
  }) ?? updatedMs(now);

/** Of `updated_at`; what names no time is older than all else. */
export const updatedMs = ({ updatedAt }: Pick<Note, 'updatedAt'>): number => parseTime(updatedAt) ?? 0;

const lastBrought = (now: Note, known: Known, isNow: (brought: Note) => boolean): number | undefined => {
  if (known.editedSinceImport(now.id)) return undefined;
  const [last] = known.broughtTexts(now.id);
  return last === undefined || !isNow(last) ? undefined : Math.min(updatedMs(last), updatedMs(now));
};
