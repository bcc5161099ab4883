/** The receipt of a purge: the places searched afterwards, and those that can't be searched. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type BlobId, type JournalName, journalFolder, journalNames, type NoteId } from '../events/note/note.js';
import { askAgentState } from '../state/state-file.js';
import type { Memory } from '../store/memory.js';
import { existingObjects, searchObjects } from './check-objects.js';
import { isInFile, searchFiles } from './home-files.js';
import type { CheckedPlace, PurgeReceipt } from './purge-answer.js';
import type { Needle } from './rule/needle.js';

export type Checked = {
  readonly places: readonly CheckedPlace[];
  /** Nothing was found in any of them. */
  readonly clean: boolean;
  /** Session transcripts that contain it; they belong to the client. */
  readonly transcripts: readonly string[];
};

/** Places that this machine can't search. */
export const notChecked = (remote: PurgeReceipt['remote']): readonly string[] => [
  ...(remote === null
    ? []
    : remote.published
      ? ['old objects on the remote, which it keeps until you run there: git gc --prune=now']
      : ['the remote, which contains it until a sync reaches it']),
  'other machines, which follow with their next sync, and clones of this repository',
  'backups',
  'running programs: one that reads the old index keeps it until it exits',
  "editors' swap files and undo histories outside this folder",
  "the agents' own transcripts and files that notes were imported from, which may bring it back",
  'encoded, compressed or encrypted forms of the text',
  'free space of the disk',
];

export type Lookout = {
  readonly needle: Needle;
  readonly notes: ReadonlySet<NoteId>;
  /** Versions and heads that must no longer exist. */
  readonly gone: Readonly<Partial<Record<JournalName, readonly BlobId[]>>>;
};

/** Searches bytes and parses nothing, unlike the purge itself. Takes as long as reading the whole store. */
export const checkPlaces = async (memory: Memory, { needle, notes, gone }: Lookout): Promise<Checked> => {
  const { home } = memory.settings;
  const places: CheckedPlace[] = [];
  for (const name of journalNames) {
    const { folders } = memory.journals[name];
    if (!memory.journals[name].exists()) continue;
    const objects = await searchObjects(folders, needle, notes);
    places.push({
      place: `${journalFolder[name]}: git objects`,
      how: 'each one decompressed and searched',
      ...objects,
    });
    const ids = gone[name] ?? [];
    const found = await existingObjects(folders, ids);
    places.push({
      place: `${journalFolder[name]}: old versions and heads`,
      how: 'looked up by id',
      looked: ids.length,
      found,
    });
  }
  const files = searchFiles(home, needle, (path) => /^(?:memory|local)\/\.git\/objects$/.test(path));
  const unread = files.unread.map((path) => `could not be read: ${path}`);
  places.push({
    place: 'all other files of the store',
    how: 'searched byte by byte: notes, index, databases, spool, logs, settings, refs and the index of git',
    looked: files.looked,
    found: [...files.found, ...unread],
  });
  return {
    places,
    clean: places.every(({ found }) => found.length === 0),
    transcripts: await findTranscripts(home, needle),
  };
};

/** Searches the transcripts that were captured; finds none if agents.db is damaged. */
const findTranscripts = async (home: string, needle: Needle): Promise<readonly string[]> => {
  const known = await askAgentState({ home }, (state) => state.transcripts()).catch(() => undefined);
  return (known ?? []).flatMap(({ path }) => {
    try {
      return statSync(path).size <= maxTranscriptBytes && isInFile(path, needle) ? [path] : [];
    } catch {
      return [];
    }
  });
};

const maxTranscriptBytes = 1024 * 1024 * 1024;

/** Returns the files below `home` that contain it now, which a plan lists besides the history. */
export const findFiles = (home: string, needle: Needle): readonly string[] =>
  searchFiles(home, needle, (path) => /^(?:memory|local)\/\.git$/.test(path)).found.map((path) => join(home, path));
