/** Forgets notes, with warnings about what stays behind. */
import type { NoteId } from '../events/note/note.js';
import { openConflicts } from '../projections/index/conflicts.js';
import { filesOfNote } from '../projections/index/query.js';
import type { Answer, Asker, Memory } from '../store/memory.js';

/**
 * Records one event per note, in order, and stops at the first refusal. If any of the notes is machine-local, the
 * reason may quote it: it is recorded in the local journal only, and the answers for the portable notes say so.
 */
export const forgetNotes = async (
  memory: Memory,
  ids: readonly NoteId[],
  reason: string | undefined,
  asker?: Asker,
): Promise<readonly Answer[]> => {
  const local = new Set(reason === undefined || ids.length < 2 ? [] : await findLocal(memory, ids));
  const answers: Answer[] = [];
  for (const id of ids) {
    const isKept = local.size > 0 && !local.has(id);
    const answer = await forgetNote(memory, id, isKept ? undefined : reason, asker);
    answers.push(isKept && answer.status === 'recorded' ? withWarning(answer, id) : answer);
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

const findLocal = (memory: Memory, ids: readonly NoteId[]): Promise<readonly NoteId[]> =>
  memory.liveIndex.ask((database) =>
    ids.filter((id) => filesOfNote(database, id).some(({ journal }) => journal === 'local')),
  );

const withWarning = <Done extends Exclude<Answer, { readonly status: 'refused' }>>(answer: Done, id: NoteId): Done => ({
  ...answer,
  warnings: [
    ...answer.warnings,
    `the reason is not recorded with ${id}, which is portable: it was given for a machine-local note too`,
  ],
});
