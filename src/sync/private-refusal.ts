/** The refusal of a commit that contains a machine-local text, with what the person can do. */
import type { Store } from '../commands/worktree/write-store.js';
import { type NoteId, shownTitle } from '../events/note/note.js';
import { parseNoteFile } from '../events/note/note-file.js';
import { isNotePath } from '../events/note/paths.js';
import type { CommittedFile } from './committed-files.js';
import { SyncRefused } from './refused.js';

type Found = {
  /** Notes that are machine-local here. */
  readonly privateNotes: ReadonlySet<NoteId>;
  /** A merge decided about the file too, so the commits can't be appended again without it. */
  readonly isMerged: boolean;
};

export const refuseCommitted = async (
  { journals: { portable } }: Store,
  { commit, path, after: blob, said: { id } }: CommittedFile,
  { privateNotes, isMerged }: Found,
): Promise<SyncRefused> => {
  const bytes = (await portable.blobs([blob])).get(blob) ?? Buffer.alloc(0);
  const parsed = parseNoteFile(bytes, 'portable', path);
  const note = parsed.ok ? `${shownTitle(parsed.file.note)} (${id})` : id;
  const contains = `nothing was published: commit ${commit.hash.slice(0, 12)} contains memory/${path}`;
  const away = `move the file out of ${portable.folder}`;
  // A command finds a note's file only by its name, and changes none that it can't read.
  const isFound = id !== undefined && parsed.ok && isNotePath(path);
  const staying =
    id === undefined || isMerged
      ? `, ${away} and remove the commit from its history with git (git reset HEAD^ if it is the last one)`
      : `${isFound ? `: anamnesis move ${id} --scope machine-local` : `, ${away}`}; the next sync publishes your commits without that file`;
  const publishing = isFound
    ? `: anamnesis move ${id} --scope portable, which removes that line`
    : ', remove that line from the file, and commit it';
  if (id !== undefined && privateNotes.has(id))
    return new SyncRefused(
      'note-private',
      `${contains}, and the note ${note} is machine-local`,
      `to publish the note: anamnesis move ${id} --scope portable; to keep it here${staying}`,
    );
  return new SyncRefused(
    'note-private',
    `${contains}, which says scope: machine-local`,
    `to publish it${publishing}; to keep it here${staying}`,
  );
};
