/** Finds the machine that wrote a text of a note, by what the note's events did to its body. */
import type { NoteId } from '../events/note/note.js';
import { parseNoteFile } from '../events/note/note-file.js';
import { idOfPath } from '../events/note/paths.js';
import { type ListedEvent, lastEvents } from '../projections/history/query.js';
import type { Reading } from '../store/reading.js';

/**
 * The machine of the newest event that gave the note this body, or, if one only brought it back or joined it, of the
 * event before that did. Follows the journal's order, whatever the clocks said; undefined if the last events don't
 * tell. Spawns git for each event that it looks at.
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
