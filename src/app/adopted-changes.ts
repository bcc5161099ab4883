/** Describes adopted changes, and warns of text left in the history of memory/ after a file moved to local/. */
import { journalFolder } from '../events/note/note.js';
import type { Memory } from '../store/memory.js';
import { changesOfEvents, type NoteChange } from './store-diff.js';

export const describeAdoptedChanges = async (
  memory: Memory,
  events: readonly { readonly id: string }[],
): Promise<{ readonly changes: readonly NoteChange[]; readonly warnings: readonly string[] }> => {
  const ids = events.map(({ id }) => id);
  const changes = await changesOfEvents(memory, ids);
  return { changes, warnings: warnOfMoved(changes) };
};

/** Returns a warning for each note that these changes moved from memory/ to local/. */
const warnOfMoved = (changes: readonly NoteChange[]): readonly string[] => {
  const came = new Set(
    changes.flatMap(({ id, journal, before, after }) =>
      journal === journalFolder.local && before === null && after !== null ? [id] : [],
    ),
  );
  return changes.flatMap(({ id, journal, before, after }) =>
    journal === journalFolder.portable && before !== null && after === null && came.has(id)
      ? [
          `note ${id} is machine-local now: the history of memory/ still holds the text; to remove it everywhere: anamnesis purge ${id}`,
        ]
      : [],
  );
};
