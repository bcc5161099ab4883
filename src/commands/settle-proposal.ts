/** Settles a proposal as a person decided. Pure. */
import { type NoteId, shownTitle } from '../events/note/note.js';
import { formatNoteFile, isEditable, setNoteFields } from '../events/note/note-file.js';
import { formatTime } from '../events/time.js';
import { type Decide, type DecidedEvent, type Handler, quiet, record, refuse, removeNote } from './command.js';
import { notEditable, noteForgotten, noteUnknown } from './refusals.js';
import { decideSupersede } from './supersede.js';

/** A person's verdict on a proposal; `forget` also forgets the note that made it. */
export type SettleProposal = {
  readonly kind: 'settle-proposal';
  readonly id: NoteId;
  /** The note that it would supersede; left out, the note itself is the proposal. */
  readonly older?: NoteId | undefined;
  readonly verdict: 'accept' | 'keep-both' | 'forget';
};

/** Quiet when it is no such proposal any more. Any verdict that keeps the note unmarks it: a person has read it. */
const decideProposal: Decide<SettleProposal> = ({ id, older, verdict }, notes, stamp) => {
  const known = notes.find(id);
  if (known === undefined) {
    if (verdict === 'forget' && notes.wasThere(id)) return quiet(undefined);
    return refuse(notes.wasThere(id) ? noteForgotten(id) : noteUnknown(id));
  }
  const { note } = known.file;
  if (older === undefined ? note.untrusted !== true : !note.proposes.includes(older)) {
    const isAccepted = verdict === 'accept' && (older === undefined || note.supersedes.includes(older));
    const missing = older === undefined ? 'is no proposal' : `does not propose to supersede ${older}`;
    return quiet(id, isAccepted ? [] : [`note ${id} ${missing}`]);
  }
  if (verdict === 'accept' && older !== undefined) {
    const superseding = decideSupersede({ kind: 'supersede', ids: [older], by: id }, notes, stamp);
    if (superseding.kind === 'refuse') return superseding;
  }
  const { journal, path } = known.place;
  const isOlderKnown = older !== undefined && (notes.find(older) !== undefined || notes.wasThere(older));
  const event: DecidedEvent = {
    kind: 'proposal.settled',
    subject: `${verdict}: ${shownTitle(note)}`,
    // A file written by hand may name something that was never a note, and an event must not make it look like one.
    notes: isOlderKnown ? [id, older] : [id],
    by: verdict === 'accept' ? id : undefined,
    reason: verdict,
    project: note.project,
  };
  if (verdict === 'forget') return record(event, removeNote(known), undefined);
  if (!isEditable(known.file)) return refuse(notEditable(id, path));
  const isSuperseding = verdict === 'accept' && older !== undefined;
  const after = setNoteFields(known.file, {
    untrusted: undefined,
    proposes: note.proposes.filter((one) => one !== older),
    ...(isSuperseding
      ? { supersedes: [...new Set([...note.supersedes, older])], updatedAt: formatTime(stamp.atMs) }
      : {}),
  });
  return record(event, [{ journal, path, bytes: formatNoteFile(after) }], id);
};

export const proposalHandler: Handler<SettleProposal> = {
  touches: ({ id, older }) => (older === undefined ? [id] : [id, older]),
  decide: decideProposal,
  noteOf: ({ id }) => id,
};
