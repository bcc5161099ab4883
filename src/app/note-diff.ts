/** What each event changed in one note. */
import type { EventJson } from '../answers/history-schema.js';
import { diffLines, formatUnified } from '../events/note/line-diff.js';
import { type JournalName, journalFolder, journalNames, type NoteId } from '../events/note/note.js';
import { idOfPath } from '../events/note/paths.js';
import type { Memory } from '../store/memory.js';
import type { Revision } from '../store/revision.js';

/**
 * Returns a unified diff of the note's file for each event, in the given order; empty if the event left the file alone.
 */
export const patchesOfNote = async (
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
