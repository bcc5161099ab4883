/** Refusals of syncing: steps that need a person's decision. */

import type { JournalEvent } from '../events/event.js';
import type { NoteId } from '../events/note/note.js';
import { quoteTitle } from '../events/note/quoted-text.js';

/** What the new history says about itself: anyone who may push can claim it. */
export type RewriteClaims = {
  /** The purges that this machine doesn't know, newest last. */
  readonly purges: readonly JournalEvent[];
  /** Notes that a purge changed or removed. */
  readonly purged: ReadonlySet<NoteId>;
  /** Notes that an event which this machine lacks forgot or purged. */
  readonly gone: ReadonlySet<NoteId>;
};

/** Something must not be accepted, or must not leave this machine, without a person's decision. */
export class SyncRefused extends Error {
  constructor(
    readonly code:
      | 'remote-rewritten'
      | 'remote-lost'
      | 'remote-hostile'
      | 'secret-committed'
      | 'note-private'
      | 'unfit-commit',
    message: string,
    readonly next: string,
  ) {
    super(message);
  }
}

export const refuseLost = (shown: string): never => {
  throw new SyncRefused(
    'remote-lost',
    `${shown} has no main branch, though this machine has synced before`,
    "if it is new or was emptied on purpose, publish this machine's notes there: anamnesis sync --seed",
  );
};

export const refuseRolledBack = (shown: string): never => {
  throw new SyncRefused(
    'remote-rewritten',
    `the history of ${shown} was reset to an older state. Nothing was changed here`,
    'if that was intended, publish what this machine has beyond it: anamnesis sync --accept-rewrite',
  );
};

export const refuseRewritten = (shown: string, { purges, purged }: RewriteClaims): never => {
  const shownIds = [...purged].slice(0, maxNamed).join(', ');
  const more = purged.size > maxNamed ? ` and ${purged.size - maxNamed} more` : '';
  const last = purges.at(-1);
  const claim =
    last === undefined
      ? 'it names no purge'
      : `it says that ${last.machine} purged ${quoteTitle(last.subject)}${shownIds === '' ? '' : ` (${shownIds}${more})`}`;
  throw new SyncRefused(
    'remote-rewritten',
    `the history of ${shown} was rewritten: it does not contain what this machine synced; ${claim}. Nothing was changed here`,
    last === undefined
      ? 'if that was intended, take it, with what only this machine has on top: anamnesis sync --accept-rewrite'
      : 'if that was intended, take it, with what only this machine has on top, and erase the old history here: anamnesis sync --accept-rewrite --drop-old',
  );
};

const maxNamed = 3;

export const refuseHostile = (shown: string, why: string): never => {
  throw new SyncRefused(
    'remote-hostile',
    `the contents of ${shown} were not accepted: ${why}. Nothing was changed here`,
    why.includes('not a commit')
      ? 'remove the branch main there, then run: anamnesis sync --seed; or give another address: anamnesis remote set ADDRESS'
      : 'inspect that repository with git; the next sync checks again',
  );
};
