/** Conflicts left by sync and adopt: lists the open ones with their differences, and applies a person's verdicts. */
import type { Conflict, Conflicts, LostValue } from '../answers/machines-schema.js';
import { markConflict } from '../commands/conflict-marks.js';
import { noteUnknown, type Refusal } from '../commands/refusals.js';
import type { ResolveConflict } from '../commands/resolve-conflict.js';
import { diffLines, formatUnified } from '../events/note/line-diff.js';
import { cutLongTitle, type NoteId, shownTitle } from '../events/note/note.js';
import { parseNoteFile } from '../events/note/note-file.js';
import { titleOfCopy } from '../events/note/note-links.js';
import { idOfPath } from '../events/note/paths.js';
import { type ListedEvent, lastEvents, listEvents } from '../projections/history/query.js';
import { type ConflictFilter, lostValues, openConflicts } from '../projections/index/conflicts.js';
import { filesOfNote } from '../projections/index/query.js';
import { shortNoteIds } from '../projections/short-ids.js';
import { type Answer, type Asker, type Memory, unchanged } from '../store/memory.js';
import type { NoteJson } from '../store/note-json.js';
import type { Lookup, Reading } from '../store/reading.js';

/** Returns open conflicts, newest first, each with at most `diffLines` lines of its diff. Doesn't create a store. */
export const readConflicts = async (
  reading: Reading,
  filter: ConflictFilter,
  most: { readonly conflicts: number; readonly diffLines: number },
): Promise<Conflicts> => {
  if (reading.isEmpty()) return { conflicts: [], total: 0 };
  const open = await reading.liveIndex.ask((database) => openConflicts(database, filter, most.conflicts));
  const conflicts: Conflict[] = [];
  for (const { copy, original } of open.conflicts) {
    const shown = await readPair(reading, copy.id, original);
    // A copy that was settled a moment ago is no longer a conflict.
    if (shown === undefined) continue;
    const sides = await sidesOf(reading, shown);
    conflicts.push(describeConflict({ ...shown, ...sides }, most.diffLines));
  }
  return { conflicts, total: open.total };
};

/** Returns single values that a merge replaced with another machine's, newest first. Doesn't create a store. */
export const readLostValues = async (reading: Reading, limit: number): Promise<readonly LostValue[]> =>
  (await reading.ask((database) => {
    const lost = lostValues(database, {}, limit);
    const shortIds = shortNoteIds(
      database,
      lost.map(({ noteId }) => noteId),
    );
    return lost.map(({ noteId, key, value, eventId, at, machine }) => ({
      note: noteId,
      short_id: shortIds.get(noteId) ?? noteId,
      title: filesOfNote(database, noteId)[0]?.title ?? null,
      key,
      value,
      event: eventId,
      at,
      machine,
    }));
  })) ?? [];

/** Both notes of one conflict in their present state; `note` is undefined if it is gone. */
export type ConflictPair = {
  readonly copy: NoteJson;
  readonly note: NoteJson | undefined;
  readonly original: NoteId;
  readonly sides: Sides;
};

/** The machines that wrote the two present texts; the note's is undefined if the history doesn't tell. */
export type Sides = { readonly copy: string; readonly note: string | undefined };

/**
 * Finds the conflict that an id, its beginning or its end refers to: of a copy, or of a note with exactly one. Refused
 * with the copies' ids if there are several; 'settled' if it has been resolved.
 */
export const findConflict = async (reading: Reading, given: string): Promise<Lookup<ConflictPair | 'settled'>> => {
  const found = await reading.resolveId(given);
  if (!found.ok) return found;
  const id = found.answer;
  if (reading.isEmpty()) return { ok: false, refusal: noteUnknown(id) };
  const open = await reading.liveIndex.ask((database) => openConflicts(database, { about: id }, 100));
  const [only, ...others] = open.conflicts;
  if (only === undefined) {
    const asked = { note: id, kind: 'conflict.resolved' };
    const [settled] = await reading.liveIndex.ask((database) => listEvents(database, asked, 1));
    return settled === undefined ? { ok: false, refusal: noConflict(id) } : { ok: true, answer: 'settled' };
  }
  if (others.length > 0) return { ok: false, refusal: severalConflicts(id, open.conflicts) };
  const pair = await readPair(reading, only.copy.id, only.original);
  if (pair === undefined) return { ok: true, answer: 'settled' };
  return { ok: true, answer: { ...pair, ...(await sidesOf(reading, pair)) } };
};

export type ResolveVerdict = ResolveConflict['verdict'];

type Resolution = Pick<ResolveConflict, 'verdict' | 'body'> & {
  /** True if the person saw both texts: the command is refused if either has changed since. */
  readonly asSeen: boolean;
};

export const settledAlready = { ...unchanged, warnings: ['its conflict is already resolved'] };

/** Both bodies in one text, with git's markers where they differ; undefined if the note is gone. */
export const markedText = ({ copy, note }: ConflictPair): string | undefined =>
  note === undefined ? undefined : markConflict(note.body ?? '', copy.body ?? '');

/** `ours` also takes the copy's title if the titles clashed in the same merge. */
export const resolveConflict = async (
  memory: Memory,
  { copy, note, original }: Omit<ConflictPair, 'sides'>,
  { verdict, body, asSeen }: Resolution,
  asker?: Asker,
): Promise<Answer> => {
  const title = verdict === 'ours' && note !== undefined ? await lostTitle(memory, original, copy) : undefined;
  const expected = asSeen ? { note: note?.version, copy: copy.version } : undefined;
  const command: ResolveConflict = {
    kind: 'resolve-conflict',
    copy: copy.id,
    original,
    verdict,
    title,
    body,
    expected,
  };
  const answer = await memory.perform(command, asker);
  if (answer.status === 'refused' || note === undefined || note.scope === copy.scope) return answer;
  const forgotten = await memory.perform({ kind: 'forget', id: copy.id }, { ...asker, commandId: undefined });
  return forgotten.status === 'refused'
    ? forgotten
    : { ...answer, status: 'recorded', event: answer.event ?? forgotten.event };
};

/** Limit on the lost titles read: older ones aren't from the merge that the person is looking at. */
const maxLostTitles = 1000;

const lostTitle = async (reading: Reading, original: NoteId, copy: NoteJson): Promise<string | undefined> => {
  const lost = await reading.liveIndex.ask((database) => lostValues(database, { note: original }, maxLostTitles));
  const titles = lost.flatMap(({ key, value }) => (key === 'title' && typeof value === 'string' ? [value] : []));
  return titles.find((title) => isTitleOf(copy, title));
};

const isTitleOf = (copy: NoteJson, title: string): boolean =>
  titleOfCopy(copy.title) === [...title].slice(0, titleCharsOfCopy).join('').trimEnd();

/** A copy's title keeps this many characters of a long title. */
const titleCharsOfCopy = 280;

const readPair = async (
  reading: Reading,
  copy: NoteId,
  original: NoteId,
): Promise<Omit<ConflictPair, 'sides'> | undefined> => {
  const [shown, other] = [await reading.show(copy), await reading.show(original)];
  return shown.ok ? { copy: shown.answer, note: other.ok ? other.answer : undefined, original } : undefined;
};

/** A copy keeps the note's `machine_id`; only the note's events tell which machine wrote its text. */
const sidesOf = async (
  reading: Reading,
  { copy, note, original }: Omit<ConflictPair, 'sides'>,
): Promise<{ readonly sides: Sides; readonly shortIds: ReadonlyMap<NoteId, string> }> => {
  const { file, shortIds } = await reading.liveIndex.ask((database) => ({
    file: filesOfNote(database, original)[0],
    shortIds: shortNoteIds(database, [original]),
  }));
  const isUnrecorded = file !== undefined && note !== undefined && file.version !== note.version;
  const machineOf = ({ body = '' }: NoteJson): Promise<string | undefined> => machineOfText(reading, original, body);
  const sides = {
    copy: (await machineOf(copy)) ?? (await machineOfText(reading, copy.id, copy.body ?? '')) ?? copy.machine_id,
    note: isUnrecorded ? reading.settings.machine : note && (await machineOf(note)),
  };
  return { sides, shortIds };
};

const describeConflict = (
  { copy, note, original, sides, shortIds }: ConflictPair & { readonly shortIds: ReadonlyMap<NoteId, string> },
  most: number,
): Conflict => {
  const lines = [...titleLines(copy, note), ...formatUnified(diffLines(note?.body ?? '', copy.body ?? ''))];
  return {
    id: copy.id,
    short_id: copy.short_id,
    title: cutLongTitle(copy.title),
    project: copy.project,
    machine: sides.copy,
    created_at: copy.created_at,
    conflicts_with: {
      id: original,
      short_id: shortIds.get(original) ?? original,
      title: note === undefined ? null : titleOf(note),
      machine: sides.note ?? null,
    },
    diff: lines.slice(0, most),
    more_lines: Math.max(0, lines.length - most),
  };
};

const titleOf = ({ title, body = '' }: NoteJson): string => shownTitle({ title, body });

const titleLines = (copy: NoteJson, note: NoteJson | undefined): readonly string[] =>
  note === undefined || isTitleOf(copy, titleOf(note))
    ? []
    : [`-title: ${titleOf(note)}`, `+title: ${cutLongTitle(titleOfCopy(copy.title))}`];

const noConflict = (id: NoteId): Refusal => ({
  code: 'no-conflict',
  message: `note ${id} has no conflict`,
  next: 'anamnesis conflicts lists the notes that have one',
});

const severalConflicts = (id: NoteId, open: readonly { readonly copy: { readonly id: NoteId } }[]): Refusal => ({
  code: 'several-conflicts',
  message: `note ${id} is in ${open.length} conflicts: ${open.map(({ copy }) => copy.id).join(', ')}`,
  next: `resolve them one at a time by these ids: anamnesis resolve ${open.find(({ copy }) => copy.id !== id)?.copy.id ?? id}`,
});

/**
 * The machine of the newest event that gave the note this body, or of the one before if it only brought it back, in the
 * journal's order; undefined if the last events don't tell. Spawns git for each event.
 */
export const machineOfText = async (reading: Reading, note: NoteId, body: string): Promise<string | undefined> => {
  let broughtBack: string | undefined;
  for (const event of await reading.liveIndex.ask((database) => lastEvents(database, { note }, maxEvents))) {
    if (!(await bodiesMadeBy(reading, note, event)).includes(body)) continue;
    if (!bringingBack.has(event.kind)) return event.machine;
    broughtBack ??= event.machine;
  }
  return broughtBack;
};

/** Events that mostly choose, bring back or join earlier texts of the note, which another machine may have written. */
const bringingBack: ReadonlySet<string> = new Set([
  'event.undone',
  'note.restored',
  'machines.merged',
  'conflict.resolved',
]);

const maxEvents = 200;

/** Returns the note's bodies after the event, without those that were there before it. */
const bodiesMadeBy = async (
  { journals }: Reading,
  id: NoteId,
  { journal: name, commit }: ListedEvent,
): Promise<readonly string[]> => {
  const journal = journals[name];
  const [parent] = await journal.parents(commit);
  const changes = (await journal.diff(parent, commit)).filter(({ path }) => idOfPath(path) === id);
  const blobs = await journal.blobs(changes.flatMap(({ before, after }) => [before ?? [], after ?? []].flat()));
  const bodiesOf = (side: 'before' | 'after'): readonly string[] =>
    changes.flatMap((change) => {
      const bytes = blobs.get(change[side] ?? '');
      const parsed = bytes === undefined ? undefined : parseNoteFile(bytes, name, change.path);
      return parsed?.ok === true ? [parsed.file.note.body] : [];
    });
  const before = bodiesOf('before');
  return bodiesOf('after').filter((body) => !before.includes(body));
};
