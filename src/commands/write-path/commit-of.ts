/** Turns a decided event into commits: one, except for an import into both journals, which is an event in each. Pure. */
import type { KnownEvent, Stamp } from '../../events/event.js';
import { type JournalName, journalNames, type NoteId } from '../../events/note/note.js';
import { idOfPath } from '../../events/note/paths.js';
import { formatTime } from '../../events/time.js';
import { derivedUlid } from '../../events/ulid-form.js';
import type { Decision } from '../command.js';
import type { DecidedCommit } from '../worktree/append.js';
import type { NotePlaces } from '../worktree/write-store.js';

type Places = Pick<NotePlaces, 'filesOf'>;

/** The first journal's event has the event's own id. An event of memory/ doesn't name notes of local/. */
export const commitsOf = (
  { event, changes }: Extract<Decision, { kind: 'record' }>,
  stamp: Stamp,
  places: Places,
): readonly (DecidedCommit & { readonly journal: JournalName })[] => {
  const first = changes[0]?.journal;
  return journalNames.flatMap((journal) => {
    const own = changes.filter((change) => change.journal === journal);
    if (own.length === 0) return [];
    const here = new Set(own.map(({ path }) => idOfPath(path)));
    const known: KnownEvent = {
      ...event,
      notes: event.notes.filter((id) => here.has(id) || isOf(journal, id, own.length === changes.length, places)),
      id: journal === first ? stamp.eventId : derivedUlid(stamp.atMs, 'other-journal', stamp.eventId),
      at: formatTime(stamp.atMs),
      machine: stamp.machine,
      user: stamp.user,
      session: stamp.session,
      agent: stamp.agent,
      commandId: stamp.commandId,
    };
    return [{ journal, event: known, epochMs: stamp.atMs, changes: own }];
  });
};

/** Whether the journal's event may name a note that it doesn't change. */
const isOf = (journal: JournalName, id: NoteId, isOnly: boolean, { filesOf }: Places): boolean => {
  const there = filesOf(id)[0]?.journal;
  return there === undefined ? isOnly : there === journal || journal === 'local';
};
