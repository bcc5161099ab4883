/** Reads the versions that imports wrote, for notes that changed since. */
import { journalNames, type Note, type NoteId } from '../../events/note/note.js';
import { idOfPath } from '../../events/note/paths.js';
import { textEffectOf } from '../../events/text-effect.js';
import type { Store } from '../worktree/write-store.js';
import { readVersions, type Version } from './set-here.js';

/**
 * Returns them newest first, and none from before a purge: those lack what was purged, so the source would bring it
 * back. Two git calls per journal.
 */
export const readTextsAsImported = async (
  store: Store,
  ids: readonly NoteId[],
): Promise<ReadonlyMap<NoteId, readonly Note[]>> => {
  const imports = ids.flatMap((id) => {
    const events = store.lookup.eventsOfNote(id);
    const purge = events.findIndex(({ kind }) => kind === 'notes.purged');
    const since = purge === -1 ? events : events.slice(0, purge);
    const bringing = since.filter((event) => textEffectOf(event) === 'brings').slice(0, maxImports);
    return bringing.map(({ journal, commit }) => ({ id, journal, commit }));
  });
  const blobs = new Map<string, Version>();
  for (const name of journalNames) {
    const commits = new Set(imports.flatMap(({ journal, commit }) => (journal === name ? [commit] : [])));
    if (commits.size === 0) continue;
    for (const [commit, changes] of await store.journals[name].changesOf([...commits]))
      for (const { path, after } of changes)
        if (after !== undefined) blobs.set(`${commit} ${idOfPath(path)}`, { journal: name, path, blob: after });
  }
  const found = imports.map(({ id, commit }) => ({ id, version: blobs.get(`${commit} ${id}`) }));
  const fileOf = await readVersions(
    store,
    found.flatMap(({ version }) => (version === undefined ? [] : [version])),
  );
  const texts = new Map<NoteId, Note[]>();
  for (const { id, version } of found) {
    const note = fileOf(version)?.note;
    if (note !== undefined) texts.set(id, [...(texts.get(id) ?? []), note]);
  }
  return texts;
};

/** How many imports of one note are read; an older text counts as one that the source never had. */
const maxImports = 50;
