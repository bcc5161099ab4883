/** What the remote has of notes that stand in both journals. */
import type { KnownVersion } from '../../events/event.js';
import type { NoteId } from '../../events/note/note.js';
import { parseNoteFile } from '../../events/note/note-file.js';
import type { PublishedFile } from '../command.js';
import type { Store } from '../worktree/write-store.js';

/** By note, of those alone that have files in both journals. Calls git only if there is one. */
export const readPublished = async (
  { journals: { portable } }: Store,
  places: ReadonlyMap<NoteId, readonly KnownVersion[]>,
): Promise<ReadonlyMap<NoteId, readonly PublishedFile[]>> => {
  const inBoth = [...places].filter(([, files]) => new Set(files.map(({ journal }) => journal)).size > 1);
  if (inBoth.length === 0) return new Map();
  const { acceptedFiles } = await import('../../events/git/remote/accepted-files.js');
  const paths = inBoth.map(([id, files]) => {
    const there = files.filter(({ journal }) => journal === 'portable');
    return [id, there.map(({ path }) => path)] as const;
  });
  const accepted = [...(await acceptedFiles(portable.folders, new Map(paths)))];
  const contents = await portable.blobs([...new Set(accepted.flatMap(([, files]) => files.map(({ blob }) => blob)))]);
  return new Map(
    accepted.map(([id, files]) => [
      id,
      files.map(({ path, blob }) => {
        const bytes = contents.get(blob);
        const parsed = bytes === undefined ? undefined : parseNoteFile(bytes, 'portable', path);
        return { path, blob, file: parsed?.ok === true ? parsed.file : undefined };
      }),
    ]),
  );
};
