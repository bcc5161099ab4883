/** Builds the event that records a purge, the newest commit of each journal that it changed. Pure. */
import { createHash } from '../events/hash.js';
import type { JournalName, NoteId } from '../events/note/note.js';
import { redact } from '../events/note/redact.js';
import { formatTime } from '../events/time.js';
import { derivedUlid } from '../events/ulid-form.js';
import { type PurgeWhat, patternOf, recordedTexts } from './rule/asked.js';
import { fingerprintOf } from './rule/fingerprint.js';
import { purgeText, type TextMatcher } from './rule/matcher.js';
import { formatPurge } from './rule/record.js';

export type PurgeFacts = {
  /** Id of the purge, the same in both journals. */
  readonly purge: string;
  readonly atMs: number;
  readonly machine: string;
  readonly user: string;
  readonly what: PurgeWhat;
  readonly reason: string | undefined;
  readonly matcher: TextMatcher | undefined;
  /** As written where they were found. */
  readonly texts: readonly string[];
  readonly journal: JournalName;
  readonly oldHead: string;
  /** Notes of this journal. */
  readonly notes: readonly NoteId[];
  readonly places: number;
};

/** Returns the event's commit message. The reason is purged and masked too. */
export const describePurge = (facts: PurgeFacts): string => {
  const { purge, atMs, machine, user, what, reason, matcher, journal, oldHead, places } = facts;
  const notes = facts.notes.toSorted().slice(0, maxNotes);
  const clean = reason === undefined || matcher === undefined ? reason : purgeText(reason, matcher).text;
  const count = facts.notes.length;
  return formatPurge(
    {
      id: journal === 'portable' ? purge : derivedUlid(atMs, 'other-journal', purge),
      kind: 'notes.purged',
      at: formatTime(atMs),
      machine,
      user,
      subject: what.kind === 'note' ? `note ${what.id}` : `a text in ${count === 1 ? '1 note' : `${count} notes`}`,
      notes: what.kind === 'note' ? [what.id] : notes,
      reason: clean === undefined ? undefined : redact(clean).text,
      commandId: purge,
    },
    {
      purge,
      oldHead,
      notes: what.kind === 'note' ? [what.id] : [],
      texts: recordedTexts(what, facts.texts).map((text) => fingerprintOf(purge, text)),
      pattern: what.kind === 'pattern' ? saltedHash(purge, patternOf(what).source) : undefined,
      places,
    },
  );
};

/** At most this many notes show the event in their history; the others show only that their texts changed. */
const maxNotes = 500;

const saltedHash = (salt: string, text: string): string =>
  createHash('sha256').update(`${salt}\0${text}`).digest('hex');
