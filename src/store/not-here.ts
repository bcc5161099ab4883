/** Why a note can't be shown: never written, forgotten, purged, unreadable, or machine-local on another machine. */
import { noteForgotten, noteUnknown, type Refusal, unreadableNote } from '../commands/refusals.js';
import { noteKeptElsewhere } from '../commands/write-path/kept-elsewhere.js';
import { notePurged } from '../commands/write-path/purged.js';
import { journalFolder, type NoteId } from '../events/note/note.js';
import { idOfPath } from '../events/note/paths.js';
import { keptElsewhere } from '../projections/history/moved-to-another-machine.js';
import { wasPurged } from '../projections/history/purged.js';
import { wasTouched } from '../projections/history/query.js';
import { skippedFiles } from '../projections/index/query.js';
import type { LiveIndex } from '../workers/live-index.js';

/** Explains a note without a file in the index; `machine` is this one. */
export const whyNotHere = async (liveIndex: LiveIndex, id: NoteId, machine: string): Promise<Refusal> => {
  const { isKnown, isPurged, file, kept } = await liveIndex.ask((database) => ({
    isKnown: wasTouched(database, id),
    isPurged: wasPurged(database, id),
    file: skippedFiles(database).find(({ path }) => idOfPath(path) === id),
    kept: keptElsewhere(database, id, machine),
  }));
  if (file !== undefined) {
    const { describeInFile } = await import('../events/note/note-file.js');
    const reason = describeInFile({ ...file, key: file.key ?? undefined });
    return unreadableNote(id, `${journalFolder[file.journal]}/${file.path}`, reason);
  }
  if (kept !== undefined) return noteKeptElsewhere(id, kept);
  if (isPurged) return notePurged(id);
  return isKnown ? noteForgotten(id) : noteUnknown(id);
};
