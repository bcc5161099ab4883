/** Queries the store as it was: builds an index of that point beside the present one, and reads bodies from git. */
import { join } from 'node:path';
import { journalNames, type Note, type NoteId } from '../events/note/note.js';
import { parseNoteFile } from '../events/note/note-file.js';
import { askPast } from '../maintenance/replaying.js';
import { type Access, filesOfNote, type IndexedNote } from '../projections/index/query.js';
import { explainRanking } from '../projections/search/explain.js';
import { shortNoteIds } from '../projections/short-ids.js';
import type { Memory } from '../store/memory.js';
import { type NoteJson, noteJson } from '../store/note-json.js';
import type { Lookup } from '../store/reading.js';
import { readTypedId, resolveTyped } from '../store/resolve-id.js';
import { resolveRevision } from '../store/revision.js';
import { makeHit } from '../store/search-hit.js';
import { noAnswer, type SearchAnswer, type SearchOptions } from '../store/search-options.js';
import { searchIndex } from '../store/searching.js';

export const searchPast = async (
  memory: Memory,
  at: string,
  text: string,
  { mode = 'auto', ...options }: SearchOptions,
): Promise<SearchAnswer> => {
  if (!memory.exists()) return noAnswer;
  const isDegraded = mode !== 'auto' && mode !== 'keyword';
  const nowSeconds = await secondsAt(memory, at);
  return askPast(memory, at, async (database) => {
    const explainer = options.explain === true ? explainRanking : undefined;
    const { ranking, about } = searchIndex(database, text, options, nowSeconds, undefined, explainer);
    const notes = await readNotes(
      memory,
      ranking.hits.map(({ note }) => note),
    );
    const ids = ranking.hits.map(({ note }) => note.id);
    // The short ids of today, since that is when they will be typed.
    const shortIds = await memory.liveIndex.ask((present) => shortNoteIds(present, ids));
    const hits = ranking.hits.map(
      (ranked, index) => makeHit(ranked, shortIds, notes[index]?.body ?? '', ranking.words).hit,
    );
    const degraded = { mode: 'keyword', degraded: 'searching the past uses words alone' } as const;
    return { hits, total: ranking.total, about: isDegraded ? { ...about, ...degraded } : about };
  });
};

export const showPast = async (
  memory: Memory,
  given: string,
  at: string,
  access: Access,
): Promise<Lookup<NoteJson>> => {
  const typed = readTypedId(given);
  if (!typed.ok) return typed;
  const { text, isWhole } = typed.answer;
  if (!memory.exists()) return notThere(text, at);
  return askPast(memory, at, async (database): Promise<Lookup<NoteJson>> => {
    const found: Lookup<NoteId> = isWhole ? { ok: true, answer: text } : resolveTyped(database, text, access);
    if (!found.ok) return found.refusal.code === 'note-unknown' ? notThere(text, at) : found;
    const id = found.answer;
    const [indexed] = filesOfNote(database, id);
    const [note] = indexed === undefined ? [] : await readNotes(memory, [indexed]);
    if (indexed === undefined || note === undefined) return notThere(id, at);
    const path = join(memory.journals[indexed.journal].folder, indexed.path);
    const shortId = (await memory.liveIndex.ask((present) => shortNoteIds(present, [id]))).get(id) ?? id;
    const { version, supersededBy } = indexed;
    return { ok: true, answer: noteJson(note, { version, path, shortId, supersededBy }) };
  });
};

const notThere = (id: string, at: string): Lookup<NoteJson> => ({
  ok: false,
  refusal: {
    code: 'note-unknown',
    message: `there was no note ${id} at ${at}`,
    next: 'anamnesis log shows what happened when',
  },
});

const readNotes = async (memory: Memory, indexed: readonly IndexedNote[]): Promise<readonly (Note | undefined)[]> => {
  const blobs = new Map<string, Buffer>();
  for (const name of journalNames) {
    const wanted = indexed.filter(({ journal }) => journal === name).map(({ version }) => version);
    if (wanted.length === 0) continue;
    for (const [id, bytes] of await memory.journals[name].blobs(wanted)) blobs.set(id, bytes);
  }
  return indexed.map(({ version, journal, path }) => {
    const bytes = blobs.get(version);
    const parsed = bytes === undefined ? undefined : parseNoteFile(bytes, journal, path);
    return parsed?.ok === true ? parsed.file.note : undefined;
  });
};

/** Returns the time of the newest commit at that point: a note that expired later was live then. */
const secondsAt = async (memory: Memory, at: string): Promise<number> => {
  const revision = await resolveRevision(memory, at);
  let latest = 0;
  for (const name of journalNames) {
    const commit = revision[name];
    if (commit !== undefined) latest = Math.max(latest, await memory.journals[name].timeOf(commit));
  }
  return Math.floor(latest / 1000);
};
