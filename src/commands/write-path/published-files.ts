/** Reads the remote's versions of notes that are in both journals, and the files that theirs replaced. */
import type { KnownVersion } from '../../events/event.js';
import type { NoteId } from '../../events/note/note.js';
import { parseNoteFile } from '../../events/note/note-file.js';
import type { PublishedFile } from '../command.js';
import type { Store } from '../worktree/write-store.js';

/** Returns them by note, only for notes with files in both journals. Calls git only if there is one. */
export const readPublished = async (
  { journals, lookup, machine }: Pick<Store, 'journals' | 'lookup' | 'machine'>,
  places: ReadonlyMap<NoteId, readonly KnownVersion[]>,
): Promise<ReadonlyMap<NoteId, readonly PublishedFile[]>> => {
  const inBoth = [...places].filter(([, files]) => new Set(files.map(({ journal }) => journal)).size > 1);
  if (inBoth.length === 0) return new Map();
  const { acceptedFiles } = await import('../../events/git/remote/accepted-files.js');
  const { readReplaced } = await import('./replaced-files.js');
  const paths = inBoth.map(([id, files]) => {
    const there = files.filter(({ journal }) => journal === 'portable');
    return [id, there.map(({ path }) => path)] as const;
  });
  const accepted = await acceptedFiles(
    journals.portable,
    new Set(inBoth.map(([id]) => id)),
    paths.flatMap(([, there]) => there),
    machine,
  );
  /** True if the note has no file here and no command removed it: a person's file took its place, which is no event. */
  const isDisplaced = (id: NoteId): boolean =>
    lookup.filesOf(id).length === 0 &&
    lookup.eventsOfNote(id).find(({ kind }) => kind !== 'hand.adopted')?.kind !== 'note.forgotten';
  return new Map(
    await Promise.all(
      paths.map(async ([id, there]) => {
        const replaced = await readReplaced({ journals, lookup }, id, there);
        const isToldOf = ({ path }: { readonly path: string }): boolean => replaced.has(path);
        const published = accepted
          .filter((one) => one.id === id || (there.includes(one.path) && !isToldOf(one)))
          .map(({ path, blob, bytes, id: said }): PublishedFile => {
            const parsed = parseNoteFile(bytes, 'portable', path);
            return { path, blob, bytes, id: said, file: parsed.ok ? parsed.file : undefined };
          });
        const own = [...replaced.values()].filter((one) => one !== undefined);
        const all = [...published, ...own];
        return [id, all.filter((one) => one.id === id || (one.id !== undefined && isDisplaced(one.id)))] as const;
      }),
    ),
  );
};
