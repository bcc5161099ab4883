/** Finds secrets in notes that a person committed: the history has them, but the notes must stop showing them. */

import type { GitJournal } from '../../events/git/git-journal.js';
import type { LoggedEvent } from '../../events/logged-event.js';
import type { BlobId } from '../../events/note/note.js';
import { parseNoteFile } from '../../events/note/note-file.js';
import { redactFile } from '../redact-fields.js';
import type { ClassifiedFiles } from './hand-edits.js';

/** Returns the notes of foreign commits whose head version holds a secret, as edits to adopt: adopting masks it. */
export const findForeignSecrets = async (
  journal: GitJournal,
  head: string,
  events: readonly LoggedEvent[],
  nowMs: number,
): Promise<ClassifiedFiles['adopt']> => {
  const paths = new Set<string>();
  for (const { foreign, commit, parents } of events) {
    if (!foreign) continue;
    for (const { path, after } of await journal.diff(parents[0], commit)) if (after !== undefined) paths.add(path);
  }
  if (paths.size === 0) return [];
  const current = (await journal.notes(head)).filter(({ path }) => paths.has(path));
  const contents: ReadonlyMap<BlobId, Buffer> = await journal.blobs(current.map(({ blob }) => blob));
  return current.flatMap(({ path, blob }) => {
    const bytes = contents.get(blob);
    const parsed = bytes === undefined ? undefined : parseNoteFile(bytes, journal.name, path);
    if (bytes === undefined || parsed?.ok !== true || redactFile(parsed.file).masked.length === 0) return [];
    return [{ path, bytes, blob, mtimeMs: nowMs }];
  });
};
