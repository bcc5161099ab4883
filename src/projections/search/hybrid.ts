/** A search by words whose first hits a static model puts in order again, from their texts as the index knows them. */
import type Database from 'better-sqlite3';
import { openCloseness } from '../../embedding/closeness.js';
import type { StaticModel } from '../../embedding/static-model.js';
import { findFences } from '../../events/note/fences.js';
import type { JournalName } from '../../events/note/note.js';
import { readVersion } from '../../events/worktree/working-tree.js';
import type { IndexedNote } from '../index/query.js';
import { type FusedNote, fuse } from './fusion.js';
import { candidatesPerHit, searchWeighed } from './prefer.js';
import type { Ranking, SearchQuery } from './search.js';

export type Meaning = {
  readonly model: StaticModel;
  readonly folders: Readonly<Record<JournalName, string>>;
};

export type FusedRanking = Ranking & { readonly hits: readonly FusedNote[] };

/** The number of hits by words that are compared. What words don't find at all, a model this small finds worse than not. */
const compared = 50;

export const searchHybrid = (
  database: Database.Database,
  query: SearchQuery,
  preferred: string | undefined,
  { model, folders }: Meaning,
): FusedRanking => {
  const first = query.offset ?? 0;
  const wanted = (first + query.k) * (preferred === undefined ? 1 : candidatesPerHit);
  const found = searchWeighed(database, { ...query, k: Math.max(compared, wanted), offset: 0 }, preferred);
  const closeTo = openCloseness(model, { text: query.text, words: found.words });
  const closeness = found.hits
    .slice(0, compared)
    .map(({ note }) => closeTo({ title: note.title, body: bodyOf(note, folders) }));
  return { ...found, hits: fuse(found.hits, closeness).slice(first, first + query.k) };
};

/** Empty where the file is not the one that the index knows: then the title speaks for the note. */
const bodyOf = ({ journal, path, version }: IndexedNote, folders: Meaning['folders']): string => {
  const fences = findFences(readVersion(folders[journal], path, version)?.toString('utf8') ?? '');
  return fences.ok ? fences.body : '';
};
