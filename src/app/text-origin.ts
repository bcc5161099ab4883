/** The machine that wrote what a note says now, told from what its events did to its body. */
import type { NoteId } from '../events/note/note.js';
import { parseNoteFile } from '../events/note/note-file.js';
import { idOfPath } from '../events/note/paths.js';
import { type ListedEvent, lastEvents } from '../projections/history/query.js';
import { filesOfNote } from '../projections/index/query.js';
import type { NoteJson } from '../store/note-json.js';
import type { Reading } from '../store/reading.js';

/**
 * By the journal's order, whatever the clocks said: an event that only tagged the note, or whose text went to a conflict
 * copy, wrote none of it. Nor did one that only set the title: where title and text both clash, each may be another machine's. Undefined where the last events don't tell. Spawns git for each event that it looks at.
 */
export const machineOfText = async (
  reading: Pick<Reading, 'settings' | 'journals' | 'liveIndex'>,
  { id, version }: Pick<NoteJson, 'id' | 'version'>,
): Promise<string | undefined> => {
  const { file, events } = await reading.liveIndex.ask((database) => ({
    file: filesOfNote(database, id)[0],
    events: lastEvents(database, { note: id }, maxEvents),
  }));
  // A file that was changed by hand and isn't recorded yet.
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

/** Events whose text is mostly an earlier one of the note, so that somebody else may have written it. */
const bringingBack: ReadonlySet<string> = new Set(['event.undone', 'note.restored']);

const maxEvents = 200;

/**
 * The machine that wrote what a conflict copy says. Where a command folded a further file of the note into it, the command's
 * machine only kept what another one had written there.
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
    if (body === undefined || bringingBack.has(made.kind)) continue;
    if (madeByMerging.has(made.kind)) return machine;
    const isBefore = ({ journal, depth }: ListedEvent): boolean => journal === made.journal && depth < made.depth;
    for (const event of (await eventsOf(original)).filter(isBefore)) {
      if ((await bodiesMadeBy(reading, original, event)).includes(body)) return event.machine;
    }
    return machine;
  }
  return machine;
};

/** Their text is that of the machine that they name. */
const madeByMerging: ReadonlySet<string> = new Set(['conflict.recorded', 'hand.adopted', 'note.edited']);

/** As the event left them, where they were others before it. */
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
