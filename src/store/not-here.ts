/** Why a note can't be shown: never written, forgotten, purged, unreadable, or machine-local on another machine. */
import { noteForgotten, notePurged, noteUnknown, type Refusal, unreadableNote } from '../commands/refusals.js';
import { journalFolder, type NoteId } from '../events/note/note.js';
import { idOfPath } from '../events/note/paths.js';
import { type MovedNote, wasPurged, whereMoved } from '../projections/history/gone-notes.js';
import { wasTouched } from '../projections/history/query.js';
import { skippedFiles } from '../projections/index/query.js';
import type { LiveIndex } from './live-index.js';

export const whyNotHere = async (liveIndex: LiveIndex, id: NoteId): Promise<Refusal> => {
  const { isKnown, isPurged, file, moved } = await liveIndex.ask((database) => ({
    isKnown: wasTouched(database, id),
    isPurged: wasPurged(database, id),
    file: skippedFiles(database).find(({ path }) => idOfPath(path) === id),
    moved: whereMoved(database, id),
  }));
  if (file !== undefined) {
    const { describeInFile } = await import('../events/note/note-file.js');
    const reason = describeInFile({ ...file, key: file.key ?? undefined });
    return unreadableNote(id, `${journalFolder[file.journal]}/${file.path}`, reason);
  }
  if (isPurged) return notePurged(id);
  if (moved !== undefined) return noteMoved(id, moved);
  return isKnown ? noteForgotten(id) : noteUnknown(id);
};

const noteMoved = (id: NoteId, { as, machine, at }: MovedNote): Refusal =>
  as === undefined
    ? {
        code: 'note-kept-elsewhere',
        message: `note ${id} was made machine-local on ${machine}, at ${at}`,
        next: `read it on that machine; to publish its last portable text again: anamnesis restore ${id}`,
      }
    : {
        code: 'note-moved',
        message: `note ${id} was moved to the other journal, as ${as}`,
        next: `anamnesis show ${as}`,
      };
