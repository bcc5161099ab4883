/** Finds the machine that wrote a note's present text, by what the note's events did to its body. */
import type { NoteId } from '../events/note/note.js';
import { parseNoteFile } from '../events/note/note-file.js';
import { idOfPath } from '../events/note/paths.js';
import { type ListedEvent, lastEvents } from '../projections/history/query.js';
import { filesOfNote } from '../projections/index/query.js';
import type { NoteJson } from '../store/note-json.js';
import type { Reading } from '../store/reading.js';

/**
 * Follows the journal's order, whatever the clocks said. An event that only tagged the note, or whose text went to a
 * conflict copy, wrote none of the text. Nor did one that only set the title: if title and text both clash, each may
 * come from another machine. Undefined if the last events don't tell. Spawns git for each event that it looks at.
 */
export const machineOfText = async (
  reading: Pick<Reading, 'settings' | 'journals' | 'liveIndex'>,
  { id, version }: Pick<NoteJson, 'id' | 'version'>,
): Promise<string | undefined> => {
  const { file, events } = await reading.liveIndex.ask((database) => ({
    file: filesOfNote(database, id)[0],
    events: lastEvents(database, { note: id }, maxEvents),
  }));
  // The file was changed by hand, which isn't recorded yet.
  if (file !== undefined && file.version !== version) return reading.settings.machine;
  let broughtBack: { readonly texts: readonly string[]; readonly machine: string } | undefined;
  for (const event of events) {
    const made = await bodiesMadeBy(reading, id, event);
    if (made.length === 0 || (broughtBack !== undefined && !made.some((text) => broughtBack?.texts.includes(text))))
      continue;
    if (!bringingBack.has(event.kind)) return event.machine;
    broughtBack ??= { texts: made, machine: event.machine };
  }
  return broughtBack?.machine;
};

/** Events that mostly bring back or join earlier texts of the note, which another machine may have written. */
const bringingBack: ReadonlySet<string> = new Set(['event.undone', 'note.restored', 'machines.merged']);

const maxEvents = 200;

/**
 * Returns the machine that wrote a conflict copy's text. If a command folded another file of the note into the copy,
 * the command's machine only kept what another machine had written there.
 */
export const machineOfCopy = async (
  reading: Pick<Reading, 'settings' | 'journals' | 'liveIndex'>,
  copy: Pick<NoteJson, 'id' | 'version'>,
  original: NoteId,
): Promise<string | undefined> => {
  const machine = await machineOfText(reading, copy);
  const eventsOf = (note: NoteId): Promise<readonly ListedEvent[]> =>
    reading.liveIndex.ask((database) => lastEvents(database, { note }, maxEvents));
  for (const made of await eventsOf(copy.id)) {
    const [body] = await bodiesMadeBy(reading, copy.id, made);
    if (body === undefined || (bringingBack.has(made.kind) && made.kind !== 'machines.merged')) continue;
    if (madeByMerging.has(made.kind)) return machine;
    const isBefore = ({ journal, depth }: ListedEvent): boolean => journal === made.journal && depth < made.depth;
    for (const event of (await eventsOf(original)).filter(isBefore)) {
      if ((await bodiesMadeBy(reading, original, event)).includes(body)) return event.machine;
    }
    return machine;
  }
  return machine;
};

/** Events whose text comes from the machine that they name. */
const madeByMerging: ReadonlySet<string> = new Set(['conflict.recorded', 'hand.adopted', 'note.edited']);

/** Returns the note's bodies after the event, without those that were there before it. */
const bodiesMadeBy = async (
  { journals }: Pick<Reading, 'journals'>,
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
