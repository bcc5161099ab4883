/** Keeps private note ids out of portable proposals, and warns if a portable note supersedes one. Pure. */

import type { NoteId } from '../../events/note/note.js';
import { formatNoteFile, parseNoteFile, setNoteFields } from '../../events/note/note-file.js';
import type { DecidedEvent, Decision, KnownNotes } from '../command.js';

type Recorded = Extract<Decision, { kind: 'record' }>;
type Notes = Pick<KnownNotes, 'find' | 'lost' | 'isPrivate'>;

/**
 * Returns the decision without new proposals about private notes in portable files: the id would be synced to machines
 * where it means nothing. What a file proposed before is already published, and stays.
 */
export const withoutPrivateProposals = (decision: Decision, notes: Notes): Decision => {
  if (decision.kind !== 'record') return decision;
  const hidden = new Map<NoteId, readonly NoteId[]>();
  const named: string[] = [];
  const changes = decision.changes.map((change) => {
    const { journal, path, bytes } = change;
    // An import may contain thousands of notes, and few propose or supersede anything.
    if (journal !== 'portable' || bytes === undefined || !/(?:proposes|supersedes):/.test(bytes.toString('latin1')))
      return change;
    const parsed = parseNoteFile(bytes, journal, path);
    if (!parsed.ok) return change;
    const { id, proposes, supersedes } = parsed.file.note;
    const replaced = namedBefore(notes, id, 'supersedes');
    for (const older of supersedes)
      if (!replaced.includes(older) && notes.isPrivate(older)) named.push(sayNamed(id, older));
    const before = namedBefore(notes, id, 'proposes');
    const dropped = proposes.filter((older) => !before.includes(older) && notes.isPrivate(older));
    if (dropped.length === 0) return change;
    hidden.set(id, dropped);
    const kept = proposes.filter((older) => !dropped.includes(older));
    return { ...change, bytes: formatNoteFile(setNoteFields(parsed.file, { proposes: kept })) };
  });
  if (hidden.size === 0)
    return named.length === 0 ? decision : { ...decision, warnings: [...decision.warnings, ...named] };
  return {
    ...decision,
    event: eventWithout(decision.event, [...hidden.values()].flat()),
    changes,
    warnings: [
      ...decision.warnings,
      ...named,
      ...[...hidden].flatMap(([id, dropped]) => dropped.map((older) => say(id, older))),
    ],
  };
};

const namedBefore = (notes: Notes, id: NoteId, key: 'proposes' | 'supersedes'): readonly NoteId[] => {
  const known = notes.find(id);
  const lost = known === undefined ? notes.lost(id) : undefined;
  const files = [known, ...(known?.copies ?? []).map((copy) => ({ place: copy, file: copy.file })), lost];
  return files.flatMap((one) => (one?.place.journal === 'portable' ? (one.file?.note[key] ?? []) : []));
};

/** A note whose proposals were all dropped was only written. */
const eventWithout = (event: DecidedEvent, hidden: readonly NoteId[]): Recorded['event'] => {
  if (event.kind !== 'proposal.made') return event;
  const notes = event.notes.filter((id) => !hidden.includes(id));
  return { ...event, kind: notes.length > 1 ? 'proposal.made' : 'note.written', notes };
};

const sayNamed = (id: NoteId, older: NoteId): string =>
  `note ${id} supersedes ${older}, which stays machine-local: only its id is synced`;

const say = (id: NoteId, older: NoteId): string =>
  `note ${id} does not propose to replace ${older}: that one is machine-local, and its id would be synced; ` +
  `if it no longer holds: anamnesis forget ${older}`;
