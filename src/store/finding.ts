/** A search, from the typed text to hits with their bodies. Loaded with the first one; `inject` doesn't need it. */
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import type { AboutQuery, NoteJson } from '../answers/note-schema.js';
import type { Settings } from '../config/settings.js';
import { contestsOf } from '../projections/index/contested.js';
import { filesOfNote } from '../projections/index/query.js';
import { countAllNotes } from '../projections/index/rows.js';
import { readPrints } from '../projections/prints/read-prints.js';
import type { FusedNote } from '../projections/search/hybrid.js';
import type { Ranking } from '../projections/search/search.js';
import { shortNoteIds } from '../projections/short-ids.js';
import type { LiveIndex } from './live-index.js';
import type { ModeStore, OpenedMode } from './models/opening-modes.js';
import type { NoteTexts, ReadNote } from './note-texts.js';
import { findResolvers } from './resolving.js';
import { fitOf, makeHit, type SearchHit, scoresOf, showPart } from './search-hit.js';
import { defaultK, type SearchAnswer, type SearchOptions } from './search-options.js';
import { type IndexSearch, openSearchMode, searchIndex } from './searching.js';

export type FindingStore = ModeStore & { readonly liveIndex: LiveIndex; readonly texts: NoteTexts };

/** Searches in every mode but `exact`; the store must have notes. */
export const findNotes = async (
  store: FindingStore,
  text: string,
  { mode, ...options }: SearchOptions,
): Promise<SearchAnswer> => {
  const { scope, staysHere, offset = 0 } = options;
  const meaning = await openSearchMode(store, text, { mode, scope, staysHere });
  const isRelevance = (options.sort ?? 'relevance') === 'relevance';
  const explainer =
    options.explain === true ? (await import('../projections/search/explain.js')).explainRanking : undefined;
  const nowSeconds = Math.floor(Date.now() / 1000);
  const rank = (database: Database.Database, asked: SearchOptions): IndexSearch =>
    searchIndex(database, text, asked, nowSeconds, meaning?.search, explainer);
  const found = await store.liveIndex.ask((database) => {
    const first = rank(database, options);
    const { hits } = first.ranking;
    const isFirstPage = offset === 0 && isRelevance;
    const [best] =
      isFirstPage || hits.length === 0
        ? hits
        : rank(database, { ...options, k: 1, offset: 0, sort: 'relevance' }).ranking.hits;
    return { ...first, best, ...aboutHits(database, hits, best, nowSeconds, store.settings) };
  });
  const { ranking } = found;
  const about = joinAbout(found, meaning?.about, options);
  const read = await store.texts.readHeads(ranking.hits.map(({ note }) => note));
  const measureFit = fitOf({
    text,
    ranking,
    about,
    best: found.best,
    source: await readSource(store, found, read),
    total: found.count,
  });
  const shown: ShownRanking = { ranking, about, read, found, measureFit, options };
  const hits = await Promise.all(ranking.hits.map((ranked, at) => showHit(store, shown, ranked, at, meaning)));
  const resolvers = await showResolvers(store, shown, nowSeconds);
  const { corrected } = about;
  if (corrected === undefined) return { hits: [...hits, ...resolvers], total: ranking.total, about };
  const { inOriginalSpelling } = await import('../projections/search/fuzzy/corrections.js');
  const spelt = { ...about, corrected: inOriginalSpelling(corrected, read) };
  return { hits: [...hits, ...resolvers], total: ranking.total, about: spelt };
};

/** Finds notes like the given one, by the words that distinguish it most. */
export const findSimilar = async (
  store: FindingStore,
  { id, title, body = '', scope, sensitive }: NoteJson,
  { k = defaultK, ...options }: SearchOptions,
): Promise<SearchAnswer> => {
  const { keyTerms } = await import('../projections/search/query-words.js');
  const words = await store.liveIndex.ask((database) => keyTerms(database, { title, body }));
  const staysHere = scope === 'machine-local' || sensitive === true;
  const { hits, total, about } = await findNotes(store, words.join(' '), {
    ...options,
    k: k + 1,
    fuzzy: false,
    staysHere,
  });
  const others = hits.filter((hit) => hit.id !== id);
  const ranked = others.slice(0, k).map((hit, at) => ({ ...hit, rank: at + 1 }));
  return { hits: ranked, total: total - (hits.length - others.length), about };
};

type FoundHits = IndexSearch & { readonly best: FusedNote | undefined } & ReturnType<typeof aboutHits>;

type ShownRanking = {
  readonly ranking: Ranking;
  readonly about: AboutQuery;
  readonly read: readonly ReadNote[];
  readonly found: FoundHits;
  readonly measureFit: (hit: FusedNote) => number;
  readonly options: SearchOptions;
};

/** What the index knows of the hits besides their rank. */
const aboutHits = (
  database: Database.Database,
  hits: readonly FusedNote[],
  best: FusedNote | undefined,
  nowSeconds: number,
  settings: Settings,
) => {
  // A note that replaced another is ranked by the other's words.
  const [replaced] = best?.insteadOf === undefined ? [] : filesOfNote(database, best.insteadOf);
  const source = replaced ?? best?.note;
  const ids = hits.map(({ note }) => note.id);
  return {
    source,
    print: source && readPrints(database, [source.rowid]).get(source.rowid),
    count: countAllNotes(database),
    shortIds: shortNoteIds(database, [...ids, ...hits.flatMap(({ insteadOf }) => insteadOf ?? [])]),
    contests: contestsOf(database, ids, nowSeconds, settings),
  };
};

const joinAbout = (
  { about, ranking }: FoundHits,
  ofMode: OpenedMode['about'] | undefined,
  options: SearchOptions,
): AboutQuery => {
  const matchesNoWord = ofMode?.mode === 'semantic' && holdsNone(ranking, options);
  const relaxed = about.relaxed ?? (matchesNoWord ? nearestOnly : undefined);
  return { ...about, ...ofMode, ...(relaxed === undefined ? {} : { relaxed }) };
};

/** Nearly always the first hit, which is read already. */
const readSource = async (
  { texts }: FindingStore,
  { source, print }: FoundHits,
  read: readonly ReadNote[],
): Promise<(ReadNote & Pick<FoundHits, 'print'>) | undefined> => {
  if (source === undefined) return undefined;
  const known = read.find(({ note }) => note.rowid === source.rowid);
  const [note = known] = known === undefined ? await texts.readHeads([source]) : [];
  return note && { ...note, print };
};

const showHit = async (
  { folders }: FindingStore,
  { ranking, about, read, found, measureFit, options }: ShownRanking,
  ranked: FusedNote,
  at: number,
  meaning: OpenedMode | undefined,
): Promise<SearchHit> => {
  const { note, body } = read[at] ?? { note: ranked.note, body: '' };
  const contested = found.contests.get(note.id);
  const made = makeHit({ ...ranked, note }, found.shortIds, body, ranking.words, options.marks);
  const isByMeaning = about.mode === 'semantic' || !made.isInBody;
  const part = isByMeaning ? await meaning?.nearestPart?.(ranked.note, body) : undefined;
  const scores = options.explain === true ? scoresOf({ ...ranked, note }) : undefined;
  return {
    ...made.hit,
    ...(part === undefined ? {} : showPart(body, part, ranking.words)),
    fit: measureFit(ranked),
    path: join(folders[note.journal], note.path),
    ...(contested === undefined ? {} : { contested }),
    ...(scores === undefined ? {} : { scores }),
  };
};

const showResolvers = async (
  store: FindingStore,
  { ranking, about, read, found, measureFit, options }: ShownRanking,
  nowSeconds: number,
): Promise<readonly SearchHit[]> => {
  // Conditions such as `tag:x` apply to every note of the answer and can't be checked here.
  if (about.read_as !== undefined) return [];
  const { resolvers, shortIds } = await findResolvers(store, ranking.hits, read, options, nowSeconds);
  return resolvers.map(({ read: { note, body }, hit }) => ({
    ...makeHit({ note, rank: hit.rank, score: hit.score }, shortIds, body, ranking.words).hit,
    reasons: [`named by rank ${hit.rank} as its solution`],
    resolves: found.shortIds.get(hit.note.id) ?? hit.note.id,
    fit: measureFit(hit),
    path: join(store.folders[note.journal], note.path),
  }));
};

const nearestOnly = 'no note contains a word of the query: these are the nearest by meaning, whether they fit or not';

/** True when no note has a word of the query; never for a restricted search, which would reveal others' notes. */
const holdsNone = ({ total, counted }: Ranking, { user, workspace }: SearchOptions): boolean =>
  total > 0 &&
  counted.length > 0 &&
  counted.every(({ notes }) => notes === 0) &&
  user === undefined &&
  workspace === undefined;
