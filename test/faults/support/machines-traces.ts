/** Law about traces: whatever its trailers say, a commit that changed a note is in the history of that note. */
import type { GitJournal } from '../../../src/events/git/git-journal.js';
import { journalNames, type NoteId } from '../../../src/events/note/note.js';
import { parseNoteFile } from '../../../src/events/note/note-file.js';
import { idOfPath } from '../../../src/events/note/paths.js';
import type { Memory } from '../../../src/store/memory.js';
import { personsGit } from '../../support/store.js';

/** Finds commits other than merges that changed a note whose history doesn't list them. */
export const findUntraced = async (memory: Memory): Promise<readonly string[]> => {
  const troubles: string[] = [];
  for (const name of journalNames) {
    const journal = memory.journals[name];
    const head = journal.exists() ? journal.head() : undefined;
    if (head === undefined) continue;
    const commits = personsGit(journal.folder, 'log', '--no-merges', '--format=%H', head).split('\n').filter(Boolean);
    const traced = await memory.liveIndex.ask((database) =>
      database
        .prepare<[string], string>(
          `SELECT e.commit_id || ' ' || x.note FROM events e JOIN event_notes x ON x.event = e.rowid WHERE e.journal = ?`,
        )
        .pluck()
        .all(name),
    );
    const known = new Set(traced);
    for (const [commit, changes] of await journal.changesOf(commits)) {
      for (const { path, before, after } of changes) {
        if (known.has(`${commit} ${idOfPath(path)}`)) continue;
        // The file may belong to another note than its name says.
        const notes = await Promise.all([before, after].map((blob) => idIn(journal, path, blob)));
        for (const id of notes)
          if (id !== undefined && !known.has(`${commit} ${id}`))
            troubles.push(`${name}: ${commit} changed ${path}, and the history of ${id} doesn't say so`);
      }
    }
  }
  return troubles;
};

const idIn = async (journal: GitJournal, path: string, blob: string | undefined): Promise<NoteId | undefined> => {
  if (blob === undefined) return undefined;
  const bytes = (await journal.blobs([blob])).get(blob);
  const parsed = bytes === undefined ? undefined : parseNoteFile(bytes, journal.name, path);
  return parsed?.ok === true ? parsed.file.note.id : idOfPath(path);
};
