/** Describes adopted changes, and warns of text left in the history of memory/ after a file moved to local/. */
import { textStays } from '../commands/move.js';
import { journalFolder } from '../events/note/note.js';
import { parseNoteFile } from '../events/note/note-file.js';
import { saysMachineLocal } from '../events/note/stated-scope.js';
import type { Memory } from '../store/memory.js';
import { changesOfEvents, type NoteChange } from './store-diff.js';

export const describeAdoptedChanges = async (
  memory: Memory,
  events: readonly { readonly id: string }[],
): Promise<{ readonly changes: readonly NoteChange[]; readonly warnings: readonly string[] }> => {
  const ids = events.map(({ id }) => id);
  const changes = await changesOfEvents(memory, ids);
  return { changes, warnings: await warnOfMoved(memory, changes) };
};

/** Returns a warning for each note that these changes moved from memory/ to local/. */
const warnOfMoved = async (memory: Memory, changes: readonly NoteChange[]): Promise<readonly string[]> => {
  const { portable } = memory.journals;
  const came = new Set(
    changes.flatMap(({ id, journal, before, after }) =>
      journal === journalFolder.local && before === null && after !== null ? [id] : [],
    ),
  );
  const left = changes.flatMap(({ id, journal, before, after }) =>
    journal === journalFolder.portable && before !== null && after === null && came.has(id) ? [{ id, before }] : [],
  );
  if (left.length === 0) return [];
  const texts = await portable.blobs(left.map(({ before }) => before));
  return left.map(({ id, before }) => {
    const bytes = texts.get(before);
    const parsed = bytes === undefined ? undefined : parseNoteFile(bytes, 'portable', id);
    const isWithheld = parsed?.ok === true && saysMachineLocal(parsed.file);
    return `note ${id} is machine-local now: ${textStays('portable', isWithheld)}`;
  });
};
