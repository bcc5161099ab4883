/** Replaces whole ids in sentences with the short ones that hits and lists give. */
import type { NoteJson, Notes } from '../../app/notes.js';

/** Leaves an id in a path, and one that no note here has. */
export const withShortIds = async (
  notes: Pick<Notes, 'names'>,
  texts: readonly string[],
): Promise<readonly string[]> => {
  const ids = new Set(texts.flatMap((text) => text.match(wholeId) ?? []));
  if (ids.size === 0) return texts;
  const names = await notes.names([...ids]);
  return texts.map((text) => text.replace(wholeId, (id) => names.get(id)?.shortId ?? id));
};

const wholeId = /(?<![\w/])[0-7][0-9A-HJKMNP-TV-Z]{25}(?![\w/]|\.md)/g;

/** Returns a lookup of short ids for the notes that superseded these ones, which may not be among them. */
export const shortIdsOfNewer = async (
  notes: Pick<Notes, 'names'>,
  older: readonly Pick<NoteJson, 'superseded_by'>[],
): Promise<(id: string) => string> => {
  const names = await notes.names(older.flatMap(({ superseded_by: by }) => by ?? []));
  return (id) => names.get(id)?.shortId ?? id;
};
