/** A search, from what was typed to hits with their bodies. Loaded with the first one, as `inject` does without. */
import { join } from 'node:path';
import { contestsOf } from '../projections/index/contested.js';
import { shortNoteIds } from '../projections/short-ids.js';
import type { LiveIndex } from '../workers/live-index.js';
import { openKnownRankings } from './known-rankings.js';
import type { NoteTexts } from './note-texts.js';
import type { ModeStore } from './opening-modes.js';
import { makeHit, scoresOf } from './search-hit.js';
import type { SearchAnswer, SearchOptions } from './search-options.js';
import { openSearchMode, type Searched, searchIndex } from './searching.js';

export type FindingStore = ModeStore & { readonly liveIndex: LiveIndex; readonly texts: NoteTexts };

/** In every mode but `exact`, in a store that has notes. */
export type Find = (text: string, options: SearchOptions) => Promise<SearchAnswer>;

export const openFinding = (store: FindingStore): Find => {
  const { folders, liveIndex, texts } = store;
  const rankings = openKnownRankings();
  return async (text, { mode, fusion, ...options }) => {
    const meaning = await openSearchMode(store, text, {
      mode,
      fusion,
      scope: options.scope,
    });
    const about = meaning?.about ?? {};
    const nowSeconds = Math.floor(Date.now() / 1000);
    const { ranking, shortIds, contests, ...said } = await liveIndex.ask((database) => {
      const run = (): Searched => searchIndex(database, text, options, nowSeconds, meaning?.search);
      const key = JSON.stringify([text, options, meaning?.about, meaning?.identity]);
      const found = rankings.rank(database, key, nowSeconds, run);
      const { hits } = found.ranking;
      const ids = hits.map(({ note }) => note.id);
      const named = [...ids, ...hits.flatMap(({ insteadOf }) => insteadOf ?? [])];
      return { ...found, shortIds: shortNoteIds(database, named), contests: contestsOf(database, ids, nowSeconds) };
    });
    const read = await texts.read(ranking.hits.map(({ note }) => note));
    const hits = ranking.hits.map((ranked, at) => {
      const { note, body } = read[at] ?? { note: ranked.note, body: '' };
      const contested = contests.get(note.id);
      const path = join(folders[note.journal], note.path);
      const hit = { ...makeHit({ ...ranked, note }, shortIds, body, ranking.words), path };
      const scores = options.explain === true ? scoresOf({ ...ranked, note }) : undefined;
      return {
        ...hit,
        ...(contested === undefined ? {} : { contested }),
        ...(scores === undefined ? {} : { scores }),
      };
    });
    return { hits, total: ranking.total, about: { ...said.about, ...about } };
  };
};
