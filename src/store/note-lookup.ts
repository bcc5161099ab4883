/** Answers the questions of the write path from the projections; the port is declared in `commands`. */
import type Database from 'better-sqlite3';
import type { NotePlaces } from '../commands/worktree/write-store.js';
import type { Difference, Journal } from '../events/journal.js';
import { mentionOf, textEffectOf } from '../events/mention.js';
import type { JournalName, NoteId } from '../events/note/note.js';
import { wasPurged } from '../projections/history/gone-notes.js';
import {
  claimsOfCommand,
  eventWithId,
  lastEvents,
  lastEventsIn,
  notesOfEvent,
  wasTouched,
} from '../projections/history/query.js';
import {
  blobAt,
  filesOfNote,
  idOfSourceKey,
  inBothJournals,
  localIds,
  notesAbove,
  skippedFiles,
  supersededBy,
} from '../projections/index/query.js';
import { countNotesIn } from '../projections/index/rows.js';
import type { LiveIndex } from './live-index.js';

export const openNoteLookup = (liveIndex: LiveIndex) => ({
  catchUp: (journal: Journal) => liveIndex.catchUp(journal),
  difference: (journal: Journal, from: string | undefined, to: string, isForward: boolean) =>
    liveIndex.difference(journal, from, to, isForward),
  record: (difference: Difference) => liveIndex.record(difference),
  askPlaces: <Answer>(question: (places: NotePlaces) => Answer) =>
    liveIndex.ask((database) => question(placesIn(database))),
  filesOf: (id: NoteId) => liveIndex.askNow((database) => placesIn(database).filesOf(id)),
  blobAt: (journal: JournalName, path: string) => liveIndex.askNow((database) => blobAt(database, journal, path)),
  wasLocal: (id: NoteId) => liveIndex.askNow((database) => placesIn(database).wasLocal(id)),
  sharedIds: (histories: boolean) =>
    liveIndex.askNow((database) => [
      ...new Set([...inBothJournals(database), ...(histories ? localInHistory(database) : [])]),
    ]),
  supersedes: (id: NoteId) => liveIndex.askNow((database) => supersededBy(database, id)),
  withSourceKey: (sourceKey: string) => liveIndex.askNow((database) => idOfSourceKey(database, sourceKey)),
  newlyTitled: (title: string, row: number) => liveIndex.askNow((database) => notesAbove(database, row, title)),
  sourceKeyOf: (id: NoteId) => liveIndex.askNow((database) => filesOfNote(database, id)[0]?.sourceKey),
  wasThere: (id: NoteId) => liveIndex.askNow((database) => wasTouched(database, id)),
  editedSinceImport: (id: NoteId) =>
    liveIndex.askNow((database) => {
      // Usually among the latest events, but any number of tag events may have come since.
      for (let limit = 20; ; limit *= 10) {
        const events = lastEvents(database, { note: id }, limit);
        const last = events.map(textEffectOf).find((effect) => effect !== 'keeps');
        if (last !== undefined || events.length < limit) return last === 'edits';
      }
    }),
  importWasUndone: (id: NoteId) =>
    liveIndex.askNow((database) => {
      const [last] = lastEvents(database, { note: id }, 1);
      const undone = last?.undoes === undefined ? undefined : eventWithId(database, last.undoes);
      return undone?.kind === 'notes.imported';
    }),
  eventsOfNote: (id: NoteId) => liveIndex.askNow((database) => lastEvents(database, { note: id }, 1000)),
  wasPurged: (id: NoteId) => liveIndex.askNow((database) => wasPurged(database, id)),
  claimsOfCommand: (commandId: string, claimed: string) =>
    liveIndex.askNow((database) =>
      claimsOfCommand(database, commandId, claimed).map((event) => ({
        ...event,
        notes: notesOfEvent(database, event),
      })),
    ),
  unreadable: (wanted: JournalName) =>
    liveIndex.askNow((database) =>
      skippedFiles(database).flatMap(({ journal, key, ...problem }) =>
        journal === wanted ? [{ ...problem, key: key ?? undefined }] : [],
      ),
    ),
  countFiles: (journal: JournalName) => liveIndex.askNow((database) => countNotesIn(database, journal)),
});

const placesIn = (database: Database.Database): NotePlaces => ({
  filesOf: (id) => filesOfNote(database, id).map(({ journal, path, version }) => ({ journal, path, blob: version })),
  blobAt: (journal, path) => blobAt(database, journal, path),
  wasLocal: (id) => lastEventsIn(database, 'local', id, 20).some((event) => mentionOf(event, id) === 'changes'),
  wasThere: (id) => wasTouched(database, id),
});

/** Machine-local notes that the history of memory/ has too. */
const localInHistory = (database: Database.Database): readonly NoteId[] =>
  localIds(database).filter((id) =>
    lastEventsIn(database, 'portable', id, 1000).some((event) => mentionOf(event, id) === 'changes'),
  );
