/** Words an event for the portable journal if it also touches a machine-local note. Pure. */
import { shownTitle } from '../../events/note/note.js';
import { type NoteFile, parseNoteFile } from '../../events/note/note-file.js';
import type { DecidedEvent, DecidedKind, Decision, KnownNotes } from '../command.js';
import type { Command } from '../handlers.js';
import { changedNote } from './changed-note.js';

type Notes = Pick<KnownNotes, 'find' | 'publishedFiles'>;
type IdAt = Parameters<typeof changedNote>[1];

/**
 * Returns the event as worded for a commit in `memory`. If it involves a machine-local note, title and project are
 * those of the portable files that it changes, and the reason and the ids of purely local notes are left out. `notes`
 * are as they were before the event.
 */
export const portableWords = (
  command: Command,
  { event, changes }: Extract<Decision, { kind: 'record' }>,
  notes: Notes,
  idAt: IdAt,
): DecidedEvent => {
  const isLocal = (id: string): boolean => notes.find(id)?.place.journal === 'local';
  const touchesLocal =
    changes.some(({ journal }) => journal === 'local') ||
    event.notes.some(isLocal) ||
    // The undone event's other half involved a machine-local note, and its subject is repeated here.
    (command.kind === 'undo' && command.commits.some(({ journal }) => journal === 'local'));
  if (!touchesLocal) return event;
  const files = filesOf(changes, notes, idAt);
  const here = new Set(files.keys());
  const [only, ...others] = [...files.values()];
  const single = others.length === 0 ? only?.note : undefined;
  const what = single === undefined ? `${here.size} ${here.size === 1 ? 'note' : 'notes'}` : shownTitle(single);
  return {
    ...withoutReason(event),
    subject: event.kind === 'notes.imported' ? event.subject : `${prefixOf(event)}${what}`,
    notes: event.notes.filter((id) => here.has(id) || !isLocal(id)),
    project: single?.project,
  };
};

/** Keeps the verdict on a conflict, which says nothing about the notes. */
const withoutReason = (event: DecidedEvent): DecidedEvent =>
  event.kind === 'conflict.resolved' ? event : { ...event, reason: undefined };

/** The portable file of each note that is written or removed: as it is written, else as it was. */
const filesOf = (
  changes: Extract<Decision, { kind: 'record' }>['changes'],
  notes: Notes,
  idAt: IdAt,
): ReadonlyMap<string, NoteFile | undefined> => {
  const files = new Map<string, NoteFile | undefined>();
  for (const change of changes) {
    const { journal, path, bytes } = change;
    if (journal !== 'portable') continue;
    const id = changedNote(change, idAt);
    const parsed = bytes === undefined ? undefined : parseNoteFile(bytes, journal, path);
    files.set(id, parsed?.ok === true ? parsed.file : (files.get(id) ?? fileBefore(notes, id)));
  }
  return files;
};

/**
 * Of a machine-local note, returns the portable file only if the remote has it: others, and their titles, are private.
 */
const fileBefore = (notes: Notes, id: string): NoteFile | undefined => {
  const known = notes.find(id);
  if (known?.place.journal === 'portable') return known.file;
  const copy = known?.copies.find(({ journal }) => journal === 'portable');
  return notes.publishedFiles(id).some(({ blob }) => blob === copy?.blob) ? copy?.file : undefined;
};

/**
 * The prefix of these events' subjects: the verdict, or the kind of what is undone. Other subjects are just a title.
 */
const prefixOf = ({ kind, subject }: DecidedEvent): string =>
  hasPrefix[kind] ? (/^[a-z][a-z.-]*: /.exec(subject)?.[0] ?? '') : '';
const hasPrefix: Readonly<Record<DecidedKind, boolean>> = {
  'note.written': false,
  'note.edited': false,
  'note.superseded': false,
  'note.forgotten': false,
  'note.restored': false,
  'note.tagged': false,
  'note.moved': false,
  'note.confirmed': false,
  'session.captured': false,
  'notes.imported': false,
  'proposal.made': false,
  'proposal.settled': true,
  'event.undone': true,
  'conflict.resolved': true,
};
