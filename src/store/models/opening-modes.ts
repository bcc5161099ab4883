/** Opens a search by meaning: with a static model, or with vectors of a sentence model or server. Loaded on demand. */
import type { AboutQuery } from '../../answers/note-schema.js';
import type { SearchMode } from '../../answers/search-mode.js';
import type { Settings } from '../../config/settings.js';
import { failRead, otherDimension, type Read, readAs } from '../../embedding/embedder.js';
import type { StaticModel } from '../../embedding/static-model.js';
import { nearestPart as nearestPartOf, passageStarts, staticQuery } from '../../embedding/static-passages.js';
import { isDenied } from '../../events/environment-faults.js';
import type { JournalName, Scope } from '../../events/note/note.js';
import type { IndexedNote } from '../../projections/index/query.js';
import { nearestPassage } from '../../projections/search/compare-vectors.js';
import { searchHybrid } from '../../projections/search/hybrid.js';
import type { searchPreferring } from '../../projections/search/search.js';
import { splitWords } from '../../projections/search/words.js';
import { staticMaker, textsMaker } from './making-vectors.js';
import { openMeaning, type TextMeaning } from './meaning.js';
import type { LoadedVectors, PassageMaker, UpToDate, Vectors } from './vectors.js';

/** Never throws when a model or a server fails. */
export const openMode = async (store: ModeStore, asked: ModeAsked): Promise<OpenedMode> => {
  const meaning = await openMeaning(store.settings);
  switch (meaning.kind) {
    case 'none':
      return byWords(`words alone counted: ${meaning.problem.message}; ${meaning.problem.next}`);
    case 'static':
      return openModelMode(store, meaning.model, asked);
    case 'texts':
      return openTextsMode(store, meaning.texts, asked);
  }
};

export type Search = typeof searchPreferring;

type NearestPart = (note: IndexedNote, body: string) => Promise<number | undefined>;

/** A search with a model; without `search`, words alone count, and `about` says why. */
export type OpenedMode = {
  readonly about: Pick<AboutQuery, 'mode' | 'degraded'>;
  readonly search?: Search;
  /** Returns the offset in the body of the passage nearest in meaning; undefined if unknown. */
  readonly nearestPart?: NearestPart;
};

export type ModeStore = {
  readonly settings: Settings;
  readonly folders: Readonly<Record<JournalName, string>>;
  readonly vectors: () => Promise<Vectors>;
};

export type ModeAsked = {
  readonly text: string;
  readonly mode: Extract<SearchMode, 'auto' | 'hybrid' | 'semantic'>;
  readonly scope: Scope | undefined;
  /** The query's words come from a note that must not leave this machine. */
  readonly staysHere?: boolean | undefined;
};

const byWords = (degraded: string): OpenedMode => ({ about: { mode: 'keyword', degraded } });

/** A semantic search falls back to `hybrid`, where words choose the notes, while the notes have no vectors. */
const openModelMode = async (
  { folders, vectors }: ModeStore,
  model: StaticModel,
  { text, mode }: ModeAsked,
): Promise<OpenedMode> => {
  const nearestPart: NearestPart = async (_, body) => nearestPartOf(model, text, body);
  const hybrid = (about: OpenedMode['about']): OpenedMode => ({
    about,
    nearestPart,
    search: (database, query, preferred) => searchHybrid(database, query, preferred, { model, folders }),
  });
  if (mode !== 'semantic') return hybrid({ mode: 'hybrid' });
  const without = (why: string): OpenedMode => hybrid({ mode: 'hybrid', degraded: `words chose the notes: ${why}` });
  // Punctuation has vectors too, but no meaning.
  if (hasNoWords(text) || staticQuery(model, text).every((value) => value === 0))
    return without('the model knows none of the query');
  const upToDate = await bringUpToDate(vectors, staticMaker(model), performance.now() + waitMs);
  if (upToDate === undefined) return without(cantWrite);
  const { left, notes } = upToDate.caughtUp;
  if (left > 0) return without(`${ofThem(left, left + notes)}; search again, or run: anamnesis model index`);
  const { searchSemantic } = await import('../../projections/search/semantic.js');
  const meaning = { model, folders, vectors: upToDate.vectors };
  return {
    about: { mode: 'semantic' },
    nearestPart,
    search: (database, query, prefer) => searchSemantic(database, query, prefer, meaning),
  };
};

/** Enough to read 10,000 notes. */
const waitMs = 2000;
/** A model is given at most this many characters of a query. */
const maxGiven = 2000;

const openTextsMode = async ({ vectors }: ModeStore, texts: TextMeaning, asked: ModeAsked): Promise<OpenedMode> => {
  const { text, mode } = asked;
  const { whyNotSent, wordsOf } = await import('./sent-queries.js');
  if (hasNoWords(text)) return byWords('words alone counted: there are none in the query to be compared');
  const kept = texts.isElsewhere ? whyNotSent(text, asked) : undefined;
  if (kept !== undefined) return byWords(`words alone counted: ${kept}`);
  // Changed notes are embedded in the background; a search doesn't wait for them.
  const upToDate = await bringUpToDate(vectors, textsMaker(texts), 0);
  if (upToDate === undefined) return byWords(`words alone counted: ${cantWrite}`);
  const { caughtUp, vectors: stored } = upToDate;
  if (stored.file.dimension() === undefined)
    return byWords('words alone counted: no note has vectors yet; run: anamnesis model index');
  const embedded = await queryVector(texts, wordsOf(text).slice(0, maxGiven), stored);
  if (!embedded.ok) return byWords(`words alone counted: ${embedded.problem.message}; ${embedded.problem.next}`);
  const vector = embedded.value;
  const meaning = { vectors: stored, vectorOf: () => vector };
  const behind =
    caughtUp.left === 0
      ? {}
      : { degraded: `${ofThem(caughtUp.left, caughtUp.left + caughtUp.notes)}: anamnesis model index` };
  const { searchWordsAndVectors, searchByVectors } = await import('../../projections/search/semantic.js');
  const nearestPart = partNearest(stored, vector);
  if (mode === 'semantic')
    return {
      about: { mode, ...behind },
      nearestPart,
      search: (database, query, prefer) => searchByVectors(database, query, prefer, meaning),
    };
  return {
    about: { mode: 'hybrid', ...behind },
    nearestPart,
    search: (database, query, prefer) => searchWordsAndVectors(database, query, prefer, meaning),
  };
};

/** Returns undefined unless the vectors were made of this version of the note. */
const partNearest =
  (stored: LoadedVectors, vector: Float32Array): NearestPart =>
  async ({ journal, path, version }, body) => {
    const [place] = stored.placesOf([{ journal, path, blob: version }]);
    if (place === undefined) return undefined;
    const at = nearestPassage(stored.segments, place, vector);
    return at === undefined ? undefined : passageStarts(body)[at];
  };

/** Embeds the same query only once while the vector file stays open. */
const queryVector = async (
  { embedder, queryMs }: TextMeaning,
  text: string,
  { queries, file }: LoadedVectors,
): Promise<Read<Float32Array>> => {
  const known = queries.get(text);
  if (known !== undefined) return readAs(known);
  const embedded = await embedder.embed([text], { as: 'query', timeoutMs: queryMs });
  if (!embedded.ok) return embedded;
  const vector = embedded.value[0] ?? new Float32Array();
  const dimension = file.dimension() ?? 0;
  if (vector.length !== dimension) return failRead('model-unusable', ...otherDimension(vector.length, dimension));
  const [oldest] = queries.keys();
  if (queries.size >= maxQueries && oldest !== undefined) queries.delete(oldest);
  queries.set(text, vector);
  return readAs(vector);
};

const maxQueries = 64;

const hasNoWords = (text: string): boolean => splitWords(text, 1).length === 0;

const ofThem = (left: number, all: number): string => `${left} of ${all} notes have no vectors yet`;
const cantWrite = "the file of vectors beside the index can't be written";

/** Returns undefined when the vector file can't be written, or another process keeps it locked. */
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
