/**
 * A commit's words about itself are a claim of whoever made it: a synced repository is somebody else's input. Every field
 * passes here when the commit is read, so that no name, ref, path or line of a stream is ever made of anything else. Pure.
 */

import { type ClaimedEvent, type JournalEvent, toJournalEvent, unknownMachine } from './event.js';
import { journalFolder } from './note/note.js';
import { isNotePath } from './note/paths.js';
import { formatTime, parseTime } from './time.js';
import { isUlid } from './ulid-form.js';

export const isMachineName = (text: string): boolean => machineName.test(text);
const machineName = /^[A-Za-z0-9._-]{1,64}$/;

export const isObjectId = (text: string): boolean => objectId.test(text);
const objectId = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/**
 * The event with all that is not valid left out. Undefined where what is left would be no event: without a valid id, kind
 * or time, or with a note that is none.
 */
export const checkClaims = (claimed: ClaimedEvent): JournalEvent | undefined => {
  const { id, kind, notes } = claimed;
  const at = parseTime(claimed.at);
  if (!isUlid(id) || !eventKind.test(kind) || at === undefined || !notes.every(isUlid)) return undefined;
  return toJournalEvent({
    id,
    kind,
    at: formatTime(at),
    machine: isMachineName(claimed.machine) ? claimed.machine : unknownMachine,
    subject: claimed.subject,
    notes,
    by: idOf(claimed.by),
    reason: claimed.reason === undefined ? undefined : claimedText(claimed.reason),
    user: nameOf(claimed.user),
    project: nameOf(claimed.project),
    session: nameOf(claimed.session),
    agent: nameOf(claimed.agent),
    commandId: nameOf(claimed.commandId),
    move: claimed.move !== undefined && isMove(claimed.move) ? claimed.move : undefined,
    lost: validOf(claimed.lost, isLost),
    adopted: validOf(claimed.adopted, isVersion),
    undoes: idOf(claimed.undoes),
  });
};

/** Epoch milliseconds of what git prints as a commit's seconds; a commit can claim more than any clock can show. */
export const claimedEpochMs = (seconds: string): number =>
  /^\d{1,20}$/.test(seconds) ? Math.min(Number(seconds) * 1000, maxEpochMs) : 0;

/** Of a ULID; what is later has no other id than this. */
const maxEpochMs = 2 ** 48 - 1;

/** Text for people: on one line, without what steers a terminal or ends a line. */
export const claimedText = (text: string): string => text.replace(unprintable, ' ');
const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029]+/gu;

/** A kind that a newer version made looks like ours. */
const eventKind = /^[a-z][a-z0-9-]{0,30}(?:\.[a-z][a-z0-9-]{0,30}){0,3}$/;

const idOf = (text: string | undefined): string | undefined => (text !== undefined && isUlid(text) ? text : undefined);

/** Names and keys are compared as they are, so that one that is not whole is none. */
const nameOf = (text: string | undefined): string | undefined =>
  text !== undefined && text.length <= maxNameUnits && text === claimedText(text) ? text : undefined;
const maxNameUnits = 1000;

/** `<journal> <blob> <path>` */
const isMove = (text: string): boolean => {
  const space = text.indexOf(' ');
  return (
    Object.values(journalFolder).some((folder) => folder === text.slice(0, space)) && isVersion(text.slice(space + 1))
  );
};

/** `<blob> <path>` */
const isVersion = (text: string): boolean => {
  const space = text.indexOf(' ');
  return isObjectId(text.slice(0, space)) && isNotePath(text.slice(space + 1));
};

/** `<note id> <key> <JSON value>` */
const isLost = (text: string): boolean => {
  const [, id = '', key = '', json = ''] = /^(\S{26}) (\S{1,200}) (.+)$/s.exec(text) ?? [];
  if (!isUlid(id) || key !== claimedText(key)) return false;
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
};

const validOf = (
  texts: readonly string[] | undefined,
  isValid: (text: string) => boolean,
): readonly string[] | undefined => {
  const valid = texts?.filter(isValid) ?? [];
  return valid.length === 0 ? undefined : valid;
};
