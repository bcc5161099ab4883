/** Edits that were made from an older version than the one that lies in the file: an editor had it open, or git a stash. */
import type { GitJournal } from '../../events/git/git-journal.js';
import { parseNoteFile } from '../../events/note/note-file.js';
import { parseTime } from '../../events/time.js';
import type { Reconciliation } from './hand-edits.js';
import type { Store } from './write-store.js';

type Edits = Pick<Reconciliation, 'adopt' | 'merge'>;

/**
 * Every command that changes a note sets `updated_at`, and no person does, so a file with that of an older version was made
 * from it: it is merged with what was recorded since. A file that is an older version brought it back on purpose.
 */
export const mergeOlder = async (
  store: Store,
  journal: GitJournal,
  head: string | undefined,
  { adopt, merge }: Edits,
): Promise<Edits> => {
  const older: Reconciliation['merge'][number][] = [];
  for (const file of adopt) {
    const { path, id, bytes, blob, mtimeMs } = file;
    const recorded = id === undefined ? store.lookup.updatedAt(journal.name, path) : undefined;
    const parsed = recorded === undefined ? undefined : parseNoteFile(bytes, journal.name, path);
    if (head === undefined || recorded === undefined || parsed?.ok !== true) continue;
    const { updatedAt } = parsed.file.note;
    if ((parseTime(updatedAt) ?? recorded * 1000) >= recorded * 1000) continue;
    const versions = [...(await journal.versions(head, path))].slice(0, maxVersions);
    if (versions.includes(blob)) continue;
    const texts = await journal.blobs(versions);
    const base = versions.find((version) => {
      const text = texts.get(version);
      const other = text === undefined ? undefined : parseNoteFile(text, journal.name, path);
      return other?.ok === true && other.file.note.updatedAt === updatedAt;
    });
    if (base !== undefined)
      older.push({ path, base, head: store.lookup.blobAt(journal.name, path), bytes, blob, mtimeMs });
  }
  if (older.length === 0) return { adopt, merge };
  const paths = new Set(older.map(({ path }) => path));
  return { adopt: adopt.filter(({ path }) => !paths.has(path)), merge: [...merge, ...older] };
};

/** Nobody keeps a file open for longer. */
const maxVersions = 200;
