/** Moves and forgets notes. A new scope means a note anew in the other journal, then a forget: two events. */
import type { MoveNote } from '../commands/move.js';
import { moveContested, type Refusal } from '../commands/refusals.js';
import type { BlobId, NoteId } from '../events/note/note.js';
import { parseNoteFile } from '../events/note/note-file.js';
import { saysMachineLocal } from '../events/note/stated-scope.js';
import { putNoteFile, readNoteFile } from '../events/worktree/working-tree.js';
import { endOfMove } from '../projections/history/gone-notes.js';
import { lastEvents } from '../projections/history/query.js';
import { openConflicts, pendingProposals } from '../projections/index/conflicts.js';
import { filesOfNote, type IndexedNote } from '../projections/index/query.js';
import type { Answer, Asker, Memory } from '../store/memory.js';

/** Not while other notes hang on it (superseded, in a conflict, proposed). After a kill, it forgets the old one. */
export const moveNote = async (
  memory: Memory,
  id: NoteId,
  to: Pick<MoveNote, 'project' | 'scope'>,
  asker: Asker = {},
): Promise<Answer> => {
  const files = await memory.liveIndex.ask((database) => filesOfNote(database, id));
  const [note] = files;
  if (to.scope === undefined || note === undefined || note.scope === to.scope)
    return memory.perform({ kind: 'move', id, ...to }, asker);
  const refusal = await refuseContested(memory, note);
  if (refusal !== undefined) return { status: 'refused', refusal };
  const typed = await readTyped(memory, note);
  const answer = await memory.perform({ kind: 'move', id, ...to, typed: typed?.bytes.toString() }, asker);
  if (answer.status === 'refused' || answer.note === undefined) return answer;
  if (typed !== undefined) await putBack(memory, note, typed);
  const ended = await forgetOld(memory, id, answer.note.id, to.scope, asker);
  if (ended.status === 'refused') return ended;
  return {
    ...answer,
    status: 'recorded',
    event: answer.event ?? ended.event,
    warnings: [...answer.warnings, ...(note.scope === 'portable' ? [textStays(id)] : [])],
  };
};

const textStays = (id: NoteId): string =>
  `the history of memory/ still holds the text; to remove it everywhere: anamnesis purge ${id}`;

const refuseContested = (memory: Memory, { id, supersededBy }: IndexedNote): Promise<Refusal | undefined> =>
  memory.liveIndex.ask((database) => {
    if (supersededBy !== undefined)
      return moveContested(id, `is superseded by ${supersededBy}`, `anamnesis forget ${id}, or move ${supersededBy}`);
    const [conflict] = openConflicts(database, { about: id }, 1).conflicts;
    if (conflict !== undefined)
      return moveContested(id, 'is in a conflict', `settle it first: anamnesis resolve ${conflict.copy.id}`);
    const [proposal] = [{ newer: id }, { older: id }].flatMap(
      (asked) => pendingProposals(database, asked, 1).proposals,
    );
    return (
      proposal && moveContested(id, 'is under a proposal', `settle it first: anamnesis review ${proposal.newer.id}`)
    );
  });

/** The note's file as saved with `scope: machine-local`, which adopting leaves in memory/ for this move. */
const readTyped = async (
  { journals }: Memory,
  { id, scope, path, version }: IndexedNote,
): Promise<FoundFile | undefined> => {
  if (scope !== 'portable') return undefined;
  const found = readNoteFile(journals.portable.folder, path, version);
  const parsed =
    found.kind === 'file' && found.row.blob !== version ? parseNoteFile(found.bytes, 'portable', path) : undefined;
  if (found.kind !== 'file' || parsed?.ok !== true || parsed.file.note.id !== id) return undefined;
  return saysMachineLocal(parsed.file) ? { bytes: found.bytes, blob: found.row.blob } : undefined;
};

type FoundFile = { readonly bytes: Buffer; readonly blob: BlobId };

/** The text is in local/ now: with the version of memory/ in its place, the note can be forgotten there. */
const putBack = ({ journals: { portable }, exclusively }: Memory, note: IndexedNote, typed: FoundFile): Promise<void> =>
  exclusively(async () => {
    const bytes = (await portable.blobs([note.version])).get(note.version);
    if (bytes !== undefined) putNoteFile(portable.folder, note.path, bytes, typed.blob);
  });

/** Its Command-Id, made of the one that wrote the note anew, tells later which note took its place. */
const forgetOld = async (
  memory: Memory,
  id: NoteId,
  written: NoteId,
  scope: MoveNote['scope'],
  asker: Asker,
): Promise<Answer> => {
  const events = await memory.liveIndex.ask((database) => lastEvents(database, { note: written }, 1000));
  const begun = events.at(-1);
  const reason = scope === 'portable' ? `portable as ${written}` : `machine-local on ${memory.settings.machine}`;
  const commandId = `${begun?.commandId ?? begun?.id ?? written}${endOfMove}`;
  return memory.perform({ kind: 'forget', id, reason }, { ...asker, commandId });
};

/**
 * Records one event per note, in order, and stops at the first refusal. If one of the notes is machine-local, the reason
 * is recorded with those only.
 */
export const forgetNotes = async (
  memory: Memory,
  ids: readonly NoteId[],
  reason: string | undefined,
  asker?: Asker,
): Promise<readonly Answer[]> => {
  const answers: Answer[] = [];
  const local = await memory.liveIndex.ask((database) =>
    ids.filter((id) => filesOfNote(database, id).some(({ journal }) => journal === 'local')),
  );
  for (const id of ids) {
    // A reason for both kinds may quote the machine-local note, and memory/ is published.
    const isKept = local.length > 0 && !local.includes(id);
    const answer = await forgetNote(memory, id, isKept ? undefined : reason, asker);
    answers.push(answer);
    if (answer.status === 'refused') break;
  }
  return answers;
};

/** Forgets a note, and warns of its conflict copies, which say much the same and can still be found. */
export const forgetNote = async (
  memory: Memory,
  id: NoteId,
  reason: string | undefined,
  asker: Asker | undefined,
): Promise<Answer> => {
  const copies = await memory.liveIndex.ask((database) => openConflicts(database, { about: id }, maxNamed).conflicts);
  const answer = await memory.perform({ kind: 'forget', id, reason }, asker);
  if (answer.status === 'unchanged') {
    // A note that another machine keeps wasn't forgotten, and a plain restore doesn't bring it back.
    const shown = await memory.show(id);
    return !shown.ok && shown.refusal.code === 'note-kept-elsewhere'
      ? { status: 'refused', refusal: shown.refusal }
      : answer;
  }
  if (answer.status !== 'recorded') return answer;
  const left = copies.filter(({ copy, original }) => original === id && copy.id !== id);
  const warnings = left.map(
    ({ copy }) => `its conflict copy ${copy.id} is still found; to forget that too: anamnesis forget ${copy.id}`,
  );
  return { ...answer, warnings: [...answer.warnings, ...warnings] };
};

const maxNamed = 10;
