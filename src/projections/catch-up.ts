/** Brings an index from its checkpoint to a journal's head: the difference of two commits, in one transaction. */
import type Database from 'better-sqlite3';
import type { RecordedEvent } from '../events/event.js';
import { heldAtOnce } from '../events/git/blob-stream.js';
import type { PathChange } from '../events/git/git-log.js';
import type { Steps } from '../events/git/journal-steps.js';
import type { Difference, Journal } from '../events/journal.js';
import type { LoggedEvent } from '../events/logged-event.js';
import { type BlobId, type JournalName, maxFileBytes } from '../events/note/note.js';
import { parseNoteFile, unreadFile } from '../events/note/note-file.js';
import { readNoteFile } from '../events/worktree/working-tree.js';
import { checkpointKey, checkpointOf } from './checkpoint.js';
import { projectNote } from './index/row.js';
import { type IndexWriter, openWriter } from './index/writer.js';

/** So many notes change that a replay, which uses all cores, takes less time. */
export class TooMuchToCatchUp extends Error {}

/** Measured: a replay of 10,000 notes takes 0.6 s, and so do about 5,000 changes one after the other. */
const maxChanges = 5000;

/**
 * Reads the difference from git; file contents come from the working tree where it holds them. With `isForward`, `to` is
 * known to continue `from`, and the working tree to be behind. Throws TooMuchToCatchUp before it reads any content.
 */
export const readDifference = async (
  journal: Journal,
  from: string | undefined,
  to: string,
  isForward = false,
): Promise<Difference> => {
  const { changes, events, dropped } = isForward
    ? await readForward(journal, from, to)
    : await readChanges(journal, from, to);
  if (changes.length > maxChanges) throw new TooMuchToCatchUp(`${changes.length} files changed: replaying is quicker`);
  const bytes = new Map<BlobId, Buffer>();
  const missing: BlobId[] = [];
  let held = 0;
  for (const { path, after } of changes) {
    if (after === undefined || bytes.has(after)) continue;
    // What a sync brings is checked out afterwards.
    const found = isForward ? undefined : readNoteFile(journal.folder, path, after);
    if (found?.kind === 'file' && found.row.blob === after) {
      bytes.set(after, found.bytes);
      held += found.bytes.length;
    } else missing.push(after);
    if (held > heldAtOnce) throw new TooMuchToCatchUp('more was written than is held in memory');
  }
  if (missing.length > 0) for (const [id, content] of await journal.blobs(missing, heldAtOnce)) bytes.set(id, content);
  const unread = missing.filter((id) => !bytes.has(id));
  const tooLarge = unread.length === 0 ? undefined : await journal.sizes(unread);
  if (tooLarge !== undefined && [...tooLarge.values()].some((size) => size <= maxFileBytes))
    throw new TooMuchToCatchUp('more was written than is held in memory');
  return { journal: journal.name, from, to, changes, bytes, tooLarge, events, dropped };
};

/** Beyond this many commits the difference of the two trees is cheaper than what each of them changed. */
const maxSteps = 50;

const readForward = async (
  journal: Journal,
  from: string | undefined,
  to: string,
): Promise<Steps & { dropped?: undefined }> => {
  const [changes, events] = await Promise.all([journal.diff(from, to), journal.events(from, to, true)]);
  return { changes, events };
};

const readChanges = async (
  journal: Journal,
  from: string | undefined,
  to: string,
): Promise<Steps & Pick<Difference, 'dropped'>> => {
  const steps = from === undefined ? undefined : await journal.steps(from, to, maxSteps);
  if (steps !== undefined) return steps;
  const [changes, events, dropped] = await Promise.all([
    journal.diff(from, to),
    journal.events(from, to),
    from === undefined ? [] : journal.events(to, from),
  ]);
  return { changes, events, dropped };
};

/**
 * Applies a difference. 'moved' when the index is not at `from` any more (another process was faster); 'replay' when
 * the difference does not continue what the index holds, which happens after history was rewritten from its beginning,
 * or when a commit carries an event id that another one has.
 */
export const applyDifference = (
  database: Database.Database,
  difference: Difference,
): 'applied' | 'moved' | 'replay' => {
  const { journal, from, to, changes, events, dropped = [] } = difference;
  const apply = database.transaction((): 'applied' | 'moved' | 'replay' => {
    if (checkpointOf(database, journal) !== from) return 'moved';
    const writer = writerOf(database);
    const recorded = addDepths(database, journal, dropped.length > 0 ? undefined : from, events);
    if (recorded === undefined) return 'replay';
    // Which of several commits is the event, and what the others are, is told in one place: where all of them are read.
    if (dropped.some(({ event }) => writer.countCommits(journal, event.id) > 1)) return 'replay';
    for (const { event, commit } of dropped) writer.removeEvent(journal, commit, event.notes);
    const affected: string[] = [];
    for (const change of changes) affected.push(...applyChange(writer, difference, change));
    for (const event of recorded) writer.addEvent(event);
    if (recorded.some(({ id }) => writer.countCommits(journal, id) > 1)) throw new EventRepeated();
    writer.refresh(affected);
    writer.setMeta(checkpointKey(journal), to);
    return 'applied';
  });
  try {
    return apply.immediate();
  } catch (error) {
    if (error instanceof EventRepeated) return 'replay';
    throw error;
  }
};

/** Thrown inside the transaction, to take it back. */
class EventRepeated extends Error {}

const writers = new WeakMap<Database.Database, IndexWriter>();

const writerOf = (database: Database.Database): IndexWriter => {
  const writer = writers.get(database) ?? openWriter(database);
  writers.set(database, writer);
  return writer;
};

const applyChange = (
  writer: IndexWriter,
  { journal, bytes, tooLarge }: Difference,
  { path, after }: PathChange,
): readonly string[] => {
  const affected = writer.remove(journal, path);
  if (after === undefined) return affected;
  const content = bytes.get(after);
  const parsed = content === undefined ? unreadFile(path, tooLarge?.get(after)) : parseNoteFile(content, journal, path);
  const projected = projectNote(parsed, journal, path, after);
  writer.insert(projected);
  return 'note' in projected ? [...affected, projected.note.id, ...projected.note.supersedes] : affected;
};

const addDepths = (
  database: Database.Database,
  journal: JournalName,
  from: string | undefined,
  events: readonly LoggedEvent[],
): RecordedEvent[] | undefined => {
  if (from !== undefined && !events.some(({ parents }) => parents.includes(from))) return undefined;
  const known = database.prepare<[string, string], { depth: number }>(
    'SELECT depth FROM events WHERE commit_id = ? AND journal = ?',
  );
  return recordEvents(journal, events, (commit) => known.get(commit, journal)?.depth);
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
