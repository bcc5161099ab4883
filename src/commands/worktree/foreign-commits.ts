/** Reads what people's own commits changed since the last checkout: bases for touched files, and notes with secrets. */
import type { Journal } from '../../events/journal.js';
import type { BlobId } from '../../events/note/note.js';
import type { BaseSource, Edit } from './sort-files.js';
import type { Store } from './write-store.js';

type Heads = { readonly head: string | undefined; readonly checkout: string | undefined };

export const readBaseSource = async (journal: Journal, { head, checkout }: Heads): Promise<BaseSource> => {
  if (head === undefined || checkout === head) return nothingCommitted;
  if (checkout === undefined) return { ...nothingCommitted, versions: (path) => journal.versions(head, path) };
  const events = await journal.events(checkout, head);
  const foreign = events.flatMap(({ foreign: isForeign, commit }) => (isForeign ? [commit] : []));
  const changes = await journal.changesOf(foreign);
  const committed = new Map<string, BlobId | undefined>();
  for (const commit of foreign) for (const { path, after } of changes.get(commit) ?? []) committed.set(path, after);
  return { committed, adopted: new Set(events.flatMap(({ event }) => event.adopted ?? [])), versions: undefined };
};

const nothingCommitted: BaseSource = { committed: new Map(), adopted: new Set(), versions: undefined };

/** Notes of the head that hold a secret, as edits that mask them. `edited`: paths that have a newer text anyway. */
export const findForeignSecrets = async (
  { lookup, nowMs }: Store,
  journal: Journal,
  { committed }: BaseSource,
  edited: readonly Edit[],
): Promise<readonly Edit[]> => {
  const known = new Set(edited.map(({ path }) => path));
  const current = [...committed].flatMap(([path, blob]) =>
    blob !== undefined && !known.has(path) && lookup.blobAt(journal.name, path) === blob ? [{ path, blob }] : [],
  );
  if (current.length === 0) return [];
  const { parseNoteFile } = await import('../../events/note/note-file.js');
  const { redactFile } = await import('../redact-fields.js');
  const contents = await journal.blobs(current.map(({ blob }) => blob));
  return current.flatMap(({ path, blob }) => {
    const bytes = contents.get(blob);
    const parsed = bytes === undefined ? undefined : parseNoteFile(bytes, journal.name, path);
    if (bytes === undefined || parsed?.ok !== true || redactFile(parsed.file).masked.length === 0) return [];
    return [{ path, base: blob, head: blob, bytes, blob, mtimeMs: nowMs(), id: parsed.file.note.id }];
  });
};
