/** The portable words of an event that also touches a machine-local note. Pure. */
import { shownTitle } from '../../events/note/note.js';
import { type NoteFile, parseNoteFile } from '../../events/note/note-file.js';
import type { DecidedEvent, DecidedKind, Decision, KnownNotes } from '../command.js';
import type { Command } from '../handlers.js';
import { changedNote } from './changed-note.js';

type Notes = Pick<KnownNotes, 'find' | 'publishedFiles'>;
type IdAt = Parameters<typeof changedNote>[1];

/**
 * The event with the words for one commit message of `memory`. Where a machine-local note is part of it, title and project
 * are those of the portable files that it changes, the reason stays here, and so do the ids of notes that are nowhere
 * else. `notes` are as they were before the event.
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
    // Its other half told of a machine-local note, and its words are repeated.
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

/** A verdict on a conflict says nothing of the notes. */
const withoutReason = (event: DecidedEvent): DecidedEvent =>
  event.kind === 'conflict.resolved' ? event : { ...event, reason: undefined };

/** The portable file of each note that is written or taken away: as it is written, else as it was. */
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

/** Of a machine-local note's portable file only what the remote has: another one was committed by hand, with its title. */
const fileBefore = (notes: Notes, id: string): NoteFile | undefined => {
  const known = notes.find(id);
  if (known?.place.journal === 'portable') return known.file;
  const copy = known?.copies.find(({ journal }) => journal === 'portable');
  return notes.publishedFiles(id).some(({ blob }) => blob === copy?.blob) ? copy?.file : undefined;
};

/** The verdict or the kind of what is undone, which these begin with; elsewhere the subject is a title from its beginning. */
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
