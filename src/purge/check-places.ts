/** Searches all places after a purge, and names those that can't be searched: the receipt's second half. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { PurgeReceipt } from '../answers/store-schema.js';
import { readObjects } from '../events/git/git-objects.js';
import { openGitPipe } from '../events/git/git-pipe.js';
import type { GitFolders } from '../events/git/git-process.js';
import { type BlobId, type JournalName, journalFolder, journalNames, type NoteId } from '../events/note/note.js';
import { askAgentState } from '../state/state-file.js';
import type { Memory } from '../store/memory.js';
import { isInFile, searchFiles } from './home-files.js';
import type { Needle } from './rule/request.js';

type CheckedPlace = PurgeReceipt['checked'][number];

/** Places that this machine can't search. */
export const notChecked = (remote: PurgeReceipt['remote']): readonly string[] => [
  ...(remote === null
    ? []
    : remote.published
      ? ['old objects on the remote, which it keeps until you run there: git gc --prune=now']
      : ['the remote, which contains it until a sync reaches it']),
  'other machines, whose next sync is refused: run there anamnesis sync --accept-rewrite --drop-old; what they had not published may bring the text back: then purge again',
  'clones of this repository',
  'backups',
  'running programs: one that reads the old index keeps it until it exits',
  "editors' swap files and undo histories outside this folder",
  "the agents' own transcripts and files that notes were imported from, which may bring it back",
  'encoded, compressed or encrypted forms of the text',
  'free space of the disk',
];

/** Notes, versions and heads that must no longer be in a journal. */
export type GoneObjects = { readonly notes: ReadonlySet<NoteId>; readonly ids: ReadonlySet<BlobId> };

const nothingGone: GoneObjects = { notes: new Set(), ids: new Set() };

/** Searches bytes and parses nothing, unlike the purge itself. Takes as long as reading the whole store. */
export const checkPlaces = async (
  memory: Memory,
  needle: Needle,
  gone: ReadonlyMap<JournalName, GoneObjects>,
): Promise<Pick<PurgeReceipt, 'checked' | 'clean' | 'transcripts'>> => {
  const { home } = memory.settings;
  const checked: CheckedPlace[] = [];
  for (const name of journalNames) {
    if (!memory.journals[name].exists()) continue;
    const { notes, ids } = gone.get(name) ?? nothingGone;
    const isIn = ({ id, type, bytes }: GitObject): boolean =>
      ids.has(id) ||
      needle.isIn(bytes) ||
      (type === 'tree' && [...notes].some((note) => bytes.includes(`${note}.md\0`)));
    const place = `${journalFolder[name]}: git objects`;
    checked.push({
      place,
      how: 'each one decompressed and searched',
      ...(await searchObjects(memory.journals[name].folders, isIn)),
    });
  }
  const files = searchFiles(home, needle, (path) => /^(?:memory|local)\/\.git\/objects$/.test(path));
  checked.push({
    place: 'all other files of the store',
    how: 'searched byte by byte: notes, index, databases, spool, logs, settings, refs and the index of git',
    looked: files.looked,
    found: [...files.found, ...files.unread.map((path) => `could not be read: ${path}`)],
  });
  checked.push({ place: 'traces of past searches', how: 'deleted, whatever they held', looked: 1, found: [] });
  const clean = checked.every(({ found }) => found.length === 0);
  return { checked, clean, transcripts: await findTranscripts(home, needle) };
};

type GitObject = { readonly id: string; readonly type: string; readonly bytes: Buffer };

/** Decompresses every object, unreachable ones included, keeping one in memory at a time. Throws GitError. */
const searchObjects = async (
  folders: GitFolders,
  isIn: (object: GitObject) => boolean,
): Promise<Pick<CheckedPlace, 'looked' | 'found'>> => {
  const pipe = openGitPipe(folders, ['cat-file', '--batch-all-objects', '--unordered', '--batch', '--buffer']);
  await pipe.close();
  const found: string[] = [];
  let looked = 0;
  for await (const object of readObjects(pipe.output)) {
    looked += 1;
    if (isIn(object)) found.push(`${object.type} ${object.id}`);
  }
  await pipe.ended;
  return { looked, found };
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
