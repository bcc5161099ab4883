/** Reads the last texts of removed notes, and how they were removed. */
import { groupBy } from '../events/group-by.js';
import type { PathChange } from '../events/journal.js';
import { journalNames, type NoteId } from '../events/note/note.js';
import { parseNoteFile } from '../events/note/note-file.js';
import { idOfPath } from '../events/note/paths.js';
import { eventWithId, type ListedEvent, lastEvents } from '../projections/history/query.js';
import type { Memory } from '../store/memory.js';

export type GoneNote = {
  readonly id: NoteId;
  readonly sourceKey: string | undefined;
  readonly text: string;
  /** True if the import that brought it was undone; then it was not forgotten. */
  readonly isUndone: boolean;
};

type Removal = { readonly id: NoteId; readonly event: ListedEvent; readonly isUndone: boolean };

/** Returns the notes by id, without those whose text no longer exists. Two git calls per journal. */
export const readGone = async (memory: Memory, ids: readonly NoteId[]): Promise<ReadonlyMap<NoteId, GoneNote>> => {
  const removals = await memory.liveIndex.ask((database) =>
    ids.flatMap((id) =>
      lastEvents(database, { note: id }, lastFew).map((event): Removal => {
        let root: ListedEvent | undefined = event;
        for (let depth = 0; root?.kind === 'event.undone' && depth < maxUndoings; depth += 1)
          root = root.undoes === undefined ? undefined : eventWithId(database, root.undoes);
        return { id, event, isUndone: event.kind === 'event.undone' && root?.kind === 'notes.imported' };
      }),
    ),
  );
  const gone = new Map<NoteId, GoneNote>();
  for (const name of journalNames) {
    const here = removals.filter(({ event }) => event.journal === name);
    if (here.length === 0) continue;
    const changes = await memory.journals[name].changesOf([...new Set(here.map(({ event }) => event.commit))]);
    const removedIn = new Map(
      [...changes].map(([commit, changed]) => [commit, groupBy(changed.filter(isRemoval), idOf)]),
    );
    const found = here.flatMap((one) =>
      (removedIn.get(one.event.commit)?.get(one.id) ?? []).map(({ path, before = '' }) => ({ ...one, path, before })),
    );
    const bytes = await memory.journals[name].blobs(found.map(({ before }) => before));
    for (const { id, isUndone, path, before } of found) {
      const text = bytes.get(before);
      const parsed = text === undefined ? undefined : parseNoteFile(text, name, path);
      if (gone.has(id) || parsed?.ok !== true) continue;
      const { sourceKey, body } = parsed.file.note;
      gone.set(id, { id, sourceKey, text: body, isUndone });
    }
  }
  return gone;
};

const isRemoval = ({ after }: PathChange): boolean => after === undefined;
const idOf = ({ path }: PathChange): NoteId => idOfPath(path);

/** Events read per note: few follow the one that removed it. */
const lastFew = 5;
const maxUndoings = 100;
