/** Which foreign notes would only say again what a note says already. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ForeignNote } from '../commands/foreign-note.js';
import { idOfForeign } from '../commands/import-notes.js';
import { journalNames } from '../events/note/note.js';
import { redact } from '../events/note/redact.js';
import { idsThere, notesOfLength } from '../projections/index/same-text.js';
import type { Memory } from '../store/memory.js';
import { openNoteTexts } from '../store/note-texts.js';

/**
 * Without the notes that ask for it and whose text another note has, here or before them in the list; white space
 * around a text does not count. A note that is there already stays: it may have a newer text.
 */
export const dropKnownTexts = async (
  memory: Memory,
  notes: readonly ForeignNote[],
): Promise<readonly ForeignNote[]> => {
  const asking = notes.filter(({ skipWhenTextKnown, body }) => skipWhenTextKnown === true && body.trim() !== '');
  if (asking.length === 0) return notes;
  // A store that is not there yet is not made by asking it.
  const exists = journalNames.some((name) => memory.journals[name].exists());
  const there = exists
    ? await memory.liveIndex.ask((database) =>
        idsThere(
          database,
          asking.map((note) => idOfForeign(note)),
        ),
      )
    : new Set<string>();
  const textByNote = new Map(
    asking.filter((note) => !there.has(idOfForeign(note))).map((note) => [note, textOf(note.body)]),
  );
  const known = exists ? await readKnownTexts(memory, new Set(textByNote.values())) : new Set<string>();
  return notes.filter((note) => {
    const text = textByNote.get(note);
    if (text === undefined) return true;
    if (known.has(text)) return false;
    known.add(text);
    return true;
  });
};

/** As a note holds it: without its secrets. */
const textOf = (body: string): string => redact(body).text.trim();

/** The index knows lengths with the white space around a text; more of it than this makes another text. */
const maxSpace = 16;
const pauseAfter = 200;

/** Those of the texts that notes have. */
const readKnownTexts = async (memory: Memory, texts: ReadonlySet<string>): Promise<Set<string>> => {
  const units = [...texts].flatMap((text) => Array.from({ length: maxSpace + 1 }, (_, more) => text.length + more));
  const known = new Set<string>();
  if (units.length === 0) return known;
  const candidates = await memory.liveIndex.ask((database) => notesOfLength(database, units));
  const reader = openNoteTexts(memory.journals, () => undefined);
  for (let at = 0; at < candidates.length; at += pauseAfter) {
    for (const { body } of await reader.read(candidates.slice(at, at + pauseAfter))) {
      const text = body.trim();
      if (texts.has(text)) known.add(text);
    }
    await nextTurn();
  }
  return known;
};
