/** Merges one of our events into a note that upstream changed too. Pure. */

import { placeForType } from '../../commands/revert.js';
import type { JournalEvent } from '../../events/event.js';
import type { ImportedChange, PathChange } from '../../events/journal.js';
import { blobIdOf } from '../../events/note/blob-id.js';
import { type LostValue, mergeNotes } from '../../events/note/merge.js';
import { type BlobId, type NoteId, shownTitle } from '../../events/note/note.js';
import { formatNoteFile, type NoteFile, setNoteFields } from '../../events/note/note-file.js';
import { pathOfNote } from '../../events/note/paths.js';
import { parseTime } from '../../events/time.js';
import { applyTo, filesFor, sideOf, type Version, versionOf } from './note-versions.js';
import { copyOf, mineWithout, newSibling, type Sibling, type Siblings, withSibling } from './siblings.js';

/** A note that both sides changed, as it is on the new line. */
export type ContestedNote = {
  readonly files: ReadonlyMap<string, BlobId>;
  /** Its files in our own tree before the event, which tell an additional file from a note that was restored. */
  readonly own: ReadonlyMap<string, BlobId>;
  /** Contents that the merge itself made. */
  readonly made?: ReadonlyMap<BlobId, Buffer> | undefined;
  /** By the path of our file. Once one of its texts has moved to a sibling, our later texts of that file follow. */
  readonly siblings: Siblings;
  /** Our last version that was merged: a note that we removed and restored is compared with it. */
  readonly mine?: NoteFile | undefined;
};

/** Values that a merge could not keep in the note itself. */
export type NoteLine = {
  readonly id: NoteId;
  readonly title: string;
  /** Notes that keep texts of ours. */
  readonly siblings: readonly NewSibling[];
  readonly lost: readonly LostValue[];
};

type NewSibling = { readonly id: NoteId; readonly path: string; readonly bytes: Buffer };

export type EventOnNote = {
  readonly id: NoteId;
  readonly event: JournalEvent;
  readonly epochMs: number;
  readonly changes: readonly PathChange[];
  readonly line: ContestedNote;
  readonly bytes: ReadonlyMap<BlobId, Buffer>;
  /** Our contents that contain a secret, in masked form. */
  readonly masked: ReadonlyMap<BlobId, Buffer>;
  /** Versions that the note had. */
  readonly earlier: ReadonlySet<BlobId>;
  /** The note's newest upstream event, '' if there is none. */
  readonly eventUpstream: string;
};

export type MergedEvent = {
  readonly line: ContestedNote;
  readonly changes: readonly ImportedChange[];
  readonly merged: boolean;
  readonly conflict: NoteLine | undefined;
};

/**
 * Merges the files of one note one by one, the one that counts first. Text of a further file that clashes is kept in a
 * separate sibling.
 */
export const mergeEvent = (asked: EventOnNote): MergedEvent => {
  const { main, edits, copies } = sortChanges(asked);
  const first = main.length === 0 ? { ...unchanged, line: asked.line } : mergeFile({ ...asked, changes: main });
  const further = [...edits, ...copies].reduce<MergedEvent>((done, change, at) => {
    const { mine } = done.line;
    const line: ContestedNote = { ...done.line, mine: undefined };
    const event = { ...asked.event, id: `${asked.event.id} ${at + 1}` };
    const one = { ...asked, event, line, changes: [change] };
    const next = change.before === undefined ? addCopy(one, change) : mergeFile(one);
    return {
      line: { ...next.line, mine: mine ?? next.line.mine },
      changes: [...done.changes, ...next.changes],
      merged: done.merged || next.merged,
      conflict: joinConflicts(done.conflict, next.conflict),
    };
  }, first);
  return { ...further, line: { ...further.line, own: applyTo(asked.line.own, asked.changes) } };
};

const unchanged = { changes: [], merged: false, conflict: undefined } as const;

const joinConflicts = (first: NoteLine | undefined, second: NoteLine | undefined): NoteLine | undefined =>
  first === undefined || second === undefined
    ? (first ?? second)
    : { ...first, siblings: [...first.siblings, ...second.siblings], lost: [...first.lost, ...second.lost] };

type SortedChanges = Readonly<Record<'main' | 'edits' | 'copies', readonly PathChange[]>>;

/**
 * A file that is added while another one of ours stays is a copy. It has no base: whatever it lacks was never removed.
 * A file that is added as another one is removed was moved; if we have no other, the note was restored.
 */
const sortChanges = (asked: EventOnNote): SortedChanges => {
  const { changes, line } = asked;
  const removed = changes.filter(({ after }) => after === undefined);
  const added = changes.filter(({ before, after }) => before === undefined && after !== undefined);
  const edited = changes.filter(({ before, after }) => before !== undefined && after !== undefined);
  const isCopied = removed.length === 0 && line.own.size > 0;
  const path = versionOf(asked, sideOf(isCopied || added.length === 0 ? edited : added, 'after'))?.path;
  const others = (of: readonly PathChange[]): readonly PathChange[] => of.filter((change) => change.path !== path);
  const main = changes.filter((change) => change.path === path);
  return { main: [...removed, ...main], edits: others(edited), copies: others(added) };
};

/** Puts the copy beside the note's other files; the next event on the note folds one of them in. */
const addCopy = (asked: EventOnNote, { path, after, afterMode }: PathChange): MergedEvent => {
  const { line, bytes, masked } = asked;
  const here = line.files.get(path);
  if (after === undefined || here === after || asked.earlier.has(after)) return { line, ...unchanged };
  const content = masked.get(after);
  if (here === undefined)
    return content === undefined
      ? applyDirectly(line, [{ path, before: undefined, after, afterMode }])
      : write(line, path, content, { merged: false });
  const [mine, now] = [after, here].map((blob) => versionOf({ bytes, line }, new Map([[path, blob]])));
  if (mine?.file === undefined) return keepAside(asked, line, after);
  if (now?.file === undefined) return addSibling(asked, line, { path, file: mine.file }, []);
  return mergeVersions(asked, line, { path, file: mine.file }, { ...now, file: now.file });
};

const mergeFile = (asked: EventOnNote): MergedEvent => {
  const { changes, line, masked } = asked;
  const mine = versionOf(asked, sideOf(changes, 'after'));
  const own: ContestedNote = { ...line, mine: mine?.file ?? line.mine };
  // A file that we added is not the note's first one if upstream has another.
  const isNew = changes.every(({ before }) => before === undefined);
  const fits = changes.every(({ path, before }) => line.files.get(path) === before) && !(isNew && line.files.size > 0);
  const isClean = !changes.some(({ after }) => after !== undefined && masked.has(after));
  if (fits && siblingOf(asked, mine?.path) === undefined && (isClean || mine === undefined))
    return applyDirectly(own, changes);
  if (mine === undefined) return removeHere(asked, own);
  const now = versionOf(asked, filesFor(line.files, changes));
  // Without a readable note there is nothing to merge; the bytes are kept beside the notes.
  if (mine.file === undefined) return keepAside(asked, own, mine.blob);
  if (now === undefined) return write(own, pathFor(mine.path, mine.file), formatNoteFile(mine.file), { merged: false });
  if (now.file === undefined) return addSibling(asked, own, { ...mine, file: mine.file }, []);
  return mergeVersions(asked, own, { path: mine.path, file: mine.file }, { ...now, file: now.file });
};

type OurFile = { readonly path: string; readonly file: NoteFile };

/** Returns the sibling of our file, even if this event moved the file or folded another one into it. */
const siblingOf = ({ line, changes }: EventOnNote, path: string | undefined): Sibling | undefined =>
  [path, ...changes.filter(({ after }) => after === undefined).map((change) => change.path)]
    .flatMap((one) => line.siblings.get(one ?? '') ?? [])
    .at(0);

const mergeVersions = (
  asked: EventOnNote,
  line: ContestedNote,
  mine: OurFile,
  now: Version & { readonly file: NoteFile },
): MergedEvent => {
  const olds = sideOf(asked.changes, 'before');
  const old = olds.get(mine.path);
  const before = versionOf(asked, old === undefined ? olds : new Map([[mine.path, old]]));
  const base = before?.file ?? asked.line.mine;
  // Our text is in the sibling already: only the other fields are merged into the note.
  const sibling = siblingOf(asked, mine.path);
  const theirs =
    sibling === undefined || base === undefined ? mine.file : setNoteFields(mine.file, { body: base.note.body });
  const { file, clashing, lost } = mergeNotes(base, now.file, theirs, winnerOf(asked, mine.file, now.file));
  const moved = before !== undefined && before.path !== mine.path;
  const wanted = pathFor(moved ? mine.path : now.path, file);
  // Don't overwrite another file of the note that upstream has there.
  const target = line.files.has(wanted) ? now.path : wanted;
  const folded = asked.changes.filter(
    ({ path, before: was, after }) => after === undefined && line.files.get(path) === was,
  );
  const gone = [...new Set([now.path, ...folded.map(({ path }) => path)])].filter((path) => path !== target);
  const written = write(line, target, formatNoteFile(file), { merged: true, gone });
  if (sibling !== undefined) return rewriteSibling(asked, written, sibling, mine, now.file, lost);
  if (clashing === undefined)
    return { ...written, conflict: lost.length === 0 ? undefined : lineOf(asked, file, [], lost) };
  const added = addSibling(asked, written.line, mine, lost, base);
  return { ...added, changes: [...written.changes, ...added.changes], merged: true };
};

/** The newer version wins where both set a value; in the same second, the one with the later event id. */
const winnerOf = (asked: EventOnNote, mine: NoteFile, now: NoteFile): 'ours' | 'theirs' => {
  const [mineAt, nowAt] = [mine, now].map(({ note }) => parseTime(note.updatedAt) ?? 0);
  if (mineAt !== nowAt) return (mineAt ?? 0) > (nowAt ?? 0) ? 'theirs' : 'ours';
  return asked.event.id > asked.eventUpstream ? 'theirs' : 'ours';
};

const applyDirectly = (line: ContestedNote, changes: readonly PathChange[]): MergedEvent => {
  const imported = changes.map(
    ({ path, after, afterMode }): ImportedChange =>
      after === undefined ? { path, bytes: undefined } : { path, blob: after, mode: afterMode },
  );
  const files = applyTo(line.files, changes);
  return { line: { ...line, files }, changes: imported, merged: false, conflict: undefined };
};

/**
 * We removed what others changed: their change stays, but what we wrote of it in the meantime is removed. If we keep
 * another file of the note, only this one is removed, not what upstream has of the note elsewhere.
 */
const removeHere = (asked: EventOnNote, line: ContestedNote): MergedEvent => {
  const isLast = applyTo(asked.line.own, asked.changes).size === 0;
  const before = versionOf(asked, sideOf(asked.changes, 'before'));
  const files = new Map(line.files);
  const changes: ImportedChange[] = [];
  for (const [path, blob] of line.files) {
    const isOurs = asked.changes.some((change) => change.path === path && change.before === blob);
    if (!isOurs && !(isLast && blob === before?.blob)) continue;
    files.delete(path);
    changes.push({ path, bytes: undefined });
  }
  const gone = asked.changes.flatMap(({ path }) => line.siblings.get(path) ?? []);
  for (const { path } of gone) changes.push({ path, bytes: undefined });
  const siblings = new Map([...line.siblings].filter(([, sibling]) => !gone.includes(sibling)));
  // If nothing of ours was merged before, we removed the version from when the lines diverged.
  const whole = line.mine ?? (line.own.size === 1 ? before?.file : undefined);
  const mine = mineWithout(gone, whole);
  return { line: { ...line, files, siblings, mine }, changes, merged: false, conflict: undefined };
};

const addSibling = (
  asked: EventOnNote,
  line: ContestedNote,
  { path, file }: OurFile,
  lost: readonly LostValue[],
  base?: NoteFile | undefined,
): MergedEvent => {
  const made = { eventId: asked.event.id, atMs: asked.epochMs, base: base?.note.body };
  const { sibling, copy } = newSibling(file, made);
  const conflict = lineOf(asked, file, [{ id: sibling.id, path: sibling.path, bytes: formatNoteFile(copy) }], lost);
  const siblings = withSibling(line.siblings, sibling, path, sibling);
  return { line: { ...line, siblings }, changes: [], merged: false, conflict };
};

const rewriteSibling = (
  asked: EventOnNote,
  written: MergedEvent,
  sibling: Sibling,
  { path: ours, file: mine }: OurFile,
  now: NoteFile,
  lost: readonly LostValue[],
): MergedEvent => {
  const conflict = lost.length === 0 ? undefined : lineOf(asked, mine, [], lost);
  if (mine.note.body === now.note.body) {
    const gone: ImportedChange = { path: sibling.path, bytes: undefined };
    return {
      ...written,
      line: { ...written.line, siblings: withSibling(written.line.siblings, sibling, ours, undefined) },
      changes: [...written.changes, gone],
      conflict,
    };
  }
  const copy = copyOf(mine, sibling);
  const path = pathOfNote(copy.note.type, sibling.id);
  const changes: ImportedChange[] = [...written.changes, { path, bytes: formatNoteFile(copy) }];
  if (path !== sibling.path) changes.push({ path: sibling.path, bytes: undefined });
  const siblings = withSibling(written.line.siblings, sibling, ours, { ...sibling, path });
  return { ...written, line: { ...written.line, siblings }, changes, conflict };
};

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
  siblings: NoteLine['siblings'],
  lost: readonly LostValue[],
): NoteLine => ({ id, title: shownTitle(note), siblings, lost });

const pathFor = (path: string, { note }: NoteFile): string =>
  placeForType({ journal: 'portable', path }, note.type, note.id).path;
