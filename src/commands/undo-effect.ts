/** Undoes what an event did to one note. Pure. */
import type { FileChange, KnownVersion } from '../events/event.js';
import { mergeNotes } from '../events/note/merge.js';
import { type Note, type NoteId, scopeOf } from '../events/note/note.js';
import { formatNoteFile, type NoteFile, setNoteFields } from '../events/note/note-file.js';
import { pathOfNote } from '../events/note/paths.js';
import type { Masked } from '../events/note/redact.js';
import { saysMachineLocal } from '../events/note/stated-scope.js';
import { formatTime, parseTime } from '../events/time.js';
import { type KnownNote, type NoteEffect, type PastNote, removeCopies } from './command.js';
import type { Refusal } from './refusals.js';
import { cleanFile, placeForType } from './revert.js';
import { noteKeptElsewhere } from './write-path/kept-elsewhere.js';

/** The outcome of an undo for one note. */
export type Undone =
  | {
      readonly kind: 'changed';
      readonly id: NoteId;
      readonly now: Note | undefined;
      readonly after: Note | undefined;
      readonly changes: readonly FileChange[];
      /** The note's old place, if it moves to the other journal. */
      readonly left: KnownVersion | undefined;
      readonly masked: readonly Masked[];
      /** Keys whose change by the event can't be undone. */
      readonly kept: readonly string[];
      /** True for a note that the event added and that moves to local/ instead of being removed. */
      readonly isTakenBack?: true | undefined;
    }
  | { readonly kind: 'same'; readonly id: NoteId }
  | { readonly kind: 'stays'; readonly id: NoteId; readonly refusal: Refusal };

type Circumstances = {
  readonly atMs: number;
  /** The event made a machine-local note of this machine portable. */
  readonly cameFromHere: boolean;
  /** The note was last machine-local here, whatever another machine has published of it. */
  readonly wasLocalLast: boolean;
};

export const undoEffect = (
  eventId: string,
  effect: NoteEffect,
  known: KnownNote | undefined,
  { atMs, cameFromHere, wasLocalLast }: Circumstances,
): Undone => {
  const { id, before, after } = effect;
  const same: Undone = { kind: 'same', id };
  if (before === undefined) {
    if (known === undefined) return same;
    if (after !== undefined && !isUntouched(after, known))
      return { kind: 'stays', id, refusal: changedSince(eventId, effect, `anamnesis forget ${id}`) };
    return cameFromHere && after !== undefined && known.place.journal === 'portable'
      ? takeBack(id, known, atMs)
      : removeNote(eventId, effect, known);
  }
  if (known !== undefined && after !== undefined) return turnBack(eventId, effect, before, after, known, atMs);
  // A text that another machine published doesn't replace the missing machine-local one.
  if (known !== undefined && !(wasLocalLast && before.place.journal === 'local' && known.place.journal === 'portable'))
    return same;
  if (after !== undefined)
    return { kind: 'stays', id, refusal: changedSince(eventId, effect, `anamnesis restore ${id}`) };
  if (effect.keptElsewhere !== undefined)
    return { kind: 'stays', id, refusal: noteKeptElsewhere(id, effect.keptElsewhere) };
  const old = known === undefined ? [before, effect.beside?.before] : [before];
  const [file, beside] = old.map((one) => (one === undefined ? undefined : revert(one)));
  const brought = [file, beside].filter((one) => one !== undefined);
  return {
    kind: 'changed',
    id,
    now: known?.file.note,
    after: file?.note,
    changes: brought.map(({ change }) => change),
    left: undefined,
    masked: brought.flatMap(({ masked }) => masked),
    kept: [],
  };
};

type RevertedNote = { readonly note: Note; readonly change: FileChange; readonly masked: readonly Masked[] };

const revert = ({ file, place: { journal, path } }: Pick<PastNote, 'file' | 'place'>): RevertedNote => {
  const clean = cleanFile(file);
  return { note: clean.file.note, change: { journal, path, bytes: clean.bytes }, masked: clean.masked };
};

const removeNote = (eventId: string, effect: NoteEffect, known: KnownNote): Undone => {
  const { id, beside } = effect;
  const there = known.copies.find((copy) => isAt(copy, beside?.after?.place));
  if (there !== undefined && there.blob !== beside?.after?.place.blob)
    return { kind: 'stays', id, refusal: changedSince(eventId, effect, `anamnesis forget ${id}`) };
  const changes = [known.place, ...removeCopies(known), ...(there === undefined ? [] : [there])].map(
    ({ journal, path }): FileChange => ({ journal, path, bytes: undefined }),
  );
  const now = known.file.note;
  return { kind: 'changed', id, now, after: undefined, changes, left: undefined, masked: [], kept: [] };
};

/** The text of the moved note's further file exists only in the note that the move made of it. */
const takeBack = (id: NoteId, known: KnownNote, atMs: number): Undone => {
  const now = known.file.note;
  const wanted = setNoteFields(known.file, { scope: 'machine-local', updatedAt: formatTime(atMs) });
  const { file, bytes, masked } = cleanFile(wanted);
  const left = known.place;
  const changes: readonly FileChange[] = [
    { journal: 'local', path: pathOfNote(now.type, id), bytes },
    ...[left, ...removeCopies(known)].map(({ journal, path }): FileChange => ({ journal, path, bytes: undefined })),
  ];
  return { kind: 'changed', id, now, after: file.note, changes, left, masked, kept: [], isTakenBack: true };
};

const turnBack = (
  eventId: string,
  effect: NoteEffect,
  before: PastNote,
  after: PastNote,
  known: KnownNote,
  atMs: number,
): Undone => {
  const { id } = effect;
  const stays = (): Undone => ({
    kind: 'stays',
    id,
    refusal: changedSince(eventId, effect, `anamnesis restore ${id} --at POINT`),
  });
  // The later change is `theirs`: it wins where both changed a single value.
  const untouched = isUntouched(after, known);
  const merged = untouched ? undefined : mergeNotes(after.file, before.file, known.file);
  if (merged?.clashing !== undefined) return stays();
  const kept = untouched ? [] : contestedKeys(after.file.note, before.file.note, known.file.note);
  if (before.place.journal === 'local' && after.place.journal === 'local' && known.place.journal === 'portable')
    return { kind: 'stays', id, refusal: wasLocalThen(id, eventId) };
  // A note made machine-local may hold more than was ever portable.
  const leftBeside = effect.beside?.after?.place.blob;
  const inBoth = known.copies.some(({ journal, blob }) => journal === 'portable' && blob !== leftBeside);
  if (known.place.journal === 'local' && before.place.journal === 'portable' && isPut(after, known)) {
    if (!untouched || inBoth) return { kind: 'stays', id, refusal: staysLocal(id, eventId, 'it was changed since') };
    if (saysMachineLocal(before.file) || !isOnlyMoved(before, after))
      return { kind: 'stays', id, refusal: staysLocal(id, eventId, 'it took along text that was never published') };
  }
  const wanted = withPlace(merged?.file ?? before.file, before, after, known, atMs);
  const { file, bytes, masked } = cleanFile(wanted.file);
  const written: FileChange = { ...wanted.place, bytes };
  const isInPlace = wanted.place.journal === known.place.journal && wanted.place.path === known.place.path;
  const beside = turnBesideBack(effect, after, known);
  if (beside === 'clash') return stays();
  if (isInPlace && saysTheSame(file, known.file) && beside === undefined)
    return kept.length === 0 ? { kind: 'same', id } : stays();
  const { journal, path } = known.place;
  const others = beside === undefined ? [] : [beside.change];
  const leave: readonly FileChange[] =
    isInPlace || others.some((one) => isAt(one, known.place)) ? [] : [{ journal, path, bytes: undefined }];
  return {
    kind: 'changed',
    id,
    now: known.file.note,
    after: file.note,
    changes: [written, ...others, ...leave, ...removeCopies(known, [written])],
    left: wanted.place.journal === journal ? undefined : known.place,
    masked: [...masked, ...(beside?.masked ?? [])],
    kept,
  };
};

/** Restores the portable file beside the machine-local one, merging in what has changed at its path since. */
const turnBesideBack = (
  { beside }: NoteEffect,
  after: PastNote,
  known: KnownNote,
): RevertedNote | 'clash' | undefined => {
  const before = beside?.before;
  if (before === undefined || known.copies.some((copy) => isAt(copy, before.place))) return undefined;
  if (!isAt(before.place, known.place) || isUntouched(after, known)) return revert(before);
  const { file, clashing } = mergeNotes(after.file, before.file, known.file);
  return clashing === undefined ? revert({ ...before, file: setNoteFields(file, { scope: 'portable' }) }) : 'clash';
};

type Place = Pick<KnownVersion, 'journal' | 'path'>;

export const isAt = (one: Place, other: Place | undefined): boolean =>
  one.journal === other?.journal && one.path === other.path;

/** Neither masking a person's commit nor a new updated_at alone counts as an edit. */
const isUntouched = (after: PastNote, known: KnownNote): boolean =>
  saysTheSame(after.file, known.file) || saysTheSame(cleanFile(after.file).file, known.file);

/** True if the files differ at most in updated_at. */
const saysTheSame = (one: NoteFile, other: NoteFile): boolean =>
  formatNoteFile(setNoteFields(one, { updatedAt: other.note.updatedAt })).equals(formatNoteFile(other));

/** Moves the note back to its old place only if it is still where the event put it. */
const withPlace = (
  file: NoteFile,
  before: PastNote,
  after: PastNote,
  { place, file: { note } }: KnownNote,
  atMs: number,
): { readonly file: NoteFile; readonly place: Pick<KnownVersion, 'journal' | 'path'> } => {
  const target = placeForType(isPut(after, { place }) ? before.place : place, file.note.type, note.id);
  const scope = scopeOf(target.journal);
  // The exact file that a move left must not reappear there: reconciling would take it for a killed move.
  const earlier = [before.file.note, note].map(({ updatedAt }) => (parseTime(updatedAt) ?? 0) + 1000);
  const moved = target.journal === place.journal ? {} : { updatedAt: formatTime(Math.max(atMs, ...earlier)) };
  return { file: setNoteFields(file, { scope, ...moved }), place: target };
};

/** True if the note is still where the event put it. */
const isPut = (after: PastNote, { place }: Pick<KnownNote, 'place'>): boolean => isAt(place, after.place);

/** False if the move took along what a person had typed into the file, which only the local journal has. */
const isOnlyMoved = (before: PastNote, after: PastNote): boolean => {
  const { scope, project } = after.file.note;
  return saysTheSame(setNoteFields(before.file, { scope, project }), after.file);
};

/** Front matter keys of single values that the event set and that were set again since. */
const contestedKeys = (after: Note, before: Note, now: Note): readonly string[] =>
  singleKeys
    .filter((key) => before[key] !== after[key] && now[key] !== after[key] && now[key] !== before[key])
    .map((key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

const singleKeys = [
  'type',
  'title',
  'project',
  'confidence',
  'importance',
  'expiresAt',
  'sensitive',
] as const satisfies readonly (keyof Note)[];

const changedSince = (eventId: string, { id, changedBy }: NoteEffect, instead: string): Refusal => ({
  code: 'changed-since',
  message: `event ${eventId} can't be taken back: note ${id} was changed since${changedBy === undefined ? '' : ` by event ${changedBy.id} (${changedBy.kind})`}`,
  next: `${changedBy === undefined ? '' : `undo that one first: anamnesis undo ${changedBy.id}, or `}use: ${instead}`,
});

const staysLocal = (id: NoteId, eventId: string, why: string): Refusal => ({
  code: 'stays-local',
  message: `event ${eventId} made note ${id} machine-local, and ${why}: undoing would publish or lose that`,
  next: `if it is meant for all machines: anamnesis move ${id} --scope portable`,
});

const wasLocalThen = (id: NoteId, eventId: string): Refusal => ({
  code: 'text-was-local',
  message: `event ${eventId} changed note ${id} while it was machine-local, and it is portable now: undoing would publish what it said before`,
  next: `if that is meant for all machines: anamnesis restore ${id} --at POINT --scope portable; anamnesis history ${id} shows the points`,
});
