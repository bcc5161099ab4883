/** A search, from the typed text to hits with their bodies. Loaded with the first one; `inject` doesn't need it. */
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { contestsOf } from '../projections/index/contested.js';
import { filesOfNote, type IndexedNote } from '../projections/index/query.js';
import { countAllNotes } from '../projections/index/rows.js';
import { readPrints } from '../projections/prints/read-prints.js';
import type { Ranking } from '../projections/search/search.js';
import { shortNoteIds } from '../projections/short-ids.js';
import type { LiveIndex } from '../workers/live-index.js';
import { openKnownRankings } from './known-rankings.js';
import type { ModeStore } from './models/modes.js';
import type { NoteTexts } from './note-texts.js';
import { findResolvers, noResolving } from './resolved/resolving.js';
import { fitOf, makeHit, type SearchHit, scoresOf, showPart } from './search-hit.js';
import type { SearchAnswer, SearchOptions } from './search-options.js';
import { openSearchMode, type Searched, searchIndex } from './searching.js';

export type FindingStore = ModeStore & { readonly liveIndex: LiveIndex; readonly texts: NoteTexts };

/** Searches in every mode but `exact`; the store must have notes. */
export type Find = (text: string, options: SearchOptions) => Promise<SearchAnswer>;

export const openFinding = (store: FindingStore): Find => {
  const { folders, liveIndex, texts } = store;
  const rankings = openKnownRankings();
  return async (text, { mode, ...options }) => {
    const meaning = await openSearchMode(store, text, {
      mode,
      scope: options.scope,
      staysHere: options.staysHere,
    });
    const about = meaning?.about ?? {};
    const isRelevance = (options.sort ?? 'relevance') === 'relevance';
    const nowSeconds = Math.floor(Date.now() / 1000);
    const explainer =
      options.explain === true ? (await import('../projections/search/explain.js')).explainRanking : undefined;
    const { ranking, shortIds, contests, best, source, print, count, ...said } = await liveIndex.ask((database) => {
      const rank = (asked: SearchOptions): Searched => {
        const run = (): Searched => searchIndex(database, text, asked, nowSeconds, meaning?.search, explainer);
        const key = JSON.stringify([text, asked, meaning?.about, meaning?.identity]);
        return rankings.rank(database, key, nowSeconds, run);
      };
      const found = rank(options);
      const { hits } = found.ranking;
      const isFirstPage = (options.offset ?? 0) === 0 && isRelevance;
      const [best] =
        isFirstPage || hits.length === 0 ? hits : rank({ ...options, k: 1, offset: 0, sort: 'relevance' }).ranking.hits;
      // A note that replaced another is ranked by the other's words.
      const [replaced] = best?.insteadOf === undefined ? [] : filesOfNote(database, best.insteadOf);
      const ids = hits.map(({ note }) => note.id);
      const named = [...ids, ...hits.flatMap(({ insteadOf }) => insteadOf ?? [])];
      return {
        ...found,
        best,
        ...sourceOf(database, replaced ?? best?.note),
        count: countAllNotes(database),
        shortIds: shortNoteIds(database, named),
        contests: contestsOf(database, ids, nowSeconds, store.settings),
      };
    });
    const matchesNoWord = about.mode === 'semantic' && holdsNone(ranking, options);
    const relaxed = said.about.relaxed ?? (matchesNoWord ? nearestOnly : undefined);
    const allAbout = {
      ...said.about,
      ...about,
      ...(relaxed === undefined ? {} : { relaxed }),
    };
    const read = await texts.readHeads(ranking.hits.map(({ note }) => note));
    // Nearly always the first hit.
    const known = read.find(({ note }) => note.rowid === source?.rowid);
    const [sourceRead = known] = source === undefined || known !== undefined ? [] : await texts.readHeads([source]);
    const measureFit = fitOf({
      text,
      ranking,
      about: allAbout,
      best,
      source: sourceRead && { ...sourceRead, print },
      total: count,
    });
    const hits: SearchHit[] = [];
    for (const [at, ranked] of ranking.hits.entries()) {
      const { note, body } = read[at] ?? { note: ranked.note, body: '' };
      const contested = contests.get(note.id);
      const path = join(folders[note.journal], note.path);
      const made = makeHit({ ...ranked, note }, shortIds, body, ranking.words, options.marks);
      const isByMeaning = allAbout.mode === 'semantic' || !made.isInBody;
      const part = isByMeaning ? await meaning?.nearestPart?.(ranked.note, body) : undefined;
      const hit = part === undefined ? made.hit : { ...made.hit, ...showPart(body, part, ranking.words) };
      const scores = options.explain === true ? scoresOf({ ...ranked, note }) : undefined;
      hits.push({
        ...hit,
        fit: measureFit(ranked),
        path,
        ...(contested === undefined ? {} : { contested }),
        ...(scores === undefined ? {} : { scores }),
      });
    }
    // Conditions such as `tag:x` apply to every note of the answer and can't be checked here.
    const resolving =
      allAbout.read_as === undefined
        ? await findResolvers(store, ranking.hits, read, options, nowSeconds)
        : noResolving;
    const resolverHits = resolving.resolvers.map(({ read: { note, body }, hit }) => ({
      ...makeHit({ note, rank: hit.rank, score: hit.score }, resolving.shortIds, body, ranking.words).hit,
      reasons: [`named by rank ${hit.rank} as its solution`],
      resolves: shortIds.get(hit.note.id) ?? hit.note.id,
      fit: measureFit(hit),
      path: join(folders[note.journal], note.path),
    }));
    const { corrected } = allAbout;
    const correctedAbout =
      corrected === undefined
        ? {}
        : {
            corrected: (await import('../projections/search/query/as-written.js')).inOriginalSpelling(corrected, read),
          };
    return { hits: [...hits, ...resolverHits], total: ranking.total, about: { ...allAbout, ...correctedAbout } };
  };
};

const sourceOf = (database: Database.Database, source: IndexedNote | undefined) => ({
  source,
  print: source && readPrints(database, [source.rowid]).get(source.rowid),
});

const nearestOnly = 'no note contains a word of the query: these are the nearest by meaning, whether they fit or not';

/**
 * True when no note has a word of the query. Never for a restricted search, which must not reveal whether others' notes
 * do.
 */
const holdsNone = ({ total, counted }: Ranking, { user, workspace }: SearchOptions): boolean =>
  total > 0 &&
  counted.length > 0 &&
  counted.every(({ notes }) => notes === 0) &&
  user === undefined &&
  workspace === undefined;
