/** How one note changed: by its last event, or between two points of the history. */
import type { EventJson } from '../answers/history-schema.js';
import { diffLines, formatUnified } from '../events/note/line-diff.js';
import { journalFolder, journalNames, type NoteId } from '../events/note/note.js';
import { idOfPath } from '../events/note/paths.js';
import type { Memory } from '../store/memory.js';
import type { Revision } from '../store/revision.js';

/** Unified lines of the note's file for each event, in their order; none where the event left the file alone. */
export const patchesOfNote = async (
  memory: Memory,
  id: NoteId,
  events: readonly Pick<EventJson, 'commit' | 'journal'>[],
): Promise<readonly (readonly string[])[]> => {
  const patches: (readonly string[])[] = [];
  for (const { commit, journal: folder } of events) {
    const name = journalNames.find((one) => journalFolder[one] === folder) ?? 'portable';
    const [parent] = await memory.journals[name].parents(commit);
    patches.push(await patchOfNote(memory, id, { [name]: parent }, { [name]: commit }));
  }
  return patches;
};

/** The time of the change stands beside the event. */
const withoutMoment = (text: string): string => text.replace(/^updated_at: .*\n/m, '');

/** From one point to another; a journal that neither names is left out. */
export const patchOfNote = async (
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
    // A change of type moves the file: its two paths are one note.
    const old = changes.map((one) => textOf(one.before)).join('');
    const now = changes.map((one) => textOf(one.after)).join('');
    lines.push(...formatUnified(diffLines(old, now)));
  }
  return lines;
};
