/** Questions to the store as it was: an index of that point is built beside the present one, bodies come from git. */

import { join } from 'node:path';
import { isUlid } from '../../events/ids.js';
import { journalNames, type Note } from '../../events/note.js';
import { parseNoteFile } from '../../events/note-file.js';
import type { Memory } from '../../memory/memory.js';
import { indexedNoteJson, type NoteJson, noteJson } from '../../memory/note-json.js';
import type { SearchAnswer, SearchHit } from '../../memory/reading.js';
import { askPast } from '../../memory/replaying.js';
import { resolveRevision } from '../../memory/revision.js';
import { filesOfNote, type IndexedNote, idsWithPrefix, type NoteFilter } from '../../projections/index/query.js';
import { searchNotes } from '../../projections/search/search.js';
import { makeSnippet, wordsInText } from '../../projections/search/snippet.js';
import { idAmbiguous, idNotAUlid } from '../refusals.js';
import { refused, type Stop } from './errors.js';

export const searchPast = async (
  memory: Memory,
  at: string,
  query: { readonly text: string; readonly filter: NoteFilter; readonly k: number },
): Promise<SearchAnswer> => {
  if (!memory.exists()) return { hits: [], total: 0 };
  const nowSeconds = await secondsAt(memory, at);
  return askPast(memory, at, async (database) => {
    const ranking = searchNotes(database, { ...query, nowSeconds });
    const notes = await readNotes(
      memory,
      ranking.hits.map(({ note }) => note),
    );
    const hits = ranking.hits.map(({ note, rank, score }, index): SearchHit => {
      const body = notes[index]?.body ?? '';
      const words = wordsInText(
        `${note.title}\n${body}\n${note.tags.join(' ')} ${note.keywords.join(' ')}`,
        ranking.words,
      );
      return {
        note: indexedNoteJson(note),
        snippet: makeSnippet(body, ranking.words),
        rank,
        score: Math.round(score * 1e4) / 1e4,
        reasons: [`BM25 rank ${rank}${words.length === 0 ? '' : `: ${words.join(', ')}`}`],
      };
    });
    return { hits, total: ranking.total };
  });
};

export const showPast = async (memory: Memory, given: string, at: string): Promise<NoteJson> => {
  const beginning = given.trim().toUpperCase();
  if (!/^[0-9A-HJKMNP-TV-Z]{4,26}$/.test(beginning)) throw refused(idNotAUlid(given));
  if (!memory.exists()) throw notThere(beginning, at);
  return askPast(memory, at, async (database) => {
    const [id, ...others] = isUlid(beginning) ? [beginning] : idsWithPrefix(database, beginning, 5);
    if (id === undefined) throw notThere(beginning, at);
    if (others.length > 0) throw refused(idAmbiguous(beginning, [id, ...others]));
    const [indexed] = filesOfNote(database, id);
    const [note] = indexed === undefined ? [] : await readNotes(memory, [indexed]);
    if (indexed === undefined || note === undefined) throw notThere(id, at);
    const path = join(memory.journals[indexed.journal].folder, indexed.path);
    return noteJson(note, indexed.version, path, indexed.supersededBy);
  });
};

const notThere = (id: string, at: string): Stop =>
  refused({
    code: 'note-unknown',
    message: `there was no note ${id} at ${at}`,
    next: 'anamnesis log shows what happened when',
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

/** The time of the newest commit of that point: what expired later was live then. */
const secondsAt = async (memory: Memory, at: string): Promise<number> => {
  const revision = await resolveRevision(memory, at);
  let latest = 0;
  for (const name of journalNames) {
    const commit = revision[name];
    if (commit !== undefined) latest = Math.max(latest, await memory.journals[name].timeOf(commit));
  }
  return Math.floor(latest / 1000);
};
