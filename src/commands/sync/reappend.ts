/**
 * Our unpublished events again, on top of what others published meanwhile: note by note, merged where both sides changed
 * one. Pure.
 */
import type { JournalEvent } from '../../events/event.js';
import type { ImportedChange, NewCommit } from '../../events/fast-import.js';
import type { PathChange } from '../../events/git-log.js';
import { toLoggedEvent } from '../../events/logged-event.js';
import { formatLost } from '../../events/lost-values.js';
import type { BlobId, NoteId } from '../../events/note.js';
import { idOfPath, isNotePath } from '../../events/paths.js';
import { redact } from '../../events/redact.js';
import { formatTime } from '../../events/time.js';
import { formatMessage } from '../../events/trailers.js';
import { derivedUlid } from '../../events/ulid-form.js';
import type { UnpublishedCommit } from '../../events/unpublished.js';
import { type ContestedNote, mergeEvent, type NoteLine } from './merge-event.js';
import { mergeOther, type OtherFile } from './merge-other.js';
import { redactBytes } from './redact-bytes.js';

/** What the plan is made from. Every content it may need is in `bytes`. */
export type Reappending = {
  readonly commits: readonly UnpublishedCommit[];
  /** Ids of the events that are upstream already. */
  readonly published: ReadonlySet<string>;
  /** Paths that upstream changed since the two lines parted, with what it has there now. */
  readonly upstream: ReadonlyMap<string, PathChange>;
  /** Files upstream of each note that both sides changed. */
  readonly filesUpstream: ReadonlyMap<NoteId, ReadonlyMap<string, BlobId>>;
  /** Newest event upstream of each such note: its id settles a tie. */
  readonly eventUpstream: ReadonlyMap<NoteId, string>;
  readonly bytes: ReadonlyMap<BlobId, Buffer>;
  /** Name for commits whose own machine is not known. */
  readonly machine: string;
};

export type Reappended = {
  readonly commits: readonly NewCommit[];
  /** Notes that both sides changed and that became one. */
  readonly merged: number;
  /** Notes whose texts clash: the other text is kept in a note of its own. */
  readonly conflicted: number;
};

export const planReappend = (asked: Reappending): Reappended => {
  const lines = new Map<NoteId, ContestedNote>();
  const others = new Map<string, OtherFile>();
  const merged = new Set<NoteId>();
  const conflicted = new Set<NoteId>();
  const commits: NewCommit[] = [];
  const lineOf = (id: NoteId): ContestedNote | undefined => {
    const files = asked.filesUpstream.get(id);
    if (files === undefined) return undefined;
    const line = lines.get(id) ?? { files: new Map(files), sibling: undefined };
    lines.set(id, line);
    return line;
  };

  for (const commit of asked.commits) {
    const { event, foreign } = toLoggedEvent(commit, () => notesOf(commit.changes));
    if (asked.published.has(event.id)) continue;
    const machine = event.machine === 'unknown' ? asked.machine : event.machine;
    const changes: ImportedChange[] = [];
    const conflicts: NoteLine[] = [];
    for (const [id, mine] of groupByNote(commit.changes)) {
      const line = id === undefined ? undefined : lineOf(id);
      if (id === undefined || line === undefined) {
        for (const change of mine) {
          const theirs = id === undefined ? asked.upstream.get(change.path) : undefined;
          changes.push(
            ...(theirs === undefined
              ? [plainChange(change, foreign, asked)]
              : mergeOther(others, change, theirs, asked.bytes, event.id)),
          );
        }
        continue;
      }
      const result = mergeEvent({
        id,
        event,
        foreign,
        epochMs: commit.epochMs,
        changes: mine,
        line,
        bytes: asked.bytes,
        eventUpstream: asked.eventUpstream.get(id) ?? '',
      });
      lines.set(id, result.line);
      changes.push(...result.changes);
      if (result.merged) merged.add(id);
      if (result.conflict !== undefined) conflicts.push(result.conflict);
      if (result.conflict?.sibling !== undefined) conflicted.add(id);
    }
    // A commit of ours keeps its message as it is, with trailers that a newer version may have written.
    const message = foreign
      ? formatMessage({ ...event, machine, subject: redact(event.subject).text })
      : `${commit.message.trimEnd()}\n`;
    commits.push({ message, machine, epochMs: commit.epochMs, changes });
    for (const conflict of conflicts) commits.push(conflictCommit(conflict, event, machine, commit.epochMs));
  }
  return { commits, merged: merged.size, conflicted: conflicted.size };
};

const notesOf = (changes: readonly PathChange[]): readonly NoteId[] => [
  ...new Set(changes.filter(({ path }) => isNotePath(path)).map(({ path }) => idOfPath(path))),
];

/** Files of one note together; what is no note comes under undefined. */
const groupByNote = (changes: readonly PathChange[]): ReadonlyMap<NoteId | undefined, readonly PathChange[]> => {
  const groups = new Map<NoteId | undefined, PathChange[]>();
  for (const change of changes) {
    const id = isNotePath(change.path) ? idOfPath(change.path) : undefined;
    const group = groups.get(id) ?? [];
    group.push(change);
    groups.set(id, group);
  }
  return groups;
};

/** A person's commit may hold a secret, which must not leave the machine: its notes go by content, to be masked. */
const plainChange = (
  { path, after, afterMode }: PathChange,
  foreign: boolean,
  { bytes }: Reappending,
): ImportedChange => {
  if (after === undefined) return { path, bytes: undefined };
  const content = foreign && isNotePath(path) ? bytes.get(after) : undefined;
  return content === undefined ? { path, blob: after, mode: afterMode } : { path, bytes: redactBytes(content, path) };
};

const conflictCommit = (
  { id, title, sibling, lost }: NoteLine,
  event: JournalEvent,
  machine: string,
  epochMs: number,
): NewCommit => {
  const notes = sibling === undefined ? [id] : [id, sibling.id];
  const message = formatMessage({
    id: derivedUlid(epochMs, 'conflict.recorded', event.id, id),
    kind: 'conflict.recorded',
    at: formatTime(epochMs),
    machine,
    subject: title,
    notes,
    project: event.project,
    reason: sibling === undefined ? 'both sides set the same value' : 'both sides changed the same lines',
    lost: lost.length === 0 ? undefined : lost.map((one) => formatLost({ noteId: id, ...one })),
  });
  return {
    message,
    machine,
    epochMs,
    changes: sibling === undefined ? [] : [{ path: sibling.path, bytes: sibling.bytes }],
  };
};
