/** Reads the files of other notes that a person's file replaced, as our own history had them last. */
import { readCommits } from '../../events/git/remote/unpublished.js';
import type { BlobId, NoteId } from '../../events/note/note.js';
import { parseNoteFile } from '../../events/note/note-file.js';
import { idOfPath } from '../../events/note/paths.js';
import { readStated } from '../../events/note/stated-scope.js';
import type { PublishedFile } from '../command.js';
import type { Store } from '../worktree/write-store.js';

/** How many of each note's latest events are searched. */
const maxEvents = 50;

/**
 * Returns the replaced files by path, for those of the note's paths that are not named after it; undefined for a file
 * that replaced nothing. Paths that the history doesn't explain are left out. Makes two git calls, or none if every
 * path is named after the note.
 */
export const readReplaced = async (
  { journals: { portable }, lookup }: Pick<Store, 'journals' | 'lookup'>,
  id: NoteId,
  paths: readonly string[],
): Promise<ReadonlyMap<string, PublishedFile | undefined>> => {
  const places = lookup.filesOf(id).filter(({ journal, path }) => journal === 'portable' && paths.includes(path));
  const foreign = places.filter(({ path }) => idOfPath(path) !== id);
  if (foreign.length === 0) return new Map();
  const events = [id, ...foreign.map(({ path }) => idOfPath(path))].flatMap((one) =>
    lookup.eventsOfNote(one).slice(0, maxEvents),
  );
  const hashes = events.flatMap(({ journal, commit }) => (journal === 'portable' ? [commit] : []));
  const changes = (await readCommits(portable.folders, [...new Set(hashes)])).flatMap((commit) => commit.changes);
  const contents = await portable.blobs([...new Set(changes.flatMap(({ before }) => before ?? []))]);
  const read = (path: string, blob: BlobId): PublishedFile => {
    const bytes = contents.get(blob) ?? Buffer.alloc(0);
    const parsed = parseNoteFile(bytes, 'portable', path);
    return { path, blob, bytes, id: readStated(bytes, path).id, file: parsed.ok ? parsed.file : undefined };
  };
  return new Map(
    foreign.flatMap(({ path, blob }): readonly (readonly [string, PublishedFile | undefined])[] => {
      let now: BlobId = blob;
      const seen = new Set<BlobId>();
      for (;;) {
        const change = changes.find((one) => one.path === path && one.after === now && one.before !== now);
        if (change === undefined || seen.has(now)) return [];
        if (change.before === undefined) return [[path, undefined]];
        const before = read(path, change.before);
        if (before.id !== id) return [[path, before]];
        seen.add(now);
        now = change.before;
      }
    }),
  );
};
