/** How a search that asks for meanings is carried out: with the model of this machine, or with a server's vectors. */
import type { AboutQuery } from '../answers/note-schema.js';
import type { SearchFusion, SearchMode } from '../answers/search-mode.js';
import type { EmbeddingServer, Settings } from '../config/settings.js';
import { type Embedder, failRead, otherDimension, type Read, readAs } from '../embedding/embedder.js';
import type { StaticModel } from '../embedding/static-model.js';
import { staticQuery } from '../embedding/static-passages.js';
import { isDenied } from '../events/environment-faults.js';
import type { JournalName, Scope } from '../events/note/note.js';
import { searchHybrid } from '../projections/search/hybrid.js';
import type { searchPreferring } from '../projections/search/prefer.js';
import { splitWords } from '../projections/search/words.js';
import { openMeaning } from './meaning.js';
import { staticMaker } from './passage-makers.js';
import type { LoadedVectors, PassageMaker, UpToDate, Vectors } from './vectors.js';

export type Search = typeof searchPreferring;

/** A search with a model; without `search` words alone count, and `about` says why. */
export type OpenedMode = {
  readonly about: Pick<AboutQuery, 'mode' | 'degraded' | 'fusion'>;
  readonly search?: Search;
  /** Of the model in its version. */
  readonly identity?: string;
};

export type ModeStore = {
  readonly settings: Settings;
  readonly folders: Readonly<Record<JournalName, string>>;
  readonly vectors: () => Promise<Vectors>;
};

export type ModeAsked = {
  readonly text: string;
  readonly mode: Extract<SearchMode, 'auto' | 'hybrid' | 'semantic'>;
  readonly fusion: SearchFusion;
  readonly scope: Scope | undefined;
};

/** Never throws for what a model or a server does. */
export const openMode = async (store: ModeStore, asked: ModeAsked): Promise<OpenedMode> => {
  const { embedding, searchModel } = store.settings;
  if (embedding !== undefined && searchModel === undefined)
    return { ...(await openServerMode(store, embedding, asked)), identity: `${embedding.url} ${embedding.model}` };
  const opened = openMeaning(store.settings);
  if ('degraded' in opened) return byWords(opened.degraded);
  return { ...(await openModelMode(store, opened.model, asked)), identity: opened.model.id };
};

const byWords = (degraded: string): OpenedMode => ({ about: { mode: 'keyword', degraded } });

const openModelMode = async (
  { folders, vectors }: ModeStore,
  model: StaticModel,
  { text, mode, fusion }: ModeAsked,
): Promise<OpenedMode> => {
  const hybrid: Search = (database, query, preferred) => searchHybrid(database, query, preferred, { model, folders });
  if (mode !== 'semantic' && fusion === 'convex') return { about: { mode: 'hybrid' }, search: hybrid };
  const without = (degraded: string): OpenedMode => ({ about: { mode: 'hybrid', degraded }, search: hybrid });
  // Signs have vectors too, which mean nothing.
  if (hasNoWords(text) || staticQuery(model, text).every((value) => value === 0))
    return without('words chose the notes: the model knows none of the query');
  const upToDate = await bringUpToDate(vectors, staticMaker(model), performance.now() + waitMs);
  if (upToDate === undefined) return without(`words chose the notes: ${cantWrite}`);
  const { left, notes } = upToDate.caughtUp;
  if (left > 0)
    return without(`words chose the notes: ${ofThem(left, left + notes)}; search again, or run: anamnesis model index`);
  const stored = upToDate.vectors;
  if (mode === 'semantic') {
    const { searchSemantic } = await import('../projections/search/semantic.js');
    const meaning = { model, folders, vectors: stored };
    return { about: { mode }, search: (database, query, prefer) => searchSemantic(database, query, prefer, meaning) };
  }
  const { searchReciprocal } = await import('../projections/search/reciprocal-ranks.js');
  const meaning = { vectors: stored, vectorOf: (asked: string) => staticQuery(model, asked) };
  return {
    about: { mode: 'hybrid', fusion: 'rrf' },
    search: (database, query, prefer) => searchReciprocal(database, query, prefer, meaning),
  };
};

/** 10,000 notes are read in that time. */
const waitMs = 2000;
/** For the vector of a query, which a person or an agent waits for. */
const serverMs = 1500;
/** Characters of a query that are sent. */
const maxSent = 2000;

const openServerMode = async (
  { vectors }: ModeStore,
  server: EmbeddingServer,
  { text, mode, fusion, scope }: ModeAsked,
): Promise<OpenedMode> => {
  const { whyNotSent, wordsOf } = await import('./sent-queries.js');
  if (hasNoWords(text)) return byWords('words alone counted: there are none in the query to be compared');
  const kept = whyNotSent(text, scope);
  if (kept !== undefined) return byWords(`words alone counted: ${kept}`);
  if (server.keyVariable !== undefined && server.key === undefined)
    return byWords(
      `words alone counted: ${server.keyVariable} is not set, which holds the key of the server for meanings`,
    );
  const { openEndpointEmbedder } = await import('../embedding/endpoint-embedder.js');
  const { serverMaker } = await import('./passage-makers.js');
  const embedder = openEndpointEmbedder({ url: server.url, model: server.model, key: server.key });
  // Notes that changed since are embedded in the background: a search does not wait for them.
  const upToDate = await bringUpToDate(vectors, serverMaker(embedder), 0);
  if (upToDate === undefined) return byWords(`words alone counted: ${cantWrite}`);
  const { caughtUp, vectors: stored } = upToDate;
  if (stored.dimension === undefined)
    return byWords('words alone counted: no note has vectors yet; run: anamnesis model index');
  const embedded = await queryVector(embedder, wordsOf(text).slice(0, maxSent), stored);
  if (!embedded.ok) return byWords(`words alone counted: ${embedded.problem.message}; ${embedded.problem.next}`);
  const vector = embedded.value;
  const meaning = { vectors: stored, vectorOf: () => vector };
  const behind =
    caughtUp.left === 0
      ? {}
      : { degraded: `${ofThem(caughtUp.left, caughtUp.left + caughtUp.notes)}: anamnesis model index` };
  const { searchBesideWords, searchByVectors } = await import('../projections/search/by-vectors.js');
  if (mode === 'semantic')
    return {
      about: { mode, ...behind },
      search: (database, query, prefer) => searchByVectors(database, query, prefer, meaning),
    };
  if (fusion === 'convex')
    return {
      about: { mode: 'hybrid', ...behind },
      search: (database, query, prefer) => searchBesideWords(database, query, prefer, meaning),
    };
  const { searchReciprocal } = await import('../projections/search/reciprocal-ranks.js');
  return {
    about: { mode: 'hybrid', fusion: 'rrf', ...behind },
    search: (database, query, prefer) => searchReciprocal(database, query, prefer, meaning),
  };
};

/** The same question is sent once, as long as the file of vectors stays open. */
const queryVector = async (
  embedder: Embedder,
  text: string,
  { queries, dimension }: LoadedVectors,
): Promise<Read<Float32Array>> => {
  const known = queries.get(text);
  if (known !== undefined) return readAs(known);
  const embedded = await embedder.embed([text], serverMs);
  if (!embedded.ok) return embedded;
  const vector = embedded.value[0] ?? new Float32Array();
  if (vector.length !== dimension) return failRead('model-unusable', ...otherDimension(vector.length, dimension ?? 0));
  const [oldest] = queries.keys();
  if (queries.size >= maxQueries && oldest !== undefined) queries.delete(oldest);
  queries.set(text, vector);
  return readAs(vector);
};

const maxQueries = 64;

const hasNoWords = (text: string): boolean => splitWords(text, 1).length === 0;

const ofThem = (left: number, all: number): string => `${left} of ${all} notes have no vectors yet`;
const cantWrite = "the file of vectors beside the index can't be written";

/** Undefined where the file of vectors can't be written, or somebody else writes it for long. */
const bringUpToDate = async (
  vectors: ModeStore['vectors'],
  maker: PassageMaker,
  untilMs: number,
): Promise<UpToDate | undefined> => {
  try {
    return await (await vectors()).catchUp(maker, untilMs);
  } catch (error) {
    if (isDenied(error) || isBusy(error)) return undefined;
    throw error;
  }
};

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
