/** Brings an index from its checkpoint to a journal's head: applies the difference in one transaction. */
import type Database from 'better-sqlite3';
import type { RecordedEvent } from '../events/event.js';
import type { Difference, Journal, PathChange, Steps } from '../events/journal.js';
import type { LoggedEvent } from '../events/logged-event.js';
import { type BlobId, type JournalName, maxFileBytes } from '../events/note/note.js';
import { parseNoteFile, unreadFile } from '../events/note/note-file.js';
import { heldAtOnce } from '../events/read-in-batches.js';
import { readVersion } from '../events/worktree/working-tree.js';
import { checkpointOf, setCheckpoint } from './checkpoint.js';
import { depthOf } from './history/event-history.js';
import { projectNote } from './note-row.js';
import { NeedsReplay } from './projection.js';
import { calibrateSmall } from './recall/calibrating.js';
import { beginFold, type Fold } from './registry.js';

/** Thrown when so many notes changed that a replay, which uses all cores, is faster. */
export class TooMuchToCatchUp extends Error {}

/** Measured: a replay of 10,000 notes takes 0.6 s, as long as about 5,000 changes applied one by one. */
const maxChanges = 5000;

/**
 * Contents come from the working tree where it has them. `isForward`: true if `to` descends from `from` and the tree is
 * behind, false if it doesn't descend, undefined if neither is known. Throws TooMuchToCatchUp.
 */
export const readDifference = async (
  journal: Journal,
  from: string | undefined,
  to: string,
  isForward?: boolean,
): Promise<Difference> => {
  const { changes, events, dropped } = await readSteps(journal, from, to, isForward);
  if (changes.length > maxChanges) throw new TooMuchToCatchUp(`${changes.length} files changed: a replay is faster`);
  const bytes = new Map<BlobId, Buffer>();
  const missing: BlobId[] = [];
  let held = 0;
  for (const { path, after } of changes) {
    if (after === undefined || bytes.has(after)) continue;
    // A sync checks out the files that it pulled only after this.
    const content = isForward === true ? undefined : readVersion(journal.folder, path, after);
    if (content === undefined) missing.push(after);
    else {
      bytes.set(after, content);
      held += content.length;
    }
    if (held > heldAtOnce) throw new TooMuchToCatchUp('the changed files are too large to hold in memory');
  }
  if (missing.length > 0) for (const [id, content] of await journal.blobs(missing, heldAtOnce)) bytes.set(id, content);
  const unread = missing.filter((id) => !bytes.has(id));
  const tooLarge = unread.length === 0 ? undefined : await journal.sizes(unread);
  if (tooLarge !== undefined && [...tooLarge.values()].some((size) => size <= maxFileBytes))
    throw new TooMuchToCatchUp('the changed files are too large to hold in memory');
  return { journal: journal.name, from, to, changes, bytes, tooLarge, events, dropped };
};

/** Beyond this many commits, comparing the two trees is cheaper than reading what each commit changed. */
const maxSteps = 50;

const readSteps = async (
  journal: Journal,
  from: string | undefined,
  to: string,
  isForward: boolean | undefined,
): Promise<Steps & Pick<Difference, 'dropped'>> => {
  if (isForward === true) {
    const [changes, events] = await Promise.all([journal.diff(from, to), journal.events(from, to, true)]);
    return { changes, events };
  }
  const mayBeLine = isForward === undefined && from !== undefined;
  const steps = mayBeLine ? await journal.steps(from, to, maxSteps) : undefined;
  if (steps !== undefined) return steps;
  const [changes, events, dropped] = await Promise.all([
    journal.diff(from, to),
    journal.events(from, to),
    from === undefined ? [] : journal.events(to, from),
  ]);
  return { changes, events, dropped };
};

/**
 * Returns 'moved' if the index is no longer at `from`, and 'replay' for too many files or events that don't continue
 * the index's: after history was rewritten, or when a commit carries another's event id.
 */
export const applyDifference = (
  database: Database.Database,
  difference: Difference,
): 'applied' | 'moved' | 'replay' => {
  const { journal, from, to, changes, events, dropped = [] } = difference;
  // An import of 20,000 notes: each word of each note would be counted in the vocabulary on its own.
  if (changes.length > maxChanges) return 'replay';
  const apply = database.transaction((): 'applied' | 'moved' => {
    if (checkpointOf(database, journal) !== from) return 'moved';
    const recorded = addDepths(database, journal, dropped.length > 0 ? undefined : from, events);
    const fold = beginFold(database, 'catch-up');
    for (const { event, commit } of dropped) fold.removeEvent({ ...event, journal, commit });
    for (const change of changes) applyChange(fold, difference, change);
    for (const event of recorded) fold.addEvent(event);
    fold.finish();
    calibrateSmall(database);
    setCheckpoint(database, journal, to);
    return 'applied';
  });
  try {
    return apply.immediate();
  } catch (error) {
    if (error instanceof NeedsReplay) return 'replay';
    throw error;
  }
};

const applyChange = (fold: Fold, { journal, bytes, tooLarge }: Difference, { path, after }: PathChange): void => {
  fold.remove(journal, path);
  if (after === undefined) return;
  const content = bytes.get(after);
  const parsed = content === undefined ? unreadFile(path, tooLarge?.get(after)) : parseNoteFile(content, journal, path);
  fold.insert(projectNote(parsed, journal, path, after));
};

/** Throws NeedsReplay when the events do not continue those in the index. */
const addDepths = (
  database: Database.Database,
  journal: JournalName,
  from: string | undefined,
  events: readonly LoggedEvent[],
): readonly RecordedEvent[] => {
  const isContinued = from === undefined || events.some(({ parents }) => parents.includes(from));
  const recorded = isContinued
    ? recordEvents(journal, events, (commit) => depthOf(database, journal, commit))
    : undefined;
  if (recorded === undefined) throw new NeedsReplay('the new events do not continue those in the index');
  return recorded;
};

/** Adds each commit's depth; undefined when a parent is neither among the events nor known. */
export const recordEvents = (
  journal: JournalName,
  events: readonly LoggedEvent[],
  knownDepth: (commit: string) => number | undefined,
): RecordedEvent[] | undefined => {
  const depthByCommit = new Map<string, number>();
  const recorded: RecordedEvent[] = [];
  for (const { event, commit, parents } of events) {
    let depth = 1;
    for (const parent of parents) {
      const above = depthByCommit.get(parent) ?? knownDepth(parent);
      if (above === undefined) return undefined;
      depth = Math.max(depth, above + 1);
    }
    depthByCommit.set(commit, depth);
    recorded.push({ ...event, journal, commit, depth });
  }
  return recorded;
};
