/** Refuses commands on notes whose file is in the journal and can't be read. */

import { type JournalName, journalFolder, journalNames } from '../../events/note/note.js';
import { describeInFile, type NoteProblem } from '../../events/note/note-file.js';
import { idOfPath } from '../../events/note/paths.js';
import { type Decision, type KnownNotes, refuse } from '../command.js';
import type { Command } from '../handlers.js';
import { notePurged, type Refusal, unreadableNote, unreadableThere } from '../refusals.js';
import type { NoteLookup, Store } from '../worktree/write-store.js';

/** Says 'purged' or 'unreadable' in place of 'forgotten' or 'unknown'. Only the file's name tells the note. */
export const refuseUnreadable = ({ lookup }: Store, command: Command, decision: Decision): Decision => {
  if (!('id' in command)) return decision;
  const isPurged = lookup.filesOf(command.id).length === 0 && lookup.wasPurged(command.id);
  if (decision.kind === 'quiet' && command.kind === 'forget' && isPurged)
    return { ...decision, warnings: [notePurged(command.id).message] };
  if (decision.kind !== 'refuse' || !notHere.has(decision.refusal.code)) return decision;
  for (const journal of journalNames) {
    const problem = lookup.unreadable(journal).find(({ path }) => idOfPath(path) === command.id);
    if (problem !== undefined) return refuse(unreadableIn(journal, problem));
  }
  return isPurged ? refuse(notePurged(command.id)) : decision;
};

/** Refuses to overwrite a file committed unreadable, except by restore-at or undo, which repair it. */
export const refuseOverwrites = (
  lookup: Pick<NoteLookup, 'unreadable'>,
  command: Command,
  decision: Decision,
  notes: Pick<KnownNotes, 'effectsOf'>,
): Decision => {
  if (decision.kind !== 'record') return decision;
  const putRight = command.kind === 'undo' ? notes.effectsOf(command.event.id).unreadable : [];
  const isMeant = (path: string): boolean =>
    command.kind === 'restore-at' ? idOfPath(path) === command.id : putRight.includes(path);
  for (const { journal, path, bytes } of decision.changes) {
    if (bytes === undefined || isMeant(path)) continue;
    const problem = lookup.unreadable(journal).find((one) => one.path === path);
    if (problem !== undefined)
      return refuse(unreadableThere(`${journalFolder[journal]}/${path}`, describeInFile(problem)));
  }
  return decision;
};

/** Includes 'note-unknown', because restore knows a note only by the text that it finds. */
const notHere: ReadonlySet<string> = new Set(['note-forgotten', 'note-unknown']);

const unreadableIn = (journal: JournalName, problem: NoteProblem): Refusal =>
  unreadableNote(idOfPath(problem.path), `${journalFolder[journal]}/${problem.path}`, describeInFile(problem));
