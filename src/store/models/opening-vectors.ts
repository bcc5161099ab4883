/** Searches with the notes' vectors, after updating them. Loaded when vectors are asked for. */
import { failRead, otherDimension, type Read, readAs } from '../../embedding/embedder.js';
import { staticQuery } from '../../embedding/static-passages.js';
import { passageStarts } from '../../embedding/text-passages.js';
import { isDenied } from '../../events/environment-faults.js';
import { nearestPassage } from '../../projections/search/compare-vectors.js';
import type { Meaning } from '../../projections/search/hybrid.js';
import { splitWords } from '../../projections/search/words.js';
import { staticMaker, textsMaker } from '../passage-makers.js';
import type { LoadedVectors, PassageMaker, UpToDate } from '../vectors.js';
import type { TextMeaning } from './meaning.js';
import { byWords, type ModeAsked, type ModeStore, type NearestPart, type OpenedMode, type Search } from './modes.js';

/** Opens the vectors of a static model; without them, falls back to `hybrid`, where words choose the notes. */
export const openStaticVectors = async (
  vectors: ModeStore['vectors'],
  { model, folders }: Meaning,
  hybrid: Search,
  text: string,
): Promise<OpenedMode> => {
  const without = (degraded: string): OpenedMode => ({ about: { mode: 'hybrid', degraded }, search: hybrid });
  // Punctuation has vectors too, but no meaning.
  if (hasNoWords(text) || staticQuery(model, text).every((value) => value === 0))
    return without('words chose the notes: the model knows none of the query');
  const upToDate = await bringUpToDate(vectors, staticMaker(model), performance.now() + waitMs);
  if (upToDate === undefined) return without(`words chose the notes: ${cantWrite}`);
  const { left, notes } = upToDate.caughtUp;
  if (left > 0)
    return without(`words chose the notes: ${ofThem(left, left + notes)}; search again, or run: anamnesis model index`);
  const { searchSemantic } = await import('../../projections/search/semantic.js');
  const meaning = { model, folders, vectors: upToDate.vectors };
  return {
    about: { mode: 'semantic' },
    search: (database, query, prefer) => searchSemantic(database, query, prefer, meaning),
  };
};

/** Enough to read 10,000 notes. */
const waitMs = 2000;
/** A model is given at most this many characters of a query. */
const maxGiven = 2000;

export const openTextsMode = async (
  { vectors }: ModeStore,
  texts: TextMeaning,
  asked: ModeAsked,
): Promise<OpenedMode> => {
  const { text, mode } = asked;
  const { whyNotSent, wordsOf } = await import('./sent-queries.js');
  if (hasNoWords(text)) return byWords('words alone counted: there are none in the query to be compared');
  const kept = texts.isElsewhere ? whyNotSent(text, asked) : undefined;
  if (kept !== undefined) return byWords(`words alone counted: ${kept}`);
  // Changed notes are embedded in the background; a search doesn't wait for them.
  const upToDate = await bringUpToDate(vectors, textsMaker(texts), 0);
  if (upToDate === undefined) return byWords(`words alone counted: ${cantWrite}`);
  const { caughtUp, vectors: stored } = upToDate;
  if (stored.dimension === undefined)
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
  { queries, dimension }: LoadedVectors,
): Promise<Read<Float32Array>> => {
  const known = queries.get(text);
  if (known !== undefined) return readAs(known);
  const embedded = await embedder.embed([text], { as: 'query', timeoutMs: queryMs });
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
