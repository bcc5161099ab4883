/** Law about traces: a commit that changed a note is in the history of that note, unless a person put trailers on it. */
import type { GitJournal } from '../../../src/events/git/git-journal.js';
import { journalNames, type NoteId } from '../../../src/events/note/note.js';
import { parseNoteFile } from '../../../src/events/note/note-file.js';
import { idOfPath } from '../../../src/events/note/paths.js';
import type { Memory } from '../../../src/store/memory.js';
import { personsGit } from '../../support/store.js';

/** Finds commits other than merges that changed a note whose history doesn't list them. */
export const findUntraced = async (memory: Memory, reused: ReadonlySet<string>): Promise<readonly string[]> => {
  const troubles: string[] = [];
  for (const name of journalNames) {
    const journal = memory.journals[name];
    const head = journal.exists() ? journal.head() : undefined;
    if (head === undefined) continue;
    const commits = commitsOf(journal.folder, head, reused);
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

const commitsOf = (folder: string, head: string, reused: ReadonlySet<string>): readonly string[] => {
  const format = '--format=%H|%cn|%(trailers:key=Event,valueonly,separator=%x20)|%s';
  const lines = personsGit(folder, 'log', '--no-merges', format, head).split('\n').filter(Boolean);
  return lines.flatMap((line) => {
    const [commit = '', committer, event = '', ...subject] = line.split('|');
    // Strangers forge messages, and people amend commits and reuse messages: those count as what they say.
    const isClaimed = committer !== 'anamnesis' || subject.join('|').endsWith(': odd') || reused.has(event.trim());
    return event.trim() !== '' && isClaimed ? [] : [commit];
  });
};

const idIn = async (journal: GitJournal, path: string, blob: string | undefined): Promise<NoteId | undefined> => {
  if (blob === undefined) return undefined;
  const bytes = (await journal.blobs([blob])).get(blob);
  const parsed = bytes === undefined ? undefined : parseNoteFile(bytes, journal.name, path);
  return parsed?.ok === true ? parsed.file.note.id : idOfPath(path);
};
