/** Takes a person's edit of a portable file along when a command makes its note machine-local. */
import { isDenied } from '../../events/environment-faults.js';
import type { Stamp } from '../../events/event.js';
import { parseMove } from '../../events/move-trailer.js';
import { blobIdOf } from '../../events/note/blob-id.js';
import { mergeNotes } from '../../events/note/merge.js';
import type { BlobId, JournalName } from '../../events/note/note.js';
import { formatNoteFile, parseNoteFile } from '../../events/note/note-file.js';
import { saysMachineLocal } from '../../events/note/stated-scope.js';
import { readNoteFile, removeNoteFile } from '../../events/worktree/working-tree.js';
import type { Decision, LostInFold } from '../command.js';
import { type Command, touches } from '../handlers.js';
import { redactFile } from '../redact-fields.js';
import type { Store } from '../worktree/write-store.js';
import { isSaidBy, noteBeside } from './merge-unadopted.js';

type Files = Readonly<Record<JournalName, readonly string[]>>;

/** Finds the portable files of notes that these commands only make machine-local. */
export const findLeaving = async (
  { lookup, journals }: Store,
  jobs: readonly { readonly command: Command }[],
): Promise<Files> => {
  const leaving = jobs.filter(({ command }) => makesLocal(command));
  if (leaving.length === 0) return { portable: [], local: [] };
  for (const journal of Object.values(journals)) await lookup.catchUp(journal);
  const idsOf = (some: typeof jobs) => new Set(some.flatMap(({ command }) => touches(command, lookup)));
  const others = idsOf(jobs.filter((job) => !leaving.includes(job)));
  const files = [...idsOf(leaving)].filter((id) => !others.has(id)).flatMap((id) => lookup.filesOf(id));
  return { portable: files.filter(({ journal }) => journal === 'portable').map(({ path }) => path), local: [] };
};

/** True for a move to local/, or for undoing what moved a note out of it. */
const makesLocal = (command: Command): boolean =>
  command.kind === 'undo'
    ? command.event.move !== undefined && parseMove(command.event.move)?.journal === 'local'
    : command.kind === 'move' && command.scope === 'machine-local';

type Recorded = Extract<Decision, { kind: 'record' }>;

/** The decision with the file's text and the version that was taken, or the reason why the text can't go along. */
export type MovedEdit =
  | { readonly decision: Recorded; readonly takenIn: BlobId }
  | { readonly decision: undefined; readonly reason: string };

/**
 * Returns undefined if the decision takes no note to the local journal, or there is no file. The text is merged from
 * the version that it was made from, because an editor may have had it open during a sync; otherwise from the version
 * last checked out, because the file lacks what a sync brought since.
 */
export const moveEdit = async (store: Store, decision: Recorded, path: string): Promise<MovedEdit | undefined> => {
  const journal = store.journals.portable;
  const [written] = decision.changes;
  const removal = decision.changes.find((change) => change.journal === 'portable' && change.path === path);
  if (decision.event.move === undefined || written?.journal !== 'local' || written.bytes === undefined)
    return undefined;
  const checkedOut = store.state.checkedOut('portable', path)?.blob;
  const found = readNoteFile(journal.folder, path, checkedOut ?? store.lookup.blobAt('portable', path));
  if (removal?.bytes !== undefined || found.kind !== 'file') return undefined;
  const before = checkedOut === undefined ? undefined : (await journal.blobs([checkedOut])).get(checkedOut);
  const [base, theirs] = [before, found.bytes].map((bytes) => bytes && parseNoteFile(bytes, 'portable', path));
  const ours = parseNoteFile(written.bytes, 'local', written.path);
  if (base?.ok !== true || theirs?.ok !== true || !ours.ok)
    return stays('nothing tells which version it was made from');
  if (theirs.file.note.id !== ours.file.note.id) return stays(`it says id: ${theirs.file.note.id}`);
  const { file, clashing, lost } = mergeNotes(base.file, ours.file, theirs.file);
  if (clashing !== undefined) return stays('another edit changed the same lines');
  const clean = redactFile(file);
  const changes = [{ ...written, bytes: formatNoteFile(clean.file) }, ...decision.changes.slice(1)];
  const masked = [...decision.masked, ...clean.masked];
  const lostHere = lost.map((value): LostInFold => ({ ...value, noteId: file.note.id, journal: 'local' }));
  const taken = { ...decision, changes, masked, lost: [...(decision.lost ?? []), ...lostHere] };
  return { decision: taken, takenIn: blobIdOf(found.bytes, found.row.blob) };
};

/**
 * For a note in both journals that is made machine-local, with a portable file that says so itself: that text is not
 * published, and the local journal keeps it beside the note. Returns undefined for any other file.
 */
export const keepSaidLocal = (store: Store, decision: Recorded, path: string, stamp: Stamp): MovedEdit | undefined => {
  const { event, changes, masked } = decision;
  const [written] = changes;
  if (event.kind !== 'note.moved' || written?.journal !== 'local' || written.bytes === undefined) return undefined;
  const found = readNoteFile(store.journals.portable.folder, path, store.lookup.blobAt('portable', path));
  if (found.kind !== 'file') return undefined;
  const typed = parseNoteFile(found.bytes, 'portable', path);
  const note = parseNoteFile(written.bytes, 'local', written.path);
  if (!typed.ok || !note.ok || typed.file.note.id !== note.file.note.id || !saysMachineLocal(typed.file))
    return undefined;
  const takenIn = blobIdOf(found.bytes, found.row.blob);
  if (isSaidBy(note.file, typed.file)) return { decision, takenIn };
  const beside = noteBeside(typed.file, path, stamp);
  const kept = {
    ...decision,
    event: { ...event, notes: [...event.notes, beside.id] },
    changes: [...changes, beside.change],
    masked: [...masked, ...beside.masked],
    warnings: [...decision.warnings, beside.warning],
  };
  return { decision: kept, takenIn };
};

/** Removes files whose text a recorded event took in. Returns the error if the machine denies it. */
export const removeAdoptedFiles = ({ journals, step }: Store, files: ReadonlyMap<string, BlobId>): unknown => {
  if (files.size === 0) return undefined;
  step('take-away');
  try {
    for (const [path, blob] of files) removeNoteFile(journals.portable.folder, path, blob);
    return undefined;
  } catch (error) {
    if (!isDenied(error)) throw error;
    return error;
  }
};

const stays = (why: string): MovedEdit => ({
  decision: undefined,
  reason: `its edit can't go along with the note, and the next sync would publish it: ${why}`,
});
