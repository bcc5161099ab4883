/** Refuses commands on notes whose file is in the journal and can't be read. */

import { type JournalName, journalFolder } from '../../events/note/note.js';
import { describeInFile, type NoteProblem } from '../../events/note/note-file.js';
import { idOfPath } from '../../events/note/paths.js';
import { type Decision, refuse } from '../command.js';
import type { Command } from '../handlers.js';
import { type Refusal, unreadableNote } from '../refusals.js';
import type { Store } from '../worktree/write-store.js';
import { noteKeptElsewhere } from './kept-elsewhere.js';
import { notePurged } from './purged.js';

/**
 * A machine-local file keeps its note local even while it can't be parsed: what is meant for it must not go into the
 * portable file. Only its name tells the note. Restoring an older text repairs such a file, and is allowed.
 */
export const refuseUnreadable = (store: Store, command: Command, decided: Decision): Decision => {
  const decision = sayUnreadable(store, command, decided);
  const unreadable = store.lookup.unreadable('local');
  if (unreadable.length === 0) return decision;
  const changes = decision.kind === 'record' ? decision.changes : [];
  const ids = new Set(changes.flatMap(({ journal, path }) => (journal === 'portable' ? [idOfPath(path)] : [])));
  if ('id' in command && command.kind !== 'restore-at') ids.add(command.id);
  const problem = unreadable.find(({ path }) => ids.has(idOfPath(path)));
  return problem === undefined ? decision : refuse(unreadableIn('local', problem));
};

/**
 * Says the true reason in place of 'forgotten' or 'unknown': the note was purged, another machine keeps it, or its file
 * can't be read.
 */
const sayUnreadable = (store: Store, command: Command, decision: Decision): Decision => {
  if (!('id' in command)) return decision;
  const isGone = (): boolean => store.lookup.filesOf(command.id).length === 0 && store.lookup.wasPurged(command.id);
  if (decision.kind === 'quiet' && command.kind === 'forget' && isGone())
    return { ...decision, warnings: [notePurged(command.id).message] };
  if (decision.kind !== 'refuse' || !notHere.has(decision.refusal.code)) return decision;
  const problem = store.lookup.unreadable('portable').find(({ path }) => idOfPath(path) === command.id);
  if (problem !== undefined) return refuse(unreadableIn('portable', problem));
  if (isGone()) return refuse(notePurged(command.id));
  if (decision.refusal.code !== 'note-forgotten') return decision;
  const kept = store.lookup.keptElsewhere(command.id);
  return kept === undefined ? decision : refuse(noteKeptElsewhere(command.id, kept));
};

/** Includes 'note-unknown', because restore knows a note only by the text that it finds. */
const notHere: ReadonlySet<string> = new Set(['note-forgotten', 'note-unknown']);

const unreadableIn = (journal: JournalName, problem: NoteProblem): Refusal =>
  unreadableNote(idOfPath(problem.path), `${journalFolder[journal]}/${problem.path}`, describeInFile(problem));
