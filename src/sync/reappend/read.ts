/** Reads what `planReappend` needs: what upstream changed since the lines diverged, and contents that both changed. */
import { acceptedHead, listCommits } from '../../events/git/branch.js';
import { mergeBases } from '../../events/git/commit-range.js';
import type { GitJournal } from '../../events/git/git-journal.js';
import { diffTrees, notesAmong } from '../../events/git/note-tree.js';
import { readCommits, readVersions, type UnpublishedCommit } from '../../events/git/remote/unpublished.js';
import { groupBy } from '../../events/group-by.js';
import type { PathChange, TreeEntry } from '../../events/journal.js';
import { type LoggedEvent, toLoggedEvent } from '../../events/logged-event.js';
import type { BlobId, NoteId } from '../../events/note/note.js';
import { idOfPath, isNotePath } from '../../events/note/paths.js';
import { collectStated, type StatedByBlob } from '../../events/note/stated-scope.js';
import { contentsToCompare } from '../published-effects.js';
import { eventIdOf, type PublishedEvent, type ToAppend, withoutPublished } from '../reused-events.js';
import { findContested, noteAt, notesOfChange, type StatedIds } from './note-of-change.js';
import { isInTheWay, mayCollide } from './path-collisions.js';
import type { Reappending } from './plan.js';

export type Lines = {
  readonly head: string;
  /** Undefined for an empty remote. */
  readonly incoming: string | undefined;
  /** A commit that `incoming` is already known to contain. */
  readonly contained: string | undefined;
};

type Masked = { readonly masked: ReadonlyMap<BlobId, Buffer>; readonly machine: string };

/**
 * Makes a few git calls, whose number does not depend on what changed. Identifies notes by the names of their files,
 * unless a file of a note that both sides changed turns out to be another one's: then it reads all that changed, and
 * what upstream has under the names of those notes.
 */
export const readReappending = async (
  journal: GitJournal,
  unpublished: readonly UnpublishedCommit[],
  lines: Lines & Masked,
): Promise<Reappending> => {
  const { folders } = journal;
  const { head, incoming, masked, machine } = lines;
  const base = incoming === undefined ? undefined : (await mergeBases(folders, head, incoming))[0];
  const upstream = incoming === undefined ? [] : await diffTrees(folders, base, incoming);
  const upstreamEvents = incoming === undefined ? [] : await journal.events(base, incoming, true);
  const commits = await dropPublished(journal, unpublished, upstreamEvents, lines);
  const changed: Changed = { ours: commits.flatMap(({ changes }) => changes), upstream };
  const readEntries = readOnce(async () => (incoming === undefined ? [] : await journal.tree(incoming)));
  const byName = await readContested(journal, readEntries, changed, new Map());
  const read = (await mayLieElsewhere(byName, changed, [...commits.map(asEvent), ...upstreamEvents]))
    ? await readContested(journal, readEntries, changed, await readStatedIds(journal, readEntries, changed))
    : byName;
  return {
    ...read,
    commits,
    entriesUpstream: await readToStandApart(readEntries, changed, read),
    upstream: new Map(upstream.map((change) => [change.path, change])),
    earlier: await readEarlier(journal, changed.ours, read, incoming),
    eventUpstream: newestEvents(upstreamEvents),
    bytes: new Map([...read.bytes, ...masked]),
    masked,
    machine,
  };
};

/** Reads all entries of upstream's tree. */
type ReadEntries = () => Promise<readonly TreeEntry[]>;

const readOnce = (read: ReadEntries): ReadEntries => {
  let entries: ReturnType<ReadEntries> | undefined;
  return () => {
    entries ??= read();
    return entries;
  };
};

type Changed = { readonly ours: readonly PathChange[]; readonly upstream: readonly PathChange[] };

const noteChanges = ({ ours, upstream }: Changed): readonly PathChange[] =>
  [...ours, ...upstream].filter(({ path }) => isNotePath(path));

const asEvent = (commit: UnpublishedCommit): LoggedEvent => toLoggedEvent(commit, []);

type Contested = Pick<Reappending, 'filesUpstream' | 'filesBefore' | 'stated' | 'isTaken' | 'bytes'>;

/** Reads the notes that both sides changed, with their files and contents. */
const readContested = async (
  journal: GitJournal,
  readEntries: ReadEntries,
  { ours, upstream }: Changed,
  stated: StatedIds,
): Promise<Contested> => {
  const contested = findContested(ours, upstream, stated);
  const filesUpstream = new Map<NoteId, Map<string, BlobId>>([...contested].map((id) => [id, new Map()]));
  const others = new Set<string>();
  if (contested.size > 0) {
    for (const { path, blob } of notesAmong(await readEntries())) {
      const files = filesUpstream.get(noteAt(path, blob, stated));
      if (files === undefined) others.add(path);
      else files.set(path, blob);
    }
  }
  const filesBefore = new Map([...filesUpstream].map(([id, files]) => [id, new Map(files)]));
  const changes = upstream.filter(({ path }) => isNotePath(path));
  for (const { path, after } of changes)
    if (after !== undefined) filesBefore.get(noteAt(path, after, stated))?.delete(path);
  for (const { path, before } of changes)
    if (before !== undefined) filesBefore.get(noteAt(path, before, stated))?.set(path, before);
  const upstreamByPath = new Map(upstream.map((change) => [change.path, change]));
  const wanted = new Set<BlobId>();
  for (const change of ours) {
    const isContested = isNotePath(change.path)
      ? notesOfChange(change, stated).some((id) => contested.has(id))
      : upstreamByPath.has(change.path);
    if (!isContested) {
      if (change.after !== undefined && isNotePath(change.path)) others.add(change.path);
      continue;
    }
    for (const blob of [change.before, change.after]) if (blob !== undefined) wanted.add(blob);
    const there = upstreamByPath.get(change.path)?.after;
    if (there !== undefined) wanted.add(there);
  }
  for (const files of [...filesUpstream.values(), ...filesBefore.values()])
    for (const blob of files.values()) wanted.add(blob);
  const bytes = await journal.blobs([...wanted]);
  return { filesUpstream, filesBefore, stated, isTaken: (path) => others.has(path), bytes };
};

/** If notes are merged, the tree is read already; they may be put where only the other side has a file. */
const readToStandApart = async (
  readEntries: ReadEntries,
  { ours, upstream }: Changed,
  { filesUpstream }: Contested,
): Promise<readonly TreeEntry[] | undefined> => {
  if (mayCollide(ours, upstream)) return readEntries();
  return filesUpstream.size > 0 && (await readEntries()).some(isInTheWay) ? readEntries() : undefined;
};

/** Only a person puts a file in another note's place. If that predates both lines, a contested path shows it. */
const mayLieElsewhere = (
  { filesUpstream, bytes }: Contested,
  changed: Changed,
  events: readonly LoggedEvent[],
): boolean => {
  if (filesUpstream.size === 0) return false;
  const changes = noteChanges(changed);
  const isByHand = events.some(({ event, foreign }) => foreign || event.kind === 'hand.adopted');
  if (isByHand && changes.some(({ before }) => before === undefined)) return true;
  const places = [...changes.flatMap(versionsOf), ...[...filesUpstream.values()].flatMap((files) => [...files])];
  return findStated(places, bytes).size > 0;
};

/** Includes files under contested notes' names that upstream didn't change: these may long have been another note's. */
const readStatedIds = async (journal: GitJournal, readEntries: ReadEntries, changed: Changed): Promise<StatedIds> => {
  const places = noteChanges(changed).flatMap(versionsOf);
  const read = async (files: readonly FileAt[]): Promise<ReadonlyMap<BlobId, Buffer>> =>
    journal.blobs([...new Set(files.map(([, blob]) => blob))], maxStatedBytes);
  const bytes = await read(places);
  const contested = findContested(changed.ours, changed.upstream, findStated(places, bytes));
  const named = notesAmong(await readEntries()).flatMap(({ path, blob }): readonly FileAt[] =>
    contested.has(idOfPath(path)) ? [[path, blob]] : [],
  );
  const unread = named.filter(([, blob]) => !bytes.has(blob));
  const all = unread.length === 0 ? bytes : new Map([...bytes, ...(await read(unread))]);
  return findStated([...places, ...named], all);
};
/** Files beyond it are identified by name, as unreadable files are. */
const maxStatedBytes = 128 * 1024 * 1024;

type FileAt = readonly [path: string, blob: BlobId];

const versionsOf = ({ path, before, after }: PathChange): readonly FileAt[] =>
  [before, after].flatMap((blob) => (blob === undefined ? [] : [[path, blob] as const]));

/** Returns the ids of those files whose path names another note. */
const findStated = (places: readonly FileAt[], bytes: ReadonlyMap<BlobId, Buffer>): StatedIds => {
  const said: StatedByBlob = new Map();
  for (const [blob, files] of groupBy(places, ([, one]) => one)) {
    const content = bytes.get(blob);
    if (content !== undefined) collectStated(said, blob, [...new Set(files.map(([path]) => path))], content);
  }
  const stated = new Map<BlobId, NoteId>();
  for (const [path, blob] of places) {
    const id = said.get(blob)?.id;
    if (id !== undefined && id !== idOfPath(path)) stated.set(blob, id);
  }
  return stated;
};

const newestEvents = (events: readonly LoggedEvent[]): ReadonlyMap<NoteId, string> => {
  const newest = new Map<NoteId, string>();
  for (const { event } of events)
    for (const id of event.notes) if (event.id > (newest.get(id) ?? '')) newest.set(id, event.id);
  return newest;
};

/**
 * Drops events that upstream has. Commits of an earlier plan of this sync are matched by event id; for any other
 * commit, upstream's commit with that id must make the same changes, however far the remote was trusted before. Makes a
 * few git calls if there is such a commit.
 */
const dropPublished = async (
  journal: GitJournal,
  commits: readonly UnpublishedCommit[],
  upstream: readonly LoggedEvent[],
  { head, incoming, contained }: Lines,
): Promise<readonly ToAppend[]> => {
  const { folders } = journal;
  const published = new Set(upstream.map(({ event }) => event.id));
  const compared = new Map<string, PublishedEvent>();
  const reused = commits.filter((commit) => published.has(eventIdOf(commit)));
  const since =
    reused.length === 0 || contained === undefined ? undefined : await listCommits(folders, head, contained);
  const sinceThen = new Set(since);
  const made = since === undefined ? reused : reused.filter(({ hash }) => sinceThen.has(hash));
  if (made.length === 0 || incoming === undefined)
    return withoutPublished({ commits, published, compared, upstream: [], bytes: new Map() });
  const accepted = acceptedHead(folders);
  const [fetched, read] = await Promise.all([
    listCommits(folders, incoming, accepted),
    readCommits(
      folders,
      upstream.map(({ commit }) => commit),
    ),
  ]);
  const isNew = new Set(fetched);
  const byId = new Map(read.map((commit) => [eventIdOf(commit), commit]));
  const pairs: (readonly [UnpublishedCommit, UnpublishedCommit])[] = [];
  for (const ours of made) {
    const commit = byId.get(eventIdOf(ours));
    if (commit === undefined) continue;
    pairs.push([ours, commit]);
    compared.set(ours.hash, { commit, wasKnown: accepted !== undefined && !isNew.has(commit.hash) });
  }
  const bytes = await journal.blobs(contentsToCompare(pairs, read));
  return withoutPublished({ commits, published, compared, upstream: read, bytes });
};

/** Returns the versions of notes to which we added another file: a file that equals an earlier version adds nothing. */
const readEarlier = async (
  { folders }: GitJournal,
  ours: readonly PathChange[],
  { filesUpstream, stated }: Contested,
  incoming: string | undefined,
): Promise<ReadonlySet<BlobId>> => {
  const added = ours.filter(({ path, before }) => before === undefined && isNotePath(path));
  const ids = [...new Set(added.flatMap((change) => notesOfChange(change, stated)))].filter((id) =>
    filesUpstream.has(id),
  );
  if (ids.length === 0 || incoming === undefined) return new Set();
  const written = ours.flatMap(({ before, after }) => (before === undefined || after === undefined ? [] : [after]));
  return new Set([...(await readVersions(folders, incoming, ids)), ...written]);
};
