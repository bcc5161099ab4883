/**
 * Plans how our unpublished events are appended again on top of what others published meanwhile: note by note, merged
 * where both sides changed one. Pure.
 */

import type { JournalEvent } from '../../events/event.js';
import { isMerge } from '../../events/git/git-log.js';
import { groupBy } from '../../events/group-by.js';
import type { ImportedChange, NewCommit, PathChange, TreeEntry } from '../../events/journal.js';
import { notesAt, toLoggedEvent } from '../../events/logged-event.js';
import { formatLost } from '../../events/note/lost-values.js';
import type { BlobId, NoteId } from '../../events/note/note.js';
import { redact } from '../../events/note/redact.js';
import { formatTime } from '../../events/time.js';
import { formatMessage } from '../../events/trailers.js';
import { redactMessage } from '../redact-message.js';
import { eventIdOf, type ToAppend } from '../reused-events.js';
import { clashId } from './clash-id.js';
import { mergeDecision } from './merge-decision.js';
import { type ContestedNote, mergeEvent, type NoteLine } from './merge-event.js';
import { mergeOther, mergeOtherDecision, type OtherFile } from './merge-other.js';
import { notesOfChange, type StatedIds, splitByNote } from './note-of-change.js';
import { openPathSolver, type SolvePaths } from './path-collisions.js';
import { type Holders, joinChanges, type MergedNote, settlePlaces } from './places.js';

/** Input of the plan. Every content it may need is in `bytes`. */
export type Reappending = {
  /** Our commits, without those whose events are upstream already. */
  readonly commits: readonly ToAppend[];
  /** Paths that upstream changed since the two lines diverged, with what it has there now. */
  readonly upstream: ReadonlyMap<string, PathChange>;
  /** Upstream's files of each note that both sides changed. */
  readonly filesUpstream: ReadonlyMap<NoteId, ReadonlyMap<string, BlobId>>;
  /** The files of those notes when the lines diverged. */
  readonly filesBefore: ReadonlyMap<NoteId, ReadonlyMap<string, BlobId>>;
  /** Earlier versions of those notes: an additional file that equals one of them adds nothing. */
  readonly earlier: ReadonlySet<BlobId>;
  /** Ids of the files that are, or were, in another note's place. */
  readonly stated: StatedIds;
  /** Whether any other note has that path upstream, or will have it by a commit of ours. */
  readonly isTaken: (path: string) => boolean;
  /** All files upstream; undefined if no file can collide with a folder of its name. */
  readonly entriesUpstream: readonly TreeEntry[] | undefined;
  /** The newest upstream event of each note that both sides changed: its id settles a tie. */
  readonly eventUpstream: ReadonlyMap<NoteId, string>;
  readonly bytes: ReadonlyMap<BlobId, Buffer>;
  /** Masked forms of contents that contain a secret; `bytes` has these forms too. */
  readonly masked: ReadonlyMap<BlobId, Buffer>;
  /** Machine name for commits whose own machine is not known. */
  readonly machine: string;
};

export type Reappended = {
  readonly commits: readonly NewCommit[];
  /** Notes that both sides changed and that were merged. */
  readonly merged: number;
  /** Notes whose texts clash: the other text is kept in a separate note. */
  readonly conflicted: number;
};

export const planReappend = (asked: Reappending): Reappended => {
  const { stated } = asked;
  const lines = new Map<NoteId, ContestedNote>();
  const holders: Holders = new Map();
  for (const [id, files] of asked.filesUpstream) for (const path of files.keys()) holders.set(path, id);
  const others = new Map<string, OtherFile>();
  const merged = new Set<NoteId>();
  const conflicted = new Set<NoteId>();
  const events = new Set(asked.commits.map(eventIdOf));
  const commits: NewCommit[] = [];
  const solvePaths: SolvePaths =
    asked.entriesUpstream === undefined ? (changes) => changes : openPathSolver(asked.entriesUpstream);
  const firstLine = (id: NoteId): ContestedNote | undefined => {
    const files = asked.filesUpstream.get(id);
    return files && { files, siblings: new Map(), own: asked.filesBefore.get(id) ?? new Map() };
  };
  /** Our own tree, as far as commits changed it; undefined for a path that was removed. */
  const tree = new Map<string, BlobId | undefined>();

  for (const commit of asked.commits) {
    // Masked as a whole, before the subject is truncated.
    const clean = redactMessage(commit.message);
    const { event: claimed, foreign } = toLoggedEvent({ ...commit, message: clean }, []);
    const event = foreign ? { ...claimed, notes: notesOf(commit.changes, stated) } : claimed;
    const machine = event.machine === 'unknown' ? asked.machine : event.machine;
    const decides = isMerge(commit);
    const plain: ImportedChange[] = [];
    const contested: MergedNote[] = [];
    const split = splitByNote(commit.changes, stated, (id) => asked.filesUpstream.has(id));
    for (const [id, group] of groupBy(split, (one) => one.id)) {
      const mine = group.map(({ change }) => change);
      const first = id === undefined ? undefined : firstLine(id);
      if (id === undefined || first === undefined) {
        for (const change of mine) {
          const theirs = id === undefined ? asked.upstream.get(change.path) : undefined;
          const now = tree.has(change.path) ? tree.get(change.path) : change.before;
          if (theirs !== undefined)
            plain.push(...(decides ? mergeOtherDecision : mergeOther)(others, change, theirs, asked.bytes, event.id));
          else if (!decides || now !== change.after) plain.push(plainChange(change, asked.masked));
          tree.set(change.path, change.after);
        }
        continue;
      }
      const line = lines.get(id) ?? first;
      const result = (decides ? mergeDecision(line, first) : mergeEvent)({
        id,
        event,
        epochMs: commit.epochMs,
        changes: mine,
        line,
        bytes: asked.bytes,
        masked: asked.masked,
        earlier: asked.earlier,
        eventUpstream: asked.eventUpstream.get(id) ?? '',
      });
      contested.push({ id, before: line, result });
    }
    const placed = settlePlaces(contested, holders, asked.isTaken);
    for (const { id, result } of placed) {
      lines.set(id, result.line);
      if (result.merged) merged.add(id);
      if (result.conflict !== undefined && result.conflict.siblings.length > 0) conflicted.add(id);
    }
    const changes = solvePaths(joinChanges([plain, ...placed.map(({ result }) => result.changes)]));
    const conflicts = placed.flatMap(({ result }) => result.conflict ?? []);
    if (commit.mayBeThere === true && changes.length + conflicts.length === 0) continue;
    const copies = copiesChangedBy(placed, event.notes);
    // A commit of ours keeps its message, with trailers that a newer version may have written.
    const message = foreign
      ? formatMessage({ ...event, machine, notes: [...event.notes, ...copies], subject: redact(event.subject).text })
      : `${clean.trimEnd()}\n${copies.map((id) => `Note: ${id}\n`).join('')}`;
    commits.push({ message, machine, epochMs: commit.epochMs, changes });
    for (const conflict of conflicts) {
      const eventId = freeClashId(commit.epochMs, event.id, conflict.id, events);
      const recorded = conflictCommit(eventId, conflict, event, machine, commit.epochMs);
      commits.push({ ...recorded, changes: solvePaths(recorded.changes) });
    }
  }
  return { commits, merged: merged.size, conflicted: conflicted.size };
};

/** Finds clash copies that change with an event's note. The event must name them, or their changes count as foreign. */
const copiesChangedBy = (merged: readonly MergedNote[], named: readonly NoteId[]): readonly NoteId[] => {
  const copies = new Set(
    merged.flatMap(({ before, result }) =>
      [...before.siblings.values(), ...result.line.siblings.values()].map(({ id }) => id),
    ),
  );
  const changed = notesAt(merged.flatMap(({ result }) => result.changes));
  return changed.filter((id) => copies.has(id) && !named.includes(id));
};

const notesOf = (changes: readonly PathChange[], stated: StatedIds): readonly NoteId[] => [
  ...new Set(changes.flatMap((change) => notesOfChange(change, stated))),
];

const plainChange = ({ path, after, afterMode }: PathChange, masked: ReadonlyMap<BlobId, Buffer>): ImportedChange => {
  const bytes = after === undefined ? undefined : masked.get(after);
  return after === undefined || bytes !== undefined ? { path, bytes } : { path, blob: after, mode: afterMode };
};

/** A failed push may have left the record of an earlier clash of the same event among our commits. */
const freeClashId = (epochMs: number, event: string, note: NoteId, taken: Set<string>): string => {
  let round = 1;
  while (taken.has(clashId(epochMs, event, note, round))) round += 1;
  const id = clashId(epochMs, event, note, round);
  taken.add(id);
  return id;
};

const conflictCommit = (
  eventId: string,
  { id, title, siblings, lost }: NoteLine,
  event: JournalEvent,
  machine: string,
  epochMs: number,
): NewCommit => {
  const notes = [id, ...siblings.map((sibling) => sibling.id)];
  const message = formatMessage({
    id: eventId,
    kind: 'conflict.recorded',
    at: formatTime(epochMs),
    machine,
    subject: title,
    notes,
    project: event.project,
    reason:
      siblings.length === 0
        ? 'both sides set the same field, to different values'
        : 'both sides changed the same lines',
    lost: lost.length === 0 ? undefined : lost.map((one) => formatLost({ noteId: id, ...one })),
  });
  return {
    message,
    machine,
    epochMs,
    changes: siblings.map(({ path, bytes }) => ({ path, bytes })),
  };
};
