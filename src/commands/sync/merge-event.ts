/** One of our events on one note that upstream changed too. Pure. */
import type { JournalEvent } from '../../events/event.js';
import type { ImportedChange } from '../../events/fast-import.js';
import { blobIdOf } from '../../events/git-files.js';
import type { PathChange } from '../../events/git-log.js';
import { conflictCopy, type LostValue, mergeNotes } from '../../events/merge.js';
import { type BlobId, type NoteId, shownTitle } from '../../events/note.js';
import { formatNoteFile, type NoteFile, parseNoteFile, setNoteFields } from '../../events/note-file.js';
import { pathOfNote } from '../../events/paths.js';
import { formatTime, parseTime } from '../../events/time.js';
import { placeForType } from '../bring-back.js';
import { redactFile } from '../hand-edits.js';

/** The note that keeps our text of another one, while our events are appended again. */
type Sibling = { readonly id: NoteId; readonly path: string; readonly eventId: string; readonly atMs: number };

/** A note that both sides changed, as it stands on the new line. */
export type ContestedNote = {
  readonly files: ReadonlyMap<string, BlobId>;
  /** Contents that the merging itself made. */
  readonly made?: ReadonlyMap<BlobId, Buffer> | undefined;
  /** Once a text of ours has moved there, our later texts follow it. */
  readonly sibling: Sibling | undefined;
  /** Our own last version, so that a note that we removed and brought back is compared with what it was. */
  readonly mine?: NoteFile | undefined;
};

/** What a merge could not keep in the note itself. */
export type NoteLine = {
  readonly id: NoteId;
  readonly title: string;
  readonly sibling: { readonly id: NoteId; readonly path: string; readonly bytes: Buffer } | undefined;
  readonly lost: readonly LostValue[];
};

export type EventOnNote = {
  readonly id: NoteId;
  readonly event: JournalEvent;
  /** The event is a commit without trailers: its text was not masked yet. */
  readonly foreign: boolean;
  readonly epochMs: number;
  readonly changes: readonly PathChange[];
  readonly line: ContestedNote;
  readonly bytes: ReadonlyMap<BlobId, Buffer>;
  /** Newest event upstream of the note, '' where there is none. */
  readonly eventUpstream: string;
};

export type MergedEvent = {
  readonly line: ContestedNote;
  readonly changes: readonly ImportedChange[];
  readonly merged: boolean;
  readonly conflict: NoteLine | undefined;
};

export const mergeEvent = (asked: EventOnNote): MergedEvent => {
  const { changes, line } = asked;
  const mine = versionOf(asked, sideOf(changes, 'after'));
  const own: ContestedNote = { ...line, mine: mine?.file ?? line.mine };
  // One that we added where upstream has another file of the note is not the first one any more.
  const isNew = changes.every(({ before }) => before === undefined);
  const fits = changes.every(({ path, before }) => line.files.get(path) === before) && !(isNew && line.files.size > 0);
  if (fits && line.sibling === undefined && (!asked.foreign || mine === undefined)) return takeAsItIs(own, changes);
  if (mine === undefined) return removeHere(asked, own);
  const now = versionOf(asked, line.files);
  const after = mine.file === undefined ? undefined : clean(mine.file, asked.foreign);
  // Without a readable note there is nothing to merge; the bytes are kept beside the notes.
  if (after === undefined) return keepAside(asked, own, mine.blob);
  if (now === undefined) return write(own, pathFor(mine.path, after), formatNoteFile(after), { merged: false });
  if (now.file === undefined) return addSibling(asked, own, after, []);
  return mergeVersions(asked, own, { path: mine.path, file: after }, { ...now, file: now.file });
};

const mergeVersions = (
  asked: EventOnNote,
  line: ContestedNote,
  mine: { readonly path: string; readonly file: NoteFile },
  now: Version & { readonly file: NoteFile },
): MergedEvent => {
  const before = versionOf(asked, sideOf(asked.changes, 'before'));
  const base = before?.file ?? asked.line.mine;
  // Our text stands in the sibling already: only the other fields are merged into the note.
  const theirs =
    line.sibling === undefined || base === undefined ? mine.file : setNoteFields(mine.file, { body: base.note.body });
  const { file, clashing, lost } = mergeNotes(base, now.file, theirs, winnerOf(asked, mine.file, now.file));
  const moved = before !== undefined && before.path !== mine.path;
  const target = pathFor(moved ? mine.path : now.path, file);
  const gone = now.path === target ? [] : [now.path];
  const written = write(line, target, formatNoteFile(file), { merged: true, gone });
  if (line.sibling !== undefined) return rewriteSibling(asked, written, line.sibling, mine.file, now.file, lost);
  if (clashing === undefined)
    return { ...written, conflict: lost.length === 0 ? undefined : lineOf(asked, file, undefined, lost) };
  const added = addSibling(asked, written.line, mine.file, lost);
  return { ...added, changes: [...written.changes, ...added.changes], merged: true };
};

/** The newer one sets what both set; of the same second, the one of the later event id. */
const winnerOf = (asked: EventOnNote, mine: NoteFile, now: NoteFile): 'ours' | 'theirs' => {
  const [mineAt, nowAt] = [mine, now].map(({ note }) => parseTime(note.updatedAt) ?? 0);
  if (mineAt !== nowAt) return (mineAt ?? 0) > (nowAt ?? 0) ? 'theirs' : 'ours';
  return asked.event.id > asked.eventUpstream ? 'theirs' : 'ours';
};

const takeAsItIs = (line: ContestedNote, changes: readonly PathChange[]): MergedEvent => {
  const files = new Map(line.files);
  for (const { path, after } of changes) {
    if (after === undefined) files.delete(path);
    else files.set(path, after);
  }
  const imported = changes.map(
    ({ path, after, afterMode }): ImportedChange =>
      after === undefined ? { path, bytes: undefined } : { path, blob: after, mode: afterMode },
  );
  return { line: { ...line, files }, changes: imported, merged: false, conflict: undefined };
};

/** We removed what others changed: their change stays. What we wrote of it in the meantime goes as we said. */
const removeHere = (asked: EventOnNote, line: ContestedNote): MergedEvent => {
  const before = versionOf(asked, sideOf(asked.changes, 'before'));
  const files = new Map(line.files);
  const changes: ImportedChange[] = [];
  for (const [path, blob] of line.files) {
    const isOurs = asked.changes.some((change) => change.path === path && change.before === blob);
    if (!isOurs && blob !== before?.blob) continue;
    files.delete(path);
    changes.push({ path, bytes: undefined });
  }
  if (line.sibling !== undefined) changes.push({ path: line.sibling.path, bytes: undefined });
  return { line: { ...line, files, sibling: undefined }, changes, merged: false, conflict: undefined };
};

const addSibling = (
  asked: EventOnNote,
  line: ContestedNote,
  mine: NoteFile,
  lost: readonly LostValue[],
): MergedEvent => {
  const { event, epochMs } = asked;
  const copy = copyOf(mine, { eventId: event.id, atMs: epochMs });
  const { id, type } = copy.note;
  const sibling: Sibling = { id, path: pathOfNote(type, id), eventId: event.id, atMs: epochMs };
  const conflict = lineOf(asked, mine, { id, path: sibling.path, bytes: formatNoteFile(copy) }, lost);
  return { line: { ...line, sibling }, changes: [], merged: false, conflict };
};

const rewriteSibling = (
  asked: EventOnNote,
  written: MergedEvent,
  sibling: Sibling,
  mine: NoteFile,
  now: NoteFile,
  lost: readonly LostValue[],
): MergedEvent => {
  const conflict = lost.length === 0 ? undefined : lineOf(asked, mine, undefined, lost);
  if (mine.note.body === now.note.body) {
    const gone: ImportedChange = { path: sibling.path, bytes: undefined };
    return { ...written, line: { ...written.line, sibling: undefined }, changes: [...written.changes, gone], conflict };
  }
  const copy = copyOf(mine, sibling);
  const path = pathOfNote(copy.note.type, sibling.id);
  const changes: ImportedChange[] = [...written.changes, { path, bytes: formatNoteFile(copy) }];
  if (path !== sibling.path) changes.push({ path: sibling.path, bytes: undefined });
  return { ...written, line: { ...written.line, sibling: { ...sibling, path } }, changes, conflict };
};

const copyOf = (mine: NoteFile, { eventId, atMs }: Pick<Sibling, 'eventId' | 'atMs'>): NoteFile =>
  conflictCopy(mine.note, mine.note.body, eventId, atMs, formatTime(atMs));

const keepAside = ({ id, event }: EventOnNote, line: ContestedNote, blob: BlobId): MergedEvent => {
  const changes = [{ path: `unreadable/${event.id}/${id}.md`, blob, mode: '100644' }];
  return { line, changes, merged: false, conflict: undefined };
};

const write = (
  line: ContestedNote,
  path: string,
  bytes: Buffer,
  { merged, gone = [] }: { readonly merged: boolean; readonly gone?: readonly string[] },
): MergedEvent => {
  const blob = blobIdOf(bytes, [...line.files.values()][0]);
  const files = new Map(line.files);
  const changes: ImportedChange[] = files.get(path) === blob ? [] : [{ path, bytes }];
  files.set(path, blob);
  for (const one of gone) {
    files.delete(one);
    changes.push({ path: one, bytes: undefined });
  }
  const made = new Map([...(line.made ?? []), [blob, bytes]]);
  return { line: { ...line, files, made }, changes, merged, conflict: undefined };
};

const lineOf = (
  { id }: EventOnNote,
  { note }: NoteFile,
  sibling: NoteLine['sibling'],
  lost: readonly LostValue[],
): NoteLine => ({ id, title: shownTitle(note), sibling, lost });

const clean = (file: NoteFile, foreign: boolean): NoteFile => (foreign ? redactFile(file).file : file);

const pathFor = (path: string, { note }: NoteFile): string =>
  placeForType({ journal: 'memory', path }, note.type, note.id).path;

type Version = {
  readonly path: string;
  readonly blob: BlobId;
  readonly bytes: Buffer | undefined;
  readonly file: NoteFile | undefined;
};

/** Of several files with one id the newest, then the first by path; one that can be read before one that can't. */
const versionOf = ({ bytes, line }: EventOnNote, files: ReadonlyMap<string, BlobId>): Version | undefined => {
  const versions = [...files].map(([path, blob]): Version => {
    const content = line.made?.get(blob) ?? bytes.get(blob);
    const parsed = content === undefined ? undefined : parseNoteFile(content, 'memory', path);
    return { path, blob, bytes: content, file: parsed?.ok === true ? parsed.file : undefined };
  });
  const age = ({ file }: Version): number => (file === undefined ? -1 : (parseTime(file.note.updatedAt) ?? 0));
  return versions.sort((one, other) => age(other) - age(one) || (one.path < other.path ? -1 : 1))[0];
};

const sideOf = (changes: readonly PathChange[], side: 'before' | 'after'): ReadonlyMap<string, BlobId> =>
  new Map(changes.flatMap((change) => (change[side] === undefined ? [] : [[change.path, change[side]] as const])));
