/** Text that a person typed into a portable file goes with its note when a move makes that machine-local. */
import { blobIdOf } from '../../events/note/blob-id.js';
import { mergeNotes } from '../../events/note/merge.js';
import type { BlobId, JournalName } from '../../events/note/note.js';
import { formatNoteFile, parseNoteFile } from '../../events/note/note-file.js';
import { readNoteFile } from '../../events/worktree/working-tree.js';
import type { Decision } from '../command.js';
import { type Command, touches } from '../handlers.js';
import { redactFile } from '../redact-fields.js';
import type { Store } from '../worktree/write-store.js';

type Files = Readonly<Record<JournalName, readonly string[]>>;

/** Portable files of the notes that these commands do nothing but make machine-local. */
export const findLeaving = async (
  { lookup, journals }: Store,
  jobs: readonly { readonly command: Command }[],
): Promise<Files> => {
  const leaving = jobs.filter(({ command }) => command.kind === 'move' && command.scope === 'machine-local');
  if (leaving.length === 0) return { portable: [], local: [] };
  for (const journal of Object.values(journals)) await lookup.catchUp(journal);
  const idsOf = (some: typeof jobs) => new Set(some.flatMap(({ command }) => touches(command, lookup)));
  const others = idsOf(jobs.filter((job) => !leaving.includes(job)));
  const files = [...idsOf(leaving)].filter((id) => !others.has(id)).flatMap((id) => lookup.filesOf(id));
  return { portable: files.filter(({ journal }) => journal === 'portable').map(({ path }) => path), local: [] };
};

type Recorded = Extract<Decision, { kind: 'record' }>;

/** The decision with the file's text, and the version of the file that it takes in; undefined for any other decision. */
export const takeAlong = async (
  store: Store,
  decision: Recorded,
  path: string,
): Promise<{ readonly decision: Recorded; readonly takenIn: BlobId } | undefined> => {
  const journal = store.journals.portable;
  const [written] = decision.changes;
  const removal = decision.changes.find((change) => change.journal === 'portable' && change.path === path);
  if (decision.event.move === undefined || written?.journal !== 'local' || written.bytes === undefined)
    return undefined;
  const head = store.lookup.blobAt('portable', path);
  const found = readNoteFile(journal.folder, path, head);
  const isOfHead = head !== undefined && store.state.checkedOut('portable', path)?.blob === head;
  if (removal?.bytes !== undefined || !isOfHead || found.kind !== 'file') return undefined;
  const before = (await journal.blobs([head])).get(head);
  const [base, theirs] = [before, found.bytes].map((bytes) => bytes && parseNoteFile(bytes, 'portable', path));
  const ours = parseNoteFile(written.bytes, 'local', written.path);
  if (base?.ok !== true || theirs?.ok !== true || !ours.ok || theirs.file.note.id !== ours.file.note.id)
    return undefined;
  const { file, clashing } = mergeNotes(base.file, ours.file, theirs.file);
  if (clashing !== undefined) return undefined;
  const clean = redactFile(file);
  const changes = [{ ...written, bytes: formatNoteFile(clean.file) }, ...decision.changes.slice(1)];
  const masked = [...decision.masked, ...clean.masked];
  return { decision: { ...decision, changes, masked }, takenIn: blobIdOf(found.bytes, head) };
};
