/** Reads what the last import wrote, to tell whether a note was changed here since. */
import type { KnownVersion } from '../../events/event.js';
import { journalNames, type Note, type NoteId } from '../../events/note/note.js';
import { idOfPath } from '../../events/note/paths.js';
import type { Store } from '../worktree/write-store.js';
import { readVersions } from './past-notes.js';

/**
 * Returns nothing for a note that was purged since: it lacks what was purged, so the source would bring it back. Two git
 * calls per journal.
 */
export const readLastImports = async (store: Store, ids: readonly NoteId[]): Promise<ReadonlyMap<NoteId, Note>> => {
  const imports = ids.flatMap((id) => {
    const last = store.lookup.eventsOfNote(id).find(({ kind }) => kind === 'notes.imported' || kind === 'notes.purged');
    return last?.kind === 'notes.imported' ? [{ id, journal: last.journal, commit: last.commit }] : [];
  });
  const versionOf = new Map<string, KnownVersion>();
  for (const name of journalNames) {
    const commits = new Set(imports.flatMap(({ journal, commit }) => (journal === name ? [commit] : [])));
    if (commits.size === 0) continue;
    for (const [commit, changes] of await store.journals[name].changesOf([...commits]))
      for (const { path, after } of changes)
        if (after !== undefined) versionOf.set(`${commit} ${idOfPath(path)}`, { journal: name, path, blob: after });
  }
  const read = await readVersions(store, [...versionOf.values()]);
  const noteOf = new Map([...versionOf.keys()].map((key, at) => [key, read[at]?.file.note]));
  return new Map(
    imports.flatMap(({ id, commit }) => {
      const note = noteOf.get(`${commit} ${id}`);
      return note === undefined ? [] : [[id, note] as const];
    }),
  );
};
