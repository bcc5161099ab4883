/** Searches for a literal text, as grep does: in the notes' files and titles, with what the index knows of them. */

import { join } from 'node:path';
import type { SearchSort } from '../answers/search-mode.js';
import type { Settings } from '../config/settings.js';
import { filesHolding } from '../events/git/files-holding.js';
import type { GitJournal } from '../events/git/git-journal.js';
import { type JournalName, journalNames } from '../events/note/note.js';
import { contestsOf } from '../projections/index/contested.js';
import type { IndexedNote, NoteFilter } from '../projections/index/query.js';
import { candidateNotes, rowsWithHead } from '../projections/search/candidates.js';
import { literalOf } from '../projections/search/query/literal.js';
import { type Mark, snippetAt } from '../projections/search/snippet.js';
import { shortNoteIds } from '../projections/short-ids.js';
import type { LiveIndex } from './live-index.js';
import { indexedNoteJson } from './note-json.js';
import type { NoteTexts } from './note-texts.js';
import type { SearchHit } from './search-hit.js';
import { defaultK, type SearchAnswer, type SearchOptions } from './search-options.js';
import { sortHits } from './searching.js';

type ExactAsked = {
  readonly text: string;
  readonly ignoreCase: boolean;
  readonly filter: NoteFilter;
  readonly k: number;
  readonly offset: number;
  readonly nowSeconds: number;
  readonly sort: SearchSort;
};

type ExactHit = Pick<SearchHit, 'snippet' | 'marks'> & { readonly note: IndexedNote; readonly count: number };

/** `total` counts at most the newest 2,000 notes that may contain the text. */
type ExactAnswer = { readonly hits: readonly ExactHit[]; readonly total: number };

/** Returns the answer in the form that every search has. A reason says how often the note contains the text. */
export const answerExact = async (
  store: Store,
  text: string,
  { k = defaultK, offset = 0, ignoreCase = false, sort = 'relevance', ...filter }: SearchOptions,
): Promise<SearchAnswer> => {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const found = await searchExact(store, { text, ignoreCase, filter, k, offset, nowSeconds, sort });
  const ids = found.hits.map(({ note }) => note.id);
  const { shortIds, contests } = await store.liveIndex.ask((database) => ({
    shortIds: shortNoteIds(database, ids),
    contests: contestsOf(database, ids, nowSeconds, store.settings),
  }));
  const most = Math.max(1, ...found.hits.map(({ count }) => count));
  const hits = found.hits.map(({ note, count, snippet, marks }, at): SearchHit => {
    const contested = contests.get(note.id);
    const reasons = [count === 1 ? 'contains it once' : `contains it ${count} times`];
    const path = join(store.journals[note.journal].folder, note.path);
    const fit = Math.round((count / most) * 100) / 100;
    const rank = offset + at + 1;
    const hit = { ...indexedNoteJson(note, shortIds), snippet, marks, rank, score: count, fit, reasons, path };
    return contested === undefined ? hit : { ...hit, contested };
  });
  return { hits, total: found.total, about: { mode: 'exact' } };
};

type Store = {
  readonly settings: Settings;
  readonly journals: Readonly<Record<JournalName, GitJournal>>;
  readonly liveIndex: LiveIndex;
  readonly texts: NoteTexts;
};

/** Notes with the text in the title first, then by its count, then newest first. Reads every file of the store. */
const searchExact = async (store: Store, asked: ExactAsked): Promise<ExactAnswer> => {
  const literal = literalOf(asked.text, asked.ignoreCase);
  const inFiles = await Promise.all(
    journalNames.map(async (name) => {
      const { folders, exists } = store.journals[name];
      if (!exists()) return [];
      const paths = await filesHolding(folders, literal.asciiPart, asked);
      return paths.map((path) => `${name}/${path}`);
    }),
  );
  const places = new Set(inFiles.flat());
  const mayHold = await store.liveIndex.ask((database) => {
    // In the file, a title or keyword may have escaped quotes.
    const titled = rowsWithHead(database, (title) => literal.placesIn(title).length > 0);
    return candidateNotes(
      database,
      asked,
      ({ rowid, journal, path }) => places.has(`${journal}/${path}`) || titled.has(rowid),
      maxRead,
    );
  });
  const found = (await store.texts.read(mayHold)).flatMap(({ note, body }) => {
    const inTitle = literal.placesIn(note.title).length;
    const inBody = literal.placesIn(body);
    const elsewhere = literal.placesIn([...note.tags, ...note.keywords].join('\n')).length;
    const count = inTitle + inBody.length + elsewhere;
    return count === 0 ? [] : [{ note, inTitle, count, snippet: snippetAt(body, inBody[0] ?? 0) }];
  });
  // Candidates are sorted newest first, and sorting is stable.
  const hits =
    asked.sort === 'relevance'
      ? found.toSorted((a, b) => Math.sign(b.inTitle) - Math.sign(a.inTitle) || b.count - a.count)
      : sortHits(found, asked.sort);
  const page = hits.slice(asked.offset, asked.offset + asked.k).map((hit): ExactHit => {
    const marks = literal.placesIn(hit.snippet).map((at): Mark => [at, at + asked.text.length]);
    return { ...hit, ...(marks.length === 0 ? {} : { marks }) };
  });
  return { hits: page, total: found.length };
};

const maxRead = 2000;
