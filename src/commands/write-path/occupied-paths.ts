/** Refuses decisions that would overwrite another note's only file, or an unreadable file that a person committed. */
import type { FileChange } from '../../events/event.js';
import { journalFolder, journalNames, type NoteId } from '../../events/note/note.js';
import { describeInFile, parseNoteFile } from '../../events/note/note-file.js';
import { idOfPath } from '../../events/note/paths.js';
import { type Decision, type KnownNotes, type Place, refuse } from '../command.js';
import type { Command } from '../handlers.js';
import { placeTaken, type Refusal, unreadableThere } from '../refusals.js';
import type { NoteLookup } from '../worktree/write-store.js';

type Notes = Pick<KnownNotes, 'holderOf' | 'effectsOf'>;

/** Applies to every command, because a person may name any note's file after another note. */
export const refuseOverwrites = (
  lookup: Pick<NoteLookup, 'unreadable'>,
  command: Command,
  decision: Decision,
  notes: Notes,
): Decision => {
  if (decision.kind !== 'record') return decision;
  const refusal = findHeld(command, decision, notes) ?? findUnreadable(lookup, command, decision, notes);
  return refusal === undefined ? decision : refuse(refusal);
};

type Recorded = Extract<Decision, { kind: 'record' }>;

/** Two notes may exchange their places in one event. */
const findHeld = (command: Command, { event, changes }: Recorded, notes: Notes): Refusal | undefined => {
  const written = changes.filter(({ bytes }) => bytes !== undefined);
  const goes = new Set(changes.filter(({ bytes }) => bytes === undefined).map(keyOf));
  const undone = command.kind === 'undo' ? command.event.id : undefined;
  // An import writes 100,000 files in one event, so nothing here may look through all of them for each of them.
  const first = new Map<string, FileChange>();
  for (const change of written) {
    const key = keyOf(change);
    const before = first.get(key);
    const holder = before === undefined ? notes.holderOf(change) : idIn(before);
    if (before === undefined) first.set(key, change);
    if (holder === undefined || holder === idIn(change) || goes.has(key)) continue;
    const isElsewhere = written.some((one) => keyOf(one) !== key && idIn(one) === holder);
    const isUndone = event.kind === 'event.undone' && event.notes.includes(holder);
    if (before !== undefined || !(isElsewhere || isUndone)) return placeTaken(idIn(change), holder, change, undone);
  }
  return undefined;
};

/** Restoring to a point, or undoing the event that left the file unreadable, repairs such a file and is allowed. */
const findUnreadable = (
  lookup: Pick<NoteLookup, 'unreadable'>,
  command: Command,
  { changes }: Recorded,
  notes: Notes,
): Refusal | undefined => {
  const putRight = command.kind === 'undo' ? notes.effectsOf(command.event.id).unreadable : [];
  const isMeant = (path: string): boolean =>
    command.kind === 'restore-at' ? idOfPath(path) === command.id : putRight.includes(path);
  const problems = new Map(
    journalNames.flatMap((journal) =>
      lookup.unreadable(journal).map((problem) => [keyOf({ journal, path: problem.path }), problem] as const),
    ),
  );
  for (const { journal, path, bytes } of changes) {
    if (bytes === undefined || isMeant(path)) continue;
    const problem = problems.get(keyOf({ journal, path }));
    if (problem !== undefined) return unreadableThere(`${journalFolder[journal]}/${path}`, describeInFile(problem));
  }
  return undefined;
};

const keyOf = ({ journal, path }: Place): string => `${journal}/${path}`;

const idIn = ({ journal, path, bytes }: FileChange): NoteId => {
  const parsed = bytes === undefined ? undefined : parseNoteFile(bytes, journal, path);
  return parsed?.ok === true ? parsed.file.note.id : idOfPath(path);
};
