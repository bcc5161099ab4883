/** Drops foreign notes that would only repeat what another note says. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ForeignNote } from '../commands/foreign-note.js';
import { idOfForeign } from '../commands/import-notes.js';
import { journalNames } from '../events/note/note.js';
import { redact } from '../events/note/redact.js';
import { idsThere, notesOfLength } from '../projections/index/same-text.js';
import type { Memory } from '../store/memory.js';

/**
 * Drops the notes with `skipWhenTextKnown` whose text another note has, in the store or earlier in the list; white
 * space around a text does not count. Keeps a note that is already in the store: its text may be newer.
 */
export const dropKnownTexts = async (
  memory: Memory,
  notes: readonly ForeignNote[],
): Promise<readonly ForeignNote[]> => {
  const asking = notes.filter(({ skipWhenTextKnown, body }) => skipWhenTextKnown === true && body.trim() !== '');
  if (asking.length === 0) return notes;
  // Asking a store that does not exist yet would create it.
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

/** The text as a note stores it: with its secrets masked. */
const textOf = (body: string): string => redact(body).text.trim();

/** The index counts the white space around a text in its length; a text with more than this counts as another one. */
const maxSpace = 16;
const pauseAfter = 200;

/** Returns those of the texts that a note has. */
const readKnownTexts = async (memory: Memory, texts: ReadonlySet<string>): Promise<Set<string>> => {
  const units = [...texts].flatMap((text) => Array.from({ length: maxSpace + 1 }, (_, more) => text.length + more));
  const known = new Set<string>();
  if (units.length === 0) return known;
  const candidates = await memory.liveIndex.ask((database) => notesOfLength(database, units));
  const reader = memory.texts;
  for (let at = 0; at < candidates.length; at += pauseAfter) {
    for (const { body } of await reader.read(candidates.slice(at, at + pauseAfter))) {
      const text = body.trim();
      if (texts.has(text)) known.add(text);
    }
    await nextTurn();
  }
  return known;
};
