/** Where this machine knows a note's files to be, for what reads commits about to be published. Pure. */
import type { NoteId } from '../../events/note/note.js';
import type { NotePlaces } from './write-store.js';

/**
 * Where this machine knows a note's files to be: 'local' alone; 'forgotten', gone from local; in 'both' journals;
 * 'returned', gone from local and portable again without a move; or plainly 'portable'. `leftBehind` are paths that
 * killed moves have yet to remove, `except` portable events that don't make it portable.
 */
export type Standing = 'local' | 'forgotten' | 'both' | 'returned' | 'portable';

export const standingOf = (
  places: NotePlaces,
  id: NoteId,
  leftBehind: readonly string[],
  except?: ReadonlySet<string>,
): Standing => {
  const files = places.filesOf(id);
  const isPortable = files.some(({ journal, path }) => journal === 'portable' && !leftBehind.includes(path));
  if (files.some(({ journal }) => journal === 'local')) return isPortable ? 'both' : 'local';
  if (!places.wasLocalLast(id, except)) return 'portable';
  return isPortable ? 'returned' : 'forgotten';
};
