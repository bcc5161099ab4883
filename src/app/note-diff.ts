/** What each event changed in one note. */
import type { EventJson } from '../answers/history-schema.js';
import { diffLines, formatUnified } from '../events/note/line-diff.js';
import { cutLongTitle, type JournalName, journalFolder, journalNames, type NoteId } from '../events/note/note.js';
import { type NoteFile, parseNoteFile } from '../events/note/note-file.js';
import { conflictsWith, titleOfCopy } from '../events/note/note-links.js';
import { idOfPath } from '../events/note/paths.js';
import type { Memory } from '../store/memory.js';
import type { Revision } from '../store/revision.js';

/**
 * Returns a unified diff of the note's file for each event, in the given order; empty if the event left the file alone.
 */
const patchesOfNote = async (
  memory: Memory,
  id: NoteId,
  events: readonly Pick<EventJson, 'commit' | 'journal'>[],
): Promise<readonly (readonly string[])[]> => {
  const patches: (readonly string[])[] = [];
  for (const { commit, journal: folder } of events) {
    const name = nameOf(folder);
    const [parent] = await memory.journals[name].parents(commit);
    patches.push(await patchOfNote(memory, id, { [name]: parent }, { [name]: commit }));
  }
  return patches;
};

/**
 * The diff lines of an event for a note, or for its conflict copy if the event was a clash that saved the text there.
 */
export type EventPatch = { readonly lines: readonly string[]; readonly ofCopy: boolean };

/** Like `patchesOfNote`, but for a clash, which left the note as it was, returns the diff of its conflict copy. */
export const patchesWithCopies = async (
  memory: Memory,
  id: NoteId,
  events: readonly Pick<EventJson, 'commit' | 'journal' | 'kind'>[],
): Promise<readonly EventPatch[]> => {
  const patches: EventPatch[] = [];
  for (const [at, lines] of (await patchesOfNote(memory, id, events)).entries()) {
    const event = events[at];
    const isClash = lines.length === 0 && (event?.kind === 'machines.merged' || event?.kind === 'conflict.recorded');
    const ofCopy = isClash ? await patchOfCopy(memory, id, event) : [];
    patches.push(ofCopy.length > 0 ? { lines: ofCopy, ofCopy: true } : { lines, ofCopy: false });
  }
  return patches;
};

/** Diffs the unchanged note against the conflict copy that the commit made; empty if it made no copy of this note. */
const patchOfCopy = async (
  memory: Memory,
  id: NoteId,
  { commit, journal: folder }: Pick<EventJson, 'commit' | 'journal'>,
): Promise<readonly string[]> => {
  const name = nameOf(folder);
  const journal = memory.journals[name];
  const [parent] = await journal.parents(commit);
  const made = (await journal.diff(parent, commit)).filter(({ before, path }) => before === undefined && isNote(path));
  const kept = (await journal.notes(commit)).find(({ path }) => idOfPath(path) === id);
  const blobs = await journal.blobs([...made.map(({ after }) => after ?? ''), kept?.blob ?? ''].filter(Boolean));
  const fileOf = (path: string, blob: string | undefined): NoteFile | undefined => {
    const bytes = blobs.get(blob ?? '');
    const parsed = bytes === undefined ? undefined : parseNoteFile(bytes, name, path);
    return parsed?.ok === true ? parsed.file : undefined;
  };
  const copies = made.flatMap(({ path, after }) => fileOf(path, after) ?? []);
  const copy = copies.find((file) => conflictsWith(file) === id)?.note;
  if (copy === undefined) return [];
  const note = kept === undefined ? undefined : fileOf(kept.path, kept.blob)?.note;
  const [was, is] = [note?.title ?? '', titleOfCopy(copy.title)];
  return [
    ...(was === is ? [] : [`-title: ${cutLongTitle(was)}`, `+title: ${cutLongTitle(is)}`]),
    ...formatUnified(diffLines(note?.body ?? '', copy.body)),
  ];
};

const isNote = (path: string): boolean => idOfPath(path) !== undefined;

const nameOf = (folder: EventJson['journal']): JournalName =>
  journalNames.find((one) => journalFolder[one] === folder) ?? 'portable';

/** The event already shows the time of the change. */
const withoutMoment = (text: string): string => text.replace(/^updated_at: .*\n/m, '');

/** Diffs the note between two points; skips a journal that has no commit at `after`. */
const patchOfNote = async (
  memory: Memory,
  id: NoteId,
  before: Revision,
  after: Revision,
): Promise<readonly string[]> => {
  const lines: string[] = [];
  for (const name of journalNames) {
    const journal = memory.journals[name];
    const [start, end] = [before[name], after[name]];
    if (end === undefined) continue;
    const changes = (await journal.diff(start, end)).filter(({ path }) => idOfPath(path) === id);
    const blobs = await journal.blobs(changes.flatMap(({ before: old, after: now }) => [old ?? [], now ?? []].flat()));
    const textOf = (blob: string | undefined): string => withoutMoment(blobs.get(blob ?? '')?.toString() ?? '');
    // A change of type moves the file, so both paths are the same note.
    const old = changes.map((one) => textOf(one.before)).join('');
    const now = changes.map((one) => textOf(one.after)).join('');
    lines.push(...formatUnified(diffLines(old, now)));
  }
  return lines;
};
