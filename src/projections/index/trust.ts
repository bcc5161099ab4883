/** Decides by a note's origin whether it is offered to an agent unasked, and how it is marked when found. Pure. */
import { type Note, nobodysUser } from '../../events/note/note.js';
import type { Condition } from './query.js';

/** `own`: their agents' and machines' too. `foreign`: another user's. `unreviewed`: imported or not plainly typed. */
type Origin = 'own' | 'foreign' | 'unreviewed';

const rights: Readonly<Record<Origin, { readonly isOffered: boolean; readonly mark: string | undefined }>> = {
  own: { isOffered: true, mark: undefined },
  foreign: { isOffered: false, mark: 'by another user of the shared remote: agents are not offered it' },
  unreviewed: { isOffered: false, mark: 'not reviewed: agents are not offered it (anamnesis review)' },
};

/** Whose store it is; `isShared` if the remote is several people's, each of whom has a user of their own. */
export type Owner = { readonly user: string; readonly machine: string; readonly isShared?: boolean | undefined };

type Sourced = Pick<Note, 'untrusted' | 'userId' | 'machineId'>;

const originOf = ({ untrusted, userId, machineId }: Sourced, { user, machine, isShared }: Owner): Origin => {
  if (untrusted === true) return 'unreviewed';
  // Before the remote was shared, this machine's notes named no user.
  const isOwn = userId === user || (userId === nobodysUser && machineId === machine);
  return isShared === true && !isOwn ? 'foreign' : 'own';
};

export const isOffered = (note: Sourced, owner: Owner): boolean => rights[originOf(note, owner)].isOffered;

/** Returns the mark to show beside a note that was found. */
export const markOf = (note: Sourced, owner: Owner): string | undefined => rights[originOf(note, owner)].mark;

/** Holds for the notes `n` that `isOffered`. */
export const offeredCondition = (owner: Owner | undefined): Condition => {
  const parts: string[] = rights.unreviewed.isOffered ? [] : ['n.untrusted = 0'];
  if (owner?.isShared !== true || rights.foreign.isOffered) return { sql: parts.join(' AND ') || '1', args: [] };
  parts.push('(n.user_id = ? OR (n.user_id = ? AND n.machine_id = ?))');
  return { sql: parts.join(' AND '), args: [owner.user, nobodysUser, owner.machine] };
};
