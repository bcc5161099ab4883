/** Finds notes by title; those that are gone, by the last title that they had. */
import type { Journal } from '../events/journal.js';
import { cutLongTitle, type JournalName, journalNames, type NoteId } from '../events/note/note.js';
import { parseNoteFile } from '../events/note/note-file.js';
import {
  type GoneNote,
  goneNotes,
  notesTitled,
  type TitleMatch,
  type TitleOfNote,
  titlesHere,
} from '../projections/index/titles.js';
import type { Reading } from './reading.js';

/**
 * Notes with these words as title, ignoring case, or else containing them. Live ones before superseded or expired ones,
 * and those before gone ones, never two of these kinds together; at most 20.
 */
export const titledNotes = async (
  reading: Reading,
  words: string,
  nowSeconds: number,
): Promise<readonly TitleMatch[]> => {
  const here = await reading.liveIndex.ask((database) => titlesHere(database, nowSeconds));
  const whole = notesTitled(here, words, true);
  if (whole.length > 0) return whole.slice(0, maxTitled);
  const gone = await readGoneTitles(reading);
  const found = notesTitled([gone], words, true);
  return (found.length > 0 ? found : notesTitled([...here, gone], words, false)).slice(0, maxTitled);
};

/** A refusal names them all. */
const maxTitled = 20;
/** Only the last so many to go are searched: a person who wants one back remembers a recent one. */
const mostGone = 2000;

/** Last gone first. If forgetting did not record a title, reads the removed file: two git calls per journal. */
const readGoneTitles = async ({ liveIndex, journals }: Reading): Promise<readonly TitleOfNote[]> => {
  const gone = await liveIndex.ask((database) => goneNotes(database, mostGone));
  const removed = new Map<JournalName, ReadonlyMap<NoteId, string>>();
  for (const name of journalNames) {
    const untitled = gone.filter(({ journal, title }) => journal === name && title === null);
    if (untitled.length > 0) removed.set(name, await titlesRemoved(journals[name], name, untitled));
  }
  const titles = new Map<NoteId, string>();
  for (const { id, journal, title } of gone) {
    const known = title ?? removed.get(journal)?.get(id);
    if (known !== undefined && !titles.has(id)) titles.set(id, known);
  }
  return [...titles].map(([id, title]) => ({ id, title }));
};

const titlesRemoved = async (
  journal: Pick<Journal, 'changesOf' | 'blobs'>,
  name: JournalName,
  gone: readonly GoneNote[],
): Promise<ReadonlyMap<NoteId, string>> => {
  const changes = [...(await journal.changesOf([...new Set(gone.map(({ commit }) => commit))])).values()].flat();
  const wanted = changes.flatMap(({ path, before, after }) =>
    before === undefined || after !== undefined ? [] : [{ path, blob: before }],
  );
  const contents = await journal.blobs([...new Set(wanted.map(({ blob }) => blob))]);
  return new Map(
    wanted.flatMap(({ path, blob }): readonly (readonly [NoteId, string])[] => {
      const bytes = contents.get(blob);
      const parsed = bytes === undefined ? undefined : parseNoteFile(bytes, name, path);
      return parsed?.ok === true ? [[parsed.file.note.id, cutLongTitle(parsed.file.note.title)]] : [];
    }),
  );
};
