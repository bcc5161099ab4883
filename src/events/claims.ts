/** Checks what a commit claims: a synced repository is untrusted. Refs, paths and lines come only from this. Pure. */

import { type ClaimedEvent, type JournalEvent, toJournalEvent, unknownMachine } from './event.js';
import { isObjectId } from './note/blob-id.js';
import { journalFolder } from './note/note.js';
import { isNotePath } from './note/paths.js';
import { formatTime, parseTime } from './time.js';
import { isUlid } from './ulid-form.js';

export const isMachineName = (text: string): boolean => machineName.test(text);
const machineName = /^[A-Za-z0-9._-]{1,64}$/;

/** The event without its invalid fields; undefined when its id, kind, time or a note id is invalid. */
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
    base: validOf(claimed.base, isObjectId),
    ours: claimed.ours !== undefined && isObjectId(claimed.ours) ? claimed.ours : undefined,
    theirs: claimed.theirs !== undefined && isObjectId(claimed.theirs) ? claimed.theirs : undefined,
    returned: validOf(claimed.returned, isUlid),
  });
};

/** Converts the seconds that git prints for a commit to epoch milliseconds. Capped: a commit can claim any number. */
export const claimedEpochMs = (seconds: string): number =>
  /^\d{1,20}$/.test(seconds) ? Math.min(Number(seconds) * 1000, maxEpochMs) : 0;

/** The last time that fits into a ULID; ids of later commits use it too. */
const maxEpochMs = 2 ** 48 - 1;

/** Makes text safe to show: each run of control characters, line separators or lone surrogates becomes one space. */
export const claimedText = (text: string): string => text.replace(unprintable, ' ');
const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029]+/gu;

/** Matches the kinds of newer versions too, which look like ours. */
const eventKind = /^[a-z][a-z0-9-]{0,30}(?:\.[a-z][a-z0-9-]{0,30}){0,3}$/;

const idOf = (text: string | undefined): string | undefined => (text !== undefined && isUlid(text) ? text : undefined);

/** Names and keys are compared exactly, so an unsafe or overlong one is dropped rather than cleaned or cut. */
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
