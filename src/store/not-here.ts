/** Why a note can't be shown: never written, forgotten, unreadable, or machine-local on another machine. */
import { noteForgotten, noteUnknown, type Refusal, unreadableNote } from '../commands/refusals.js';
import { noteKeptElsewhere } from '../commands/write-path/kept-elsewhere.js';
import { journalFolder, type NoteId } from '../events/note/note.js';
import { idOfPath } from '../events/note/paths.js';
import { keptElsewhere } from '../projections/history/kept-elsewhere.js';
import { listEvents } from '../projections/history/query.js';
import { skippedFiles } from '../projections/index/query.js';
import type { LiveIndex } from '../workers/live-index.js';

/** Of a note that the index has no file of. */
export const whyNotHere = async (liveIndex: LiveIndex, id: NoteId): Promise<Refusal> => {
  const { event, file, kept } = await liveIndex.ask((database) => ({
    event: listEvents(database, { note: id }, 1)[0],
    file: skippedFiles(database).find(({ path }) => idOfPath(path) === id),
    kept: keptElsewhere(database, id),
  }));
  if (file !== undefined) {
    const { describeInFile } = await import('../events/note/note-file.js');
    const reason = describeInFile({ ...file, key: file.key ?? undefined });
    return unreadableNote(id, `${journalFolder[file.journal]}/${file.path}`, reason);
  }
  if (kept !== undefined) return noteKeptElsewhere(id, kept);
  return event === undefined ? noteUnknown(id) : noteForgotten(id);
};
