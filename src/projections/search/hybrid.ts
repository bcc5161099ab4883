/** A search by words whose first hits a static model reorders, reading the texts that the index reflects. */
import type Database from 'better-sqlite3';
import { type ComparedQuery, openCloseness } from '../../embedding/closeness.js';
import type { StaticModel } from '../../embedding/static-model.js';
import type { JournalName } from '../../events/note/note.js';
import { bodyOf } from '../../events/worktree/note-body.js';
import { countAllNotes } from '../index/rows.js';
import type { CountedWord } from './expression.js';
import { type FusedNote, fuse } from './fusion.js';
import { idfOf } from './held-words.js';
import { type Ranking, type SearchQuery, searchPreferring } from './search.js';

export type Meaning = {
  readonly model: StaticModel;
  readonly folders: Readonly<Record<JournalName, string>>;
};

export type FusedRanking = Ranking & { readonly hits: readonly FusedNote[] };

/**
 * The number of hits by words that are compared; 50 gain .002 nDCG@10 and lose .002 hit@8 (docs/dev/experiments.md).
 * Notes without the words are not searched for: with a model this small, that does more harm than good.
 */
const compared = 24;

export const searchHybrid = (
  database: Database.Database,
  query: SearchQuery,
  preferred: string | undefined,
  { model, folders }: Meaning,
): FusedRanking => {
  const first = query.offset ?? 0;
  const wanted = first + query.k;
  const found = searchPreferring(database, { ...query, k: Math.max(compared, wanted), offset: 0 }, preferred);
  const closeTo = openCloseness(model, { text: query.text, words: weighWords(database, found.counted) });
  const closeness = found.hits
    .slice(0, compared)
    .map(({ note }) => closeTo({ title: note.title, body: bodyOf(note, folders) }));
  return { ...found, hits: fuse(found.hits, closeness).slice(first, first + query.k) };
};

export const weighWords = (database: Database.Database, counted: readonly CountedWord[]): ComparedQuery['words'] => {
  const total = countAllNotes(database);
  return counted.map((one) => ({ word: one.word, weight: weightOf(one, total) }));
};

/** Another wording counts half, as in the score by words. */
const weightOf = ({ notes, isOther }: CountedWord, total: number): number =>
  Math.sqrt(idfOf(notes, total)) * (isOther === true ? 0.5 : 1);
