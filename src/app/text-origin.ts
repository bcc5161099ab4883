/** The machine that wrote what a note says now, told from what its events did to its title and body. */
import type { NoteId } from '../events/note/note.js';
import { parseNoteFile } from '../events/note/note-file.js';
import { idOfPath } from '../events/note/paths.js';
import { type ListedEvent, lastEvents } from '../projections/history/query.js';
import { filesOfNote } from '../projections/index/query.js';
import type { NoteJson } from '../store/note-json.js';
import type { Reading } from '../store/reading.js';

/**
 * By the journal's order, whatever the clocks said: an event that only tagged the note, or whose text went to a conflict
 * copy, wrote none of it. Undefined where the last events don't tell. Spawns git for each event that it looks at.
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
  for (const event of events) if (await madeText(reading, id, event)) return event.machine;
  return undefined;
};

const maxEvents = 200;

const madeText = async (
  { journals }: Pick<Reading, 'journals'>,
  id: NoteId,
  { journal: name, commit }: ListedEvent,
): Promise<boolean> => {
  const journal = journals[name];
  const [parent] = await journal.parents(commit);
  const changes = (await journal.diff(parent, commit)).filter(({ path }) => idOfPath(path) === id);
  const blobs = await journal.blobs(changes.flatMap(({ before, after }) => [before ?? [], after ?? []].flat()));
  const textsOf = (side: 'before' | 'after'): readonly string[] =>
    changes.flatMap((change) => {
      const bytes = blobs.get(change[side] ?? '');
      const parsed = bytes === undefined ? undefined : parseNoteFile(bytes, name, change.path);
      return parsed?.ok === true ? [JSON.stringify([parsed.file.note.title, parsed.file.note.body])] : [];
    });
  const before = textsOf('before');
  return textsOf('after').some((text) => !before.includes(text));
};
