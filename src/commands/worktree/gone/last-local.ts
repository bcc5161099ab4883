/** What a note last said while it was machine-local, where that is gone. */
import type { KnownVersion } from '../../../events/event.js';
import { readCommits } from '../../../events/git/remote/unpublished.js';
import type { NoteId } from '../../../events/note/note.js';
import { idOfPath } from '../../../events/note/paths.js';
import type { Store } from '../write-store.js';

/** So many of a note's last events are looked through. */
const maxEvents = 20;

/**
 * The last machine-local file of each of these notes, of those that have none now and had one. One git call, and none where
 * no event of the local journal tells of them.
 */
const lastLocalFiles = async (
  { journals: { local }, lookup }: Pick<Store, 'journals' | 'lookup'>,
  ids: readonly NoteId[],
): Promise<ReadonlyMap<NoteId, KnownVersion>> => {
  const commits = new Map(
    ids.flatMap((id): readonly (readonly [NoteId, readonly string[]])[] => {
      if (lookup.filesOf(id).some(({ journal }) => journal === 'local')) return [];
      const events = lookup.eventsOfNote(id).filter(({ journal }) => journal === 'local');
      return events.length === 0 ? [] : [[id, events.slice(0, maxEvents).map(({ commit }) => commit)]];
    }),
  );
  const read = await readCommits(local.folders, [...new Set([...commits.values()].flat())]);
  const changesOf = new Map(read.map(({ hash, changes }) => [hash, changes]));
  return new Map(
    [...commits].flatMap(([id, hashes]): readonly (readonly [NoteId, KnownVersion])[] => {
      const changes = hashes.flatMap((hash) => changesOf.get(hash) ?? []);
      const last = changes.find(
        ({ path, before, after }) => after === undefined && before !== undefined && idOfPath(path) === id,
      );
      return last?.before === undefined ? [] : [[id, { journal: 'local', path: last.path, blob: last.before }]];
    }),
  );
};

/** With the last machine-local file of those notes that have none any more: its lines are no more for all than they were. */
export const withLastLocal = async (
  store: Pick<Store, 'journals' | 'lookup'>,
  filesById: ReadonlyMap<NoteId, readonly KnownVersion[]>,
): Promise<ReadonlyMap<NoteId, readonly KnownVersion[]>> => {
  const last = await lastLocalFiles(store, [...filesById.keys()]);
  return new Map([...filesById].map(([id, files]) => [id, [...files, ...[last.get(id) ?? []].flat()]]));
};
