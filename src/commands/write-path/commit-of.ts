/** Turns a decided event into one journal's commit; the ids link the two halves of an event. Pure. */
import type { FileChange, KnownEvent, Stamp } from '../../events/event.js';
import { formatLost } from '../../events/note/lost-values.js';
import type { JournalName, NoteId } from '../../events/note/note.js';
import { formatTime } from '../../events/time.js';
import { derivedUlid } from '../../events/ulid-form.js';
import type { Decision } from '../command.js';
import type { DecidedCommit } from '../worktree/append.js';
import type { Store } from '../worktree/write-store.js';
import { changedNote } from './changed-note.js';

/** The half in the first journal has the event's own id, and its `Move` trailer. */
export const commitOf = (
  decision: Extract<Decision, { kind: 'record' }>,
  stamp: Stamp,
  journal: JournalName,
  isFirst: boolean,
  idAt: Store['lookup']['idAt'],
): DecidedCommit => {
  const changes: readonly FileChange[] = decision.changes.filter((change) => change.journal === journal);
  const others = decision.changes.filter((change) => change.journal !== journal);
  const lost = (decision.lost ?? []).filter((one) => one.journal === journal);
  const event: KnownEvent = {
    ...(isFirst ? decision.event : { ...decision.event, move: undefined }),
    // If the process is killed before the other journal's commit, this one must not claim that it changed those notes.
    notes:
      others.length === 0 || changes.length === 0
        ? decision.event.notes
        : notesHere(decision.event.notes, changes, others, idAt),
    id: isFirst ? stamp.eventId : derivedUlid(stamp.atMs, 'other-journal', stamp.eventId),
    at: formatTime(stamp.atMs),
    machine: stamp.machine,
    user: stamp.user,
    session: stamp.session,
    agent: stamp.agent,
    commandId: stamp.commandId,
    lost: lost.length === 0 ? undefined : lost.map(formatLost),
  };
  return { event, epochMs: stamp.atMs, changes };
};

/** Leaves out notes that the event changes only in the other journal. */
const notesHere = (
  notes: readonly NoteId[],
  changes: readonly FileChange[],
  others: readonly FileChange[],
  idAt: Store['lookup']['idAt'],
): readonly NoteId[] => {
  const [here, elsewhere] = [changes, others].map((some) => new Set(some.map((change) => changedNote(change, idAt))));
  return notes.filter((id) => here?.has(id) === true || elsewhere?.has(id) !== true);
};
